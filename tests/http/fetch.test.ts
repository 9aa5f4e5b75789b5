import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InvalidError, UnavailableError } from '../../lib/errors.ts';
import type { BodyLimit } from '../../lib/http/body.ts';
import { type FetchHandler, forFetch } from '../../lib/http/gateways/fetch.ts';
import type { HttpV2Event, HttpV2Result } from '../../lib/http/gateways/http-v2.ts';
import type { Handler } from '../../lib/http/handler.ts';
import { MemoryBudget } from '../../lib/http/memory-budget.ts';

const limit: BodyLimit = { bytes: 100, setting: 'webserver.maxBodyBytes' };
const address = 'https://lrs.example.org/xapi/statements';

/** A fetch handler over one handler for all routes. */
const fetchHandler = (
  handle: (event: HttpV2Event) => Promise<HttpV2Result>,
  bodies = new MemoryBudget(1_000_000),
): FetchHandler => forFetch(() => handle as unknown as Handler, bodies);

const echoUpTo = (bytes: number): FetchHandler =>
  fetchHandler(async (event) => {
    const body = await event.readBody?.({ limit: { ...limit, bytes }, authenticated: true });
    return { statusCode: 200, body: body?.toString() ?? 'none' };
  });
const echo = echoUpTo(limit.bytes);

const posted = (body: ReadableStream, init: RequestInit = {}): Request =>
  new Request(address, { method: 'POST', body, duplex: 'half', ...init } as RequestInit);

/** A body that arrives in pieces, and what is known of its end. */
function arriving(pieces: readonly string[], { fails = false } = {}) {
  const seen = { cancelled: false, pulls: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[seen.pulls];
        seen.pulls += 1;
        if (piece !== undefined) controller.enqueue(Buffer.from(piece));
        else if (fails) controller.error(new Error('reset'));
        else controller.close();
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const post = (headers: Record<string, string> = {}): Request => posted(body, { headers });
  return { seen, post };
}

describe('a body that comes through the Fetch API', () => {
  it('is read when its handler asks for it', async () => {
    expect(await (await echo(arriving(['ab', 'c']).post())).text()).toBe('abc');
    expect(await (await echo(new Request(address))).text()).toBe('none');
    const { seen, post } = arriving(['abc']);
    await fetchHandler(async () => ({ statusCode: 401 }))(post());
    expect(seen).toEqual({ cancelled: false, pulls: 0 });
  });

  it('is refused as soon as it is larger than the limit, and not read any further', async () => {
    const { seen, post } = arriving(Array.from({ length: 50 }, () => 'x'.repeat(60)));
    await expect(echo(post())).rejects.toThrow('larger than the 100 bytes');
    expect(seen).toEqual({ cancelled: true, pulls: 2 });
  });

  it('is not read at all when it announces that it is larger than the limit', async () => {
    const { seen, post } = arriving(['abc']);
    await expect(echo(post({ 'content-length': '101' }))).rejects.toThrow('larger than the 100 bytes');
    expect(seen).toEqual({ cancelled: true, pulls: 0 });
  });

  it.each(['abc', '1,1', '-5', '', ' ', '1e1', '0x10', 'NaN'])(
    'is read and limited as ever when its length is announced as %j',
    async (length) => {
      const headers = { 'content-length': length };
      expect(await (await echo(arriving(['ab', 'c']).post(headers))).text()).toBe('abc');
      await expect(echo(arriving(['x'.repeat(101)]).post(headers))).rejects.toThrow('than the 100 bytes');
    },
  );

  it('is an invalid one when it breaks off', async () => {
    await expect(echo(arriving(['abc'], { fails: true }).post())).rejects.toThrow(InvalidError);
  });

  it('is an invalid one when it contains texts', async () => {
    const texts = new ReadableStream({ start: (controller) => controller.enqueue('abc') });
    await expect(echo(posted(texts))).rejects.toThrow(
      new InvalidError('The request body contains something else than bytes.'),
    );
  });

  it('is an invalid one when it was read before', async () => {
    const message = 'The request body was read before the request was given to the LRS.';
    const used = arriving(['abc']).post();
    await used.text();
    const locked = arriving(['abc']).post();
    locked.body?.getReader();
    for (const request of [used, locked])
      await expect(echo(request)).rejects.toThrow(new InvalidError(message));
  });

  it.each([
    ['fails to end', () => Promise.reject(new Error('stuck'))],
    ['never ends', () => new Promise<void>(() => {})],
  ])('is refused for its size although its stream %s', async (_, cancel) => {
    const tooLarge = () =>
      new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(101)), cancel });
    const headers = { 'content-length': '101' };
    for (const request of [posted(tooLarge()), posted(tooLarge(), { headers })])
      await expect(echo(request)).rejects.toThrow('larger than the 100 bytes');
  });

  it('is not waited for any longer when the request is aborted', async () => {
    const abortion = new AbortController();
    let isAsked = false;
    let isCancelled = false;
    const silent = new ReadableStream(
      {
        pull: () => {
          isAsked = true;
          return new Promise<void>(() => {});
        },
        cancel: () => {
          isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const answer = echo(posted(silent, { signal: abortion.signal })).catch((error: unknown) => error);
    await expect.poll(() => isAsked).toBe(true);
    abortion.abort();
    expect(await answer).toEqual(new InvalidError('The request was aborted before its body had arrived.'));
    expect(isCancelled).toBe(true);
  });

  it('is not read at all when the request is aborted already', async () => {
    let isAsked = false;
    const pull = (): void => {
      isAsked = true;
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const request = posted(body, { signal: AbortSignal.abort() });
    await expect(echo(request)).rejects.toThrow(InvalidError);
    expect(isAsked).toBe(false);
  });

  /** A body of as many bytes, each in a piece of its own in the same memory, which is at hand whenever it is asked for. */
  function single(bytes: number): ReadableStream {
    const piece = Buffer.alloc(1);
    let count = 0;
    return new ReadableStream(
      {
        pull(controller) {
          piece[0] = 97 + (count % 26);
          count += 1;
          if (count <= bytes) controller.enqueue(piece);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  it('is copied, so that no piece keeps the memory that it came in', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    expect(await (await echo(posted(single(52)))).text()).toBe(letters.repeat(2));
  });

  it('leaves time to others however many pieces it has', async () => {
    const bytes = 100_000;
    let isRead = false;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (!isRead) setImmediate(count);
    };
    setImmediate(count);
    expect(await (await echoUpTo(bytes)(posted(single(bytes)))).text()).toHaveLength(bytes);
    isRead = true;
    expect(turns).toBeGreaterThan(10);
  });

  it('is refused while the bodies of other requests take the memory that there is for all', async () => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const handle = fetchHandler(async (event) => {
      await event.readBody?.({ limit, authenticated: true });
      if (event.headers?.holds !== undefined) await ended;
      return { statusCode: 200 };
    }, new MemoryBudget(100));
    const post = () => arriving(['x'.repeat(60)]);
    const first = post();
    const answer = handle(first.post({ holds: 'yes' }));
    await expect.poll(() => first.seen.pulls).toBe(2);
    const refused = post();
    await expect(handle(refused.post())).rejects.toThrow(UnavailableError);
    expect(refused.seen.cancelled).toBe(true);
    end();
    await answer;
    expect((await handle(post().post())).status).toBe(200);
  });
});

describe('a response of the Fetch API', () => {
  let made: number;
  let ended: boolean;

  beforeEach(() => {
    made = 0;
    ended = false;
  });

  async function* lines(): AsyncGenerator<string> {
    try {
      for (; made < 1000; made += 1) yield `line ${made}\n`;
    } finally {
      ended = true;
    }
  }

  const stream = fetchHandler(async () => ({ statusCode: 200, stream: lines() }));

  afterEach(() => expect(ended || made === 0).toBe(true));

  it('sends what is made while it is sent', async () => {
    const text = await (await stream(new Request(address))).text();
    expect(text.split('\n')).toHaveLength(1001);
  });

  it('ends the making when the client goes away', async () => {
    const reader = (await stream(new Request(address))).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(made).toBeLessThan(10);
  });

  it('has no body where its status code has none', async () => {
    for (const statusCode of [204, 304]) {
      const response = await fetchHandler(async () => ({ statusCode, body: '' }))(new Request(address));
      expect([response.status, response.body]).toEqual([statusCode, null]);
    }
  });

  it('gives bytes and base64 as they are', async () => {
    const bytes = Buffer.from([0, 255, 10]);
    for (const result of [{ bytes }, { body: bytes.toString('base64'), isBase64Encoded: true }]) {
      const response = await fetchHandler(async () => ({ statusCode: 200, ...result }))(new Request(address));
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    }
  });
});
