import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../../lib/adapter/server.ts';
import { openDoor } from '../../../lib/http/door.ts';
import { json } from '../../../lib/http/responses.ts';
import { limitsWith } from '../../support/limits.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';

const maxBodyBytes = 1024;
const door = openDoor(standInLrs({ LRS_MAX_BODY_BYTES: String(maxBodyBytes) }), async () => json(200, {}), {
  readsBody: true,
});

/** More than the buffers of both ends hold. */
const body = 'x'.repeat(32 * 1024 * 1024);

let server: RunningServer | undefined;
let socket: Socket | undefined;

afterEach(async () => {
  socket?.destroy();
  await server?.stop(0);
});

/** Writes all of the request before it reads anything, as simple clients do. */
async function sendAllThenRead(text: string): Promise<string> {
  server = await startServer(
    { host: '127.0.0.1', port: 0 },
    { route: () => door, limits: limitsWith(), onFailure: () => {} },
  );
  const client = connect(server.port, '127.0.0.1');
  socket = client;
  await once(client, 'connect');
  await new Promise<void>((resolve, reject) => {
    client.write(text, (error) => (error ? reject(error) : resolve()));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of client) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a client that sends all of a body above the limit before it reads', () => {
  it.each([
    ['with its length', `Content-Length: ${body.length}\r\n\r\n${body}`],
    ['in chunks', `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ])('sees the 413 and the end of the connection: %s', async (_, rest) => {
    const answer = await sendAllThenRead(`POST /a HTTP/1.1\r\nHost: x\r\n${rest}`);
    expect(answer).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*Connection: close[\s\S]*"error":"The request body is larger/,
    );
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
