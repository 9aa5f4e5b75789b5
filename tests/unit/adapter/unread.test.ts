import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type RunningServer, startServer } from '../../../lib/adapter/server.ts';
import { discardRest } from '../../../lib/adapter/unread.ts';
import { openHandler } from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { limitsWith } from '../../support/limits.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';

const maxBodyBytes = 1024;
const handler = openHandler(
  standInLrs({ LRS_MAX_BODY_BYTES: String(maxBodyBytes) }),
  async () => json(200, {}),
  {
    readsBody: true,
  },
);

/** More than the buffers of both ends hold. */
const body = 'x'.repeat(32 * 1024 * 1024);

let server: RunningServer | undefined;
let socket: Socket | undefined;

afterEach(async () => {
  vi.useRealTimers();
  socket?.destroy();
  await server?.stop(0);
});

/** Writes all of the request before it reads anything, as simple clients do. */
async function sendAllThenRead(text: string): Promise<string> {
  server = await startServer(
    { host: '127.0.0.1', port: 0 },
    { route: () => handler, limits: limitsWith(), onFailure: () => {} },
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

describe('bodies that are dropped', () => {
  const piece = Buffer.alloc(64 * 1024);

  /** A body of which several pieces have arrived, and how many of them were dropped. */
  function arriving() {
    const stream = new PassThrough({ highWaterMark: 1024 * 1024 });
    const seen = { pieces: 0 };
    const message = Object.assign(stream, { complete: false }) as unknown as IncomingMessage;
    const dropped = discardRest(message);
    stream.on('data', () => {
      seen.pieces += 1;
    });
    for (let count = 0; count < 3; count += 1) stream.write(piece);
    return { stream, seen, dropped };
  }

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  }

  it('share the 32 MiB of a second, and take turns', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    // What other tests have dropped counts no more.
    vi.advanceTimersByTime(60_000);
    const [first, second] = [arriving(), arriving()];
    await settle();
    expect([first.seen.pieces, second.seen.pieces]).toEqual([1, 1]);
    vi.advanceTimersByTime(2);
    await settle();
    expect([first.seen.pieces, second.seen.pieces]).toEqual([2, 1]);
    vi.advanceTimersByTime(2);
    await settle();
    expect([first.seen.pieces, second.seen.pieces]).toEqual([2, 2]);
    for (const { stream, dropped } of [first, second]) {
      stream.destroy();
      await dropped;
    }
  });
});
