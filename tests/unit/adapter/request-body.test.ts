import { afterEach, describe, expect, it, vi } from 'vitest';
import { type RunningServer, startServer } from '../../../lib/adapter/server.ts';
import { NotFoundError } from '../../../lib/errors.ts';
import { GrowingBuffer } from '../../../lib/http/growing-buffer.ts';
import {
  adminHandler,
  type Handler,
  loginHandler,
  openHandler,
  xapiHandler,
} from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { limitsWith } from '../../support/limits.ts';
import { type RawClient, rawClient } from '../../support/raw-client.ts';
import { basic, standInLrs } from '../../support/stand-in-lrs.ts';
import { conditionLimit } from '../../support/time-limits.ts';

const action = async ({ body }: { readonly body: Buffer }) => json(200, { length: body.length });
const open = standInLrs();
const handlers: Readonly<Record<string, Handler>> = {
  '/statements': xapiHandler(open, 'statements', { actions: { POST: action, PUT: action } }),
  '/account': adminHandler(open, action),
  '/login': loginHandler(open, action),
};
const missing = openHandler(open, async () => {
  throw new NotFoundError('There is nothing here.');
});

let server: RunningServer | undefined;
const clients: RawClient[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const { socket } of clients.splice(0)) socket.destroy();
  await server?.stop(0);
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const route = (_: string, path: string) => handlers[path] ?? missing;
  server = await startServer({ host: '127.0.0.1', port: 0 }, { route, limits: limitsWith(env), onFailure });
}

async function client(): Promise<RawClient> {
  const made = await rawClient(server?.port ?? 0);
  clients.push(made);
  return made;
}

const known = `Authorization: ${basic}\r\nX-Experience-API-Version: 1.0.3\r\n`;
const json8 = 'Content-Type: application/json\r\n';
const post = (path: string, headers: string, body = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
const statements = (length: number, sent: string): string =>
  post('/statements', `${known}Content-Length: ${length}\r\n`, sent);

describe('a request that its headers refuse', () => {
  it.each([
    ['an unknown key pair', '/statements', 'X-Experience-API-Version: 1.0.3\r\n', '401'],
    [
      'an unknown version',
      '/statements',
      `Authorization: ${basic}\r\nX-Experience-API-Version: 9\r\n`,
      '400',
    ],
    ['no token', '/account', json8, '401'],
    ['an unknown path', '/nothing', '', '404'],
  ])('is answered although its body has not arrived: %s', async (_, path, headers, status) => {
    await start();
    const one = await client();
    await one.send(post(path, `${headers}Transfer-Encoding: chunked\r\n`, '5\r\nab'));
    expect(await one.statuses(1)).toEqual([status]);
    expect(one.received).toMatch(/Connection: close/i);
  });

  it('leaves the connection open when its body is short, and drops the body', async () => {
    await start();
    const one = await client();
    await one.send(post('/statements', 'X-Experience-API-Version: 1.0.3\r\nContent-Length: 4\r\n', 'ab'));
    expect(await one.statuses(1)).toEqual(['401']);
    await one.send(`cd${statements(3, 'abc')}`);
    expect(await one.statuses(2)).toEqual(['401', '200']);
    expect(one.received).toContain('{"length":3}');
  });

  it('is not told to go on, unlike one that they permit', async () => {
    await start();
    const expecting = 'Expect: 100-continue\r\nContent-Length: 4\r\n';
    const [refused, permitted] = [await client(), await client()];
    await refused.send(post('/statements', `X-Experience-API-Version: 1.0.3\r\n${expecting}`));
    expect(await refused.statuses(1)).toEqual(['401']);
    await permitted.send(post('/statements', known + expecting));
    expect(await permitted.statuses(1)).toEqual(['100']);
    await permitted.send('abcd');
    expect(await permitted.statuses(2)).toEqual(['100', '200']);
  });
});

describe('the memory for request bodies', () => {
  const small = { LRS_MAX_BUFFERED_BODY_BYTES: '400000' };
  const large = 200_000;
  const halfSent = statements(large, 'x'.repeat(large - 1));
  const whole = statements(large, 'x'.repeat(large));

  it('is counted from what has arrived: an announced length takes none', async () => {
    await start(small);
    for (let count = 0; count < 10; count += 1) await (await client()).send(statements(large, 'x'));
    const one = await client();
    await one.send(whole);
    expect(await one.statuses(1)).toEqual(['200']);
  });

  it('is refused with 503 and Retry-After while others take all of it, but not to small bodies', async () => {
    await start(small);
    const [first, second] = [await client(), await client()];
    await first.send(halfSent);
    await vi.waitUntil(
      async () => {
        const one = await client();
        await one.send(whole);
        return (await one.statuses(1))[0] === '503' && /Retry-After: 1\r\n/.test(one.received);
      },
      { timeout: conditionLimit, interval: 5 },
    );
    await second.send(statements(3, 'abc'));
    expect(await second.statuses(1)).toEqual(['200']);
    await first.send('x');
    expect(await first.statuses(1)).toEqual(['200']);
    await second.send(whole);
    expect(await second.statuses(2)).toEqual(['200', '200']);
  });

  it.each([
    ['goes away', (one: RawClient) => one.socket.destroy()],
    ['resets the connection', (one: RawClient) => one.socket.resetAndDestroy()],
    ['sends what is not a chunk', (one: RawClient) => one.send('zz\r\n')],
  ])('is free again when a client %s', async (_, end) => {
    await start(small);
    const first = await client();
    const chunk = `${(large - 1).toString(16)}\r\n${'x'.repeat(large - 1)}\r\n`;
    await first.send(post('/statements', `${known}Transfer-Encoding: chunked\r\n`, chunk));
    await end(first);
    await vi.waitUntil(
      async () => {
        const one = await client();
        await one.send(whole);
        return (await one.statuses(1))[0] === '200';
      },
      { timeout: conditionLimit, interval: 5 },
    );
  });

  it('has a part of its own for requests whose credentials are in the body', async () => {
    await start(small);
    const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 40000\r\n';
    const alternate = (sent: string): string => post('/statements?method=POST', form, sent);
    const first = await client();
    await first.send(alternate('x'.repeat(39_000)));
    await vi.waitUntil(
      async () => {
        const one = await client();
        await one.send(alternate('x'.repeat(40_000)));
        return (await one.statuses(1))[0] === '503';
      },
      { timeout: conditionLimit, interval: 5 },
    );
    const other = await client();
    await other.send(whole);
    expect(await other.statuses(1)).toEqual(['200']);
  });
});

describe('a body of very many small chunks', () => {
  const chunks = '1\r\nx\r\n'.repeat(100_000);
  const chunked = 'Transfer-Encoding: chunked\r\n';

  it('is refused, and the rest of it is not received', async () => {
    await start();
    const [read, unread] = [await client(), await client()];
    void read.send(post('/statements', known + chunked, chunks));
    void unread.send(post('/nothing', chunked, chunks));
    expect(await read.statuses(1)).toEqual(['400']);
    // It may be answered before so many have arrived.
    expect(['400', '404']).toContain((await unread.statuses(1))[0]);
    expect(read.received).toContain('more than 1000 chunks of fewer than 64 bytes');
    // The server ends the connections although the clients go on sending.
    const sending = setInterval(() => {
      for (const one of [read, unread]) void one.send('1\r\nx\r\n');
    }, 50);
    await Promise.all([read.ended(), unread.ended()]);
    clearInterval(sending);
  });

  it('is accepted while the chunks are fewer', async () => {
    await start();
    const one = await client();
    const body = `${'1\r\nx\r\n'.repeat(900)}0\r\n\r\n`;
    await one.send(post('/statements', known + chunked, body));
    expect(await one.statuses(1)).toEqual(['200']);
    expect(one.received).toContain('{"length":900}');
  });
});

describe('a body that needs no authentication', () => {
  it('has a limit of its own', async () => {
    await start();
    const one = await client();
    await one.send(post('/login', `${json8}Content-Length: 65537\r\n`));
    expect(await one.statuses(1)).toEqual(['413']);
    expect(one.received).toContain(
      'webserver.maxUnauthenticatedBodyBytes (LRS_MAX_UNAUTHENTICATED_BODY_BYTES)',
    );
  });
});

describe('a body that arrives too slowly', () => {
  it('is answered with 408 and the connection ends, while one that makes progress is waited for', async () => {
    const ticks: (() => void)[] = [];
    const timers = vi.spyOn(globalThis, 'setInterval').mockImplementation((tick: () => void) => {
      ticks.push(tick);
      return setTimeout(() => {}, 0);
    });
    const appended = vi.spyOn(GrowingBuffer.prototype, 'append');
    const arrived = (bytes: number) =>
      expect
        .poll(() => appended.mock.calls.reduce((sum, [piece]) => sum + piece.length, 0))
        .toBeGreaterThanOrEqual(bytes);
    await start({ LRS_MIN_BODY_BYTES_PER_SECOND: '10' });
    const [slow, steady] = [await client(), await client()];
    for (const one of [slow, steady]) await one.send(statements(1000, 'x'.repeat(200)));
    await arrived(400);
    timers.mockRestore();
    for (const tick of ticks) tick();
    await steady.send('x'.repeat(200));
    await arrived(600);
    for (const tick of ticks) tick();
    expect(await slow.statuses(1)).toEqual(['408']);
    expect(slow.received).toMatch(/Connection: close/i);
    await steady.send('x'.repeat(600));
    expect(await steady.statuses(1)).toEqual(['200']);
  });
});
