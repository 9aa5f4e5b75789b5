import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Limits } from '../../../lib/adapter/limits.ts';
import { ResponseBuffers } from '../../../lib/adapter/response-buffers.ts';
import { type RunningServer, startServer } from '../../../lib/adapter/server.ts';
import { UnavailableError } from '../../../lib/errors.ts';
import type { Action, Call } from '../../../lib/http/call.ts';
import { openHandler, xapiHandler } from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { limitsWith } from '../../support/limits.ts';
import { type RawClient, rawClient } from '../../support/raw-client.ts';
import { basic, principal, standInLrs } from '../../support/stand-in-lrs.ts';
import { conditionLimit } from '../../support/time-limits.ts';

/** More than the buffers of the operating system hold. */
const bytes = 16 * 1024 * 1024;
const large = Buffer.alloc(bytes, 'x');
const sliceLength = 64 * 1024;
const headers = { 'Content-Type': 'application/octet-stream' };

let server: RunningServer | undefined;
const clients: RawClient[] = [];

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await server?.stop(0);
});

async function start(action: Action<Call>, env: Readonly<Record<string, string>> = {}): Promise<Limits> {
  const limits = limitsWith(env);
  const handler = openHandler(standInLrs(env), action);
  server = await startServer(
    { host: '127.0.0.1', port: 0 },
    { route: () => handler, limits, onFailure: () => {} },
  );
  return limits;
}

async function client(): Promise<RawClient> {
  const made = await rawClient(server?.port ?? 0);
  clients.push(made);
  return made;
}

/** A client that sends requests and reads nothing. */
async function reader(requests: string): Promise<RawClient> {
  const made = await client();
  made.socket.pause();
  await made.send(requests);
  return made;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const waiting = { timeout: conditionLimit, interval: 5 };

const answerLarge: Action<Call> = async ({ path }) => ({
  statusCode: 200,
  headers: { ...headers },
  body: path === '/small' ? 'small' : large,
});

async function* endless(): AsyncGenerator<string> {
  while (true) yield 'x'.repeat(sliceLength);
}

describe('a response that its client does not read', () => {
  it.each<[string, Action<Call>]>([
    ['a large one', answerLarge],
    ['a stream', async () => ({ statusCode: 200, headers: { ...headers }, stream: endless() })],
  ])('is given up after the write timeout: %s', async (_, action) => {
    let isAsked = false;
    const noting: Action<Call> = (call) => {
      isAsked = true;
      return action(call);
    };
    const limits = await start(noting, { LRS_WRITE_TIMEOUT: '100' });
    await reader(get('/a'));
    await vi.waitUntil(() => isAsked, waiting);
    await vi.waitUntil(() => limits.responses.bytes === 0 && limits.connections.count === 0, waiting);
  });

  it('is sent whole as soon as the client goes on reading', async () => {
    const limits = await start(answerLarge);
    const one = await reader(get('/a'));
    await vi.waitUntil(() => limits.responses.bytes === bytes, waiting);
    one.socket.resume();
    await vi.waitUntil(() => one.received.length > bytes, waiting);
    expect(one.received.endsWith(`\r\n\r\n${large.toString()}`)).toBe(true);
    await vi.waitUntil(() => limits.responses.bytes === 0, waiting);
  });

  it('takes memory of which there is a limit: others get 503, then the one that has stalled longest is given up', async () => {
    const limits = await start(answerLarge, { LRS_MAX_BUFFERED_RESPONSE_BYTES: String(bytes + 1000) });
    const stalled = await reader(get('/a'));
    await vi.waitUntil(() => limits.responses.bytes === bytes, waiting);
    const other = await client();
    await other.send(get('/a') + get('/small'));
    const [first, second] = await other.statuses(2);
    expect([first, second]).toEqual(['503', '200']);
    expect(other.received).toMatch(/Retry-After: 1\r\n[\s\S]*webserver\.maxBufferedResponseBytes/);
    await vi.waitUntil(
      async () => {
        const next = await client();
        await next.send(get('/a'));
        return (await next.statuses(1))[0] === '200';
      },
      { timeout: conditionLimit, interval: 100 },
    );
    expect(limits.responses.bytes).toBeLessThanOrEqual(bytes);
    stalled.socket.resume();
    await stalled.ended();
    expect(stalled.received.length).toBeLessThan(bytes);
  });
});

describe('the memory of a response that is reserved before it is loaded', () => {
  it('is refused while other responses take it all, and given back when the response is sent', async () => {
    let loaded = 0;
    const limits = await start(
      async (call) => {
        call.responseMemory?.reserve(bytes);
        loaded += 1;
        return answerLarge(call);
      },
      { LRS_MAX_BUFFERED_RESPONSE_BYTES: String(bytes + 1000) },
    );
    const stalled = await reader(get('/a'));
    await vi.waitUntil(() => loaded === 1, waiting);
    const other = await client();
    await other.send(get('/b'));
    expect([await other.statuses(1), loaded]).toEqual([['503'], 1]);
    expect(other.received).toMatch(/Retry-After: /);
    stalled.socket.resume();
    await vi.waitUntil(() => limits.responses.bytes === 0, waiting);
    await other.send(get('/small'));
    expect(await other.statuses(2)).toEqual(['503', '200']);
    await vi.waitUntil(() => limits.responses.bytes === 0, waiting);
  });

  it('is counted for the key pair that has asked', async () => {
    const assigned: string[] = [];
    const assign = vi.spyOn(ResponseBuffers.prototype, 'assign');
    assign.mockImplementation((_, owner) => assigned.push(owner));
    const handler = xapiHandler(standInLrs(), 'statements', { actions: { GET: async () => json(200, {}) } });
    server = await startServer(
      { host: '127.0.0.1', port: 0 },
      { route: () => handler, limits: limitsWith(), onFailure: () => {} },
    );
    const one = await client();
    const known = `Authorization: ${basic}\r\nX-Experience-API-Version: 1.0.3\r\n`;
    await one.send(`GET /statements HTTP/1.1\r\nHost: x\r\n${known}\r\n`);
    expect(await one.statuses(1)).toEqual(['200']);
    assign.mockRestore();
    expect(assigned).toEqual([principal.credentialId]);
  });

  it('is counted until its handler has ended, though its client has gone', async () => {
    let end = (): void => {};
    const limits = await start(async (call) => {
      call.responseMemory?.reserve(bytes);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return answerLarge(call);
    });
    const one = await reader(get('/a'));
    await vi.waitUntil(() => limits.responses.bytes === bytes, waiting);
    one.socket.resetAndDestroy();
    await vi.waitUntil(() => limits.connections.count === 0, waiting);
    expect(limits.responses.bytes).toBe(bytes);
    end();
    await vi.waitUntil(() => limits.responses.bytes === 0, waiting);
  });

  it('still has a client that has only ended its side of the connection', async () => {
    await start(async (call) => {
      await vi.waitUntil(() => call.responseMemory?.isAbandoned(), waiting);
      call.responseMemory?.reserve(bytes);
      return answerLarge(call);
    });
    const one = await client();
    one.socket.end(get('/a'));
    await one.ended();
    expect(one.received.length).toBeGreaterThan(bytes);
  });

  it('is refused when the client has gone, so that nothing is loaded for it', async () => {
    let begun = false;
    let refusal: unknown;
    const limits = await start(async (call) => {
      begun = true;
      await vi.waitUntil(() => call.responseMemory?.isAbandoned(), waiting);
      try {
        call.responseMemory?.reserve(bytes);
      } catch (error) {
        refusal = error;
      }
      return answerLarge(call);
    });
    const one = await reader(get('/a'));
    await vi.waitUntil(() => begun, waiting);
    one.socket.resetAndDestroy();
    await vi.waitUntil(() => refusal !== undefined, waiting);
    expect(refusal).toBeInstanceOf(UnavailableError);
    expect(limits.responses.bytes).toBe(0);
  });

  it('counts as long as a stream lasts', async () => {
    const limits = await start(async (call) => {
      call.responseMemory?.reserve(bytes);
      return { statusCode: 200, headers: { ...headers }, stream: endless() };
    });
    const one = await reader(get('/a'));
    await vi.waitUntil(() => one.socket.readableLength > 0 && limits.responses.bytes === bytes, waiting);
    one.socket.destroy();
    await vi.waitUntil(() => limits.responses.bytes === 0, waiting);
  });
});

describe('pipelined requests', () => {
  it('are answered one after another, so a connection holds one response', async () => {
    let running = 0;
    let most = 0;
    let count = 0;
    const limits = await start(async (call) => {
      running += 1;
      count += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return answerLarge(call);
    });
    const one = await reader(get('/a').repeat(20));
    await vi.waitUntil(() => limits.responses.bytes === bytes, waiting);
    expect([most, count]).toEqual([1, 1]);
    one.socket.destroy();
    await vi.waitUntil(() => limits.connections.count === 0, waiting);
    expect(count).toBe(1);
  });

  it('are all answered in order, more than fit into one packet too', async () => {
    await start(async ({ path }) => ({ statusCode: 200, headers: { ...headers }, body: `<${path}>` }));
    const one = await client();
    const paths = Array.from({ length: 60 }, (_, index) => `/${index}-${'x'.repeat(4000)}`);
    await one.send(paths.map(get).join(''));
    await one.statuses(paths.length);
    await vi.waitUntil(() => one.received.endsWith(`<${paths.at(-1)}>`), waiting);
    expect([...one.received.matchAll(/<([^>]+)>/g)].map(([, path]) => path)).toEqual(paths);
  });

  async function* pieces(): AsyncGenerator<string> {
    for (let at = 0; at < bytes; at += sliceLength) yield large.toString('latin1', at, at + sliceLength);
  }

  it.each<[string, Action<Call>]>([
    ['a large response', answerLarge],
    [
      'a stream',
      async ({ path }) =>
        path === '/small'
          ? { statusCode: 200, headers: { ...headers }, body: 'small' }
          : { statusCode: 200, headers: { ...headers, 'Content-Length': String(bytes) }, stream: pieces() },
    ],
  ])('do not break off %s that is longer than the buffers', async (_, action) => {
    const limits = await start(action);
    const one = await reader(get('/a') + get('/small'));
    await vi.waitUntil(() => limits.responses.bytes > 0 && one.socket.readableLength > 0, waiting);
    one.socket.resume();
    await vi.waitUntil(() => one.received.endsWith('\r\n\r\nsmall'), waiting);
    expect(one.received.length).toBeGreaterThan(bytes);
  });

  it('are not parsed before the ones before them are answered, however many arrive at once', async () => {
    let parsed = 0;
    let handled = 0;
    const ahead: number[] = [];
    const count = (): void => {
      parsed += 1;
    };
    subscribe('http.server.request.start', count);
    await start(async () => {
      handled += 1;
      ahead.push(parsed - handled);
      return { statusCode: 204, headers: {} };
    });
    const one = await client();
    await one.send(get('/').repeat(2000));
    await one.statuses(2000);
    unsubscribe('http.server.request.start', count);
    expect(new Set(ahead)).toEqual(new Set([0]));
  });

  it('do not keep the server from stopping while they wait', async () => {
    let handled = 0;
    const limits = await start(() => {
      handled += 1;
      return new Promise(() => {});
    });
    await (await client()).send(get('/').repeat(10));
    await vi.waitUntil(() => handled === 1, waiting);
    await server?.stop(0);
    await vi.waitUntil(() => limits.connections.count === 0, waiting);
  });
});
