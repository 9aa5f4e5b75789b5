import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../lib/logger.ts';
import { RecordConnection } from '../../support/key-updates.ts';
import { type ServedRoute, serveRoute } from '../../support/served-route.ts';
import { conditionLimit } from '../../support/time-limits.ts';

let served: ServedRoute;
let port: number;
let addresses: (string | undefined)[];

beforeEach(async () => {
  addresses = [];
  served = await serveRoute(
    () => async (event) => {
      const { requestContext, readBody } = event as Extract<typeof event, { rawPath: string }>;
      addresses.push(requestContext.http.sourceIp);
      const body = await readBody?.({ limit: { bytes: 10_000_000, setting: '' }, authenticated: true });
      return { statusCode: 200, body: `took ${body?.length ?? 0};` };
    },
    { env: {}, logger: createLogger('OFF') },
  );
  [, port] = served.ports;
});
afterEach(() => served.close());

/** What the server has answered so far. */
function answersOf({ secure }: RecordConnection): () => string {
  let text = '';
  secure.on('data', (piece: Buffer) => {
    text += String(piece);
  });
  return () => text;
}

const request = 'GET /xapi/about HTTP/1.1\r\nHost: x\r\n\r\n';
const times = (count: number, make: () => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, make));

describe('a client of TLS 1.3', () => {
  it('that sends nothing but KeyUpdates is disconnected after a few, on each of many connections', async () => {
    const connections = await Promise.all(Array.from({ length: 12 }, () => RecordConnection.open(port)));
    const answered = connections.map(async (connection) => {
      const { socket } = connection;
      const records = times(2_000, () => connection.keyUpdate(true));
      // The tickets of sessions may still be on their way.
      await sleep(50);
      const before = socket.bytesRead;
      socket.write(records);
      await once(socket, 'close');
      return socket.bytesRead - before;
    });
    // The server answers each with a record of 27 bytes.
    for (const bytes of await Promise.all(answered)) expect(bytes).toBeLessThan(50 * 27);
  });

  it('that sends KeyUpdates between its requests gets its answers', async () => {
    const connection = await RecordConnection.open(port);
    const answers = answersOf(connection);
    for (let round = 1; round <= 3; round += 1) {
      const updates = times(20, () => connection.keyUpdate());
      connection.socket.write(Buffer.concat([updates, connection.data(request)]));
      await expect.poll(() => answers().split('took 0;').length - 1, { timeout: conditionLimit }).toBe(round);
    }
    expect(addresses).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
    connection.socket.destroy();
  });

  it('that sends a body in very many records gets its answer', async () => {
    const connection = await RecordConnection.open(port);
    const answers = answersOf(connection);
    const head = 'POST /xapi/statements HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n';
    connection.socket.write(Buffer.concat([connection.data(head), times(3_000, () => connection.data('x'))]));
    await expect.poll(answers, { timeout: conditionLimit }).toContain('took 3000;');
    connection.socket.destroy();
  });
});
