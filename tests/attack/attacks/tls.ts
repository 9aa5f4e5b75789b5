import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
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

/** Milliseconds until the server has answered what was sent. */
const answerPatience = 3_000;

/** The bytes with which a client begins a handshake. */
function clientHello(): Promise<Buffer> {
  return new Promise((resolve) => {
    const below = new Duplex({ read: () => {}, write: (bytes: Buffer) => resolve(bytes) });
    connectTls({ socket: below });
  });
}

/** What remains to be sent completes a handshake's first step on all connections at the same moment. */
async function splitHellos(context: Context): Promise<void> {
  const hello = await clientHello();
  const sockets: Socket[] = [];
  await context.parallel(context.amount(400), 4, async (index) => {
    const { hostname: host, port } = new URL(context.https);
    const socket = connect({ host, port: Number(port), localAddress: loopbackAddress(index) });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(hello.subarray(0, 1));
    socket.once('data', () => context.tally.count('answered'));
    sockets.push(socket);
  });
  await sleep(answerPatience / 3);
  for (const socket of sockets) socket.write(hello.subarray(1));
  await sleep(answerPatience);
  for (const socket of sockets) socket.destroy();
}

export const tlsAttacks: readonly Attack[] = [
  {
    name: 'key-updates',
    area: 'connections',
    threat: '16 connections by TLS 1.3 send 20,000 KeyUpdate records each and no request',
    run: keyUpdates,
  },
  {
    name: 'split-hellos',
    area: 'connections',
    threat: '400 connections send the first byte of a TLS handshake each, then the rest at the same moment',
    run: splitHellos,
  },
];
