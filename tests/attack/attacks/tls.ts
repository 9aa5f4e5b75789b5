import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecordConnection } from '../../support/key-updates.ts';
import { loopbackAddress } from '../raw.ts';
import type { Attack, Context } from '../types.ts';

/** Milliseconds until the server must have closed the connections; the attackers get a processor only while nobody wants it. */
const patience = 30_000;

interface Loaded {
  readonly connection: RecordConnection;
  readonly records: Buffer;
}

/** Makes the records first, so that they arrive as fast as they can be sent. */
async function keyUpdates(context: Context): Promise<void> {
  const loaded: Loaded[] = [];
  const count = context.amount(20_000);
  await context.parallel(16, 4, async (index) => {
    const connection = await RecordConnection.open(
      Number(new URL(context.https).port),
      loopbackAddress(index),
    );
    const records = Buffer.concat(Array.from({ length: count }, () => connection.keyUpdate()));
    loaded.push({ connection, records });
  });
  const closed = loaded.map(({ connection }) => once(connection.socket, 'close'));
  for (const { connection, records } of loaded) connection.socket.write(records);
  await Promise.race([Promise.all(closed), sleep(patience)]);
  for (const { connection } of loaded) {
    const isClosed = connection.socket.destroyed;
    context.tally.count(isClosed ? 'closed by the server' : 'held');
    if (!isClosed) context.tally.violate('a connection with nothing but KeyUpdates was not closed');
    connection.socket.destroy();
  }
}

export const tlsAttacks: readonly Attack[] = [
  {
    name: 'key-updates',
    area: 'connections',
    threat: '16 connections by TLS 1.3 send 20,000 KeyUpdate records each and no request',
    run: keyUpdates,
  },
];
