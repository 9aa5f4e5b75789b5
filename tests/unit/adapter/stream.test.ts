import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type RunningServer, startServer } from '../../../lib/adapter/server.ts';
import { limitsWith } from '../../support/limits.ts';

let server: RunningServer | undefined;
const failures: unknown[] = [];

afterEach(async () => {
  await server?.stop(0);
  failures.length = 0;
});

/** The answer of a server that sends this text for every request; its body is not read yet. */
async function answerWith(stream: AsyncIterable<string>): Promise<IncomingMessage> {
  const headers = { 'Content-Type': 'text/csv' };
  server = await startServer(
    { host: '127.0.0.1', port: 0 },
    {
      route: () => async () => ({ statusCode: 200, headers, stream }),
      limits: limitsWith(),
      onFailure: (error) => failures.push(error),
    },
  );
  const [message] = await once(get(server.url), 'response');
  return message;
}

const piece = 'x'.repeat(64 * 1024);

describe('an answer that is made while it is sent', () => {
  it('arrives whole, in pieces whose number nobody had to know before', async () => {
    async function* text() {
      yield 'a,b\r\n';
      await sleep(1);
      yield 'é,2\r\n';
    }
    const message = await answerWith(text());
    expect(message.headers).toMatchObject({ 'transfer-encoding': 'chunked', 'content-type': 'text/csv' });
    expect(message.headers['content-length']).toBeUndefined();
    expect(Buffer.concat(await message.toArray()).toString()).toBe('a,b\r\né,2\r\n');
    expect(failures).toEqual([]);
  });

  it('is made no faster than the client takes it', async () => {
    let made = 0;
    async function* text() {
      for (; made < 2000; made += 1) yield piece;
    }
    const message = await answerWith(text());
    await sleep(300);
    expect(made).toBeLessThan(1000);
    let bytes = 0;
    for await (const chunk of message) bytes += chunk.length;
    expect(bytes).toBe(2000 * piece.length);
  });

  it('is made no further once the client has gone away', async () => {
    let ended = false;
    async function* text() {
      try {
        for (;;) yield piece;
      } finally {
        ended = true;
      }
    }
    const message = await answerWith(text());
    message.destroy();
    await expect.poll(() => ended).toBe(true);
    expect(failures).toEqual([]);
  });

  it('is ended unread when the client has gone away before it was there', async () => {
    let ended = 0;
    const stream: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: piece }),
        return: async () => {
          ended += 1;
          return { done: true, value: undefined };
        },
      }),
    };
    const limits = limitsWith();
    const isGone = () => limits.connections.count === 0;
    let isAsked = false;
    server = await startServer(
      { host: '127.0.0.1', port: 0 },
      {
        route: () => async () => {
          isAsked = true;
          await vi.waitUntil(isGone, { timeout: 10_000 });
          return { statusCode: 200, headers: {}, stream };
        },
        limits,
        onFailure: (error) => failures.push(error),
      },
    );
    const request = get(server.url).on('error', () => undefined);
    await expect.poll(() => isAsked).toBe(true);
    request.socket?.resetAndDestroy();
    await expect.poll(() => ended).toBe(1);
  });

  it('breaks off when the making fails, so that nobody takes it for whole', async () => {
    const failure = new Error('the disk is gone');
    async function* text() {
      yield 'a,b\r\n';
      throw failure;
    }
    const message = await answerWith(text());
    await expect(message.toArray()).rejects.toThrow('aborted');
    expect(failures).toEqual([failure]);
  });
});
