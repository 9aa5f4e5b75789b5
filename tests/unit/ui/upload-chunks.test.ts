import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError } from '../../../ui/src/api/errors.ts';
import { chunksOf } from '../../../ui/src/screens/upload/engine/chunks.ts';
import { deliver, isRefusal } from '../../../ui/src/screens/upload/engine/delivery.ts';
import {
  type Entry,
  type Failure,
  isFailure,
  type Outgoing,
  prepare,
} from '../../../ui/src/screens/upload/engine/entries.ts';
import { sha1 } from '../../../ui/src/screens/upload/engine/sha1.ts';

const words = { 'not-json': 'no JSON', 'not-utf8': 'no UTF-8', 'too-long': 'too long', 'cut-off': 'cut off' };

const entryOf = (text: string, index = 1, fingerprint = 'file'): Entry =>
  prepare({ line: index, size: text.length, text }, index, { fingerprint, words });

function outgoing(index: number, id = `id-${1000 + index}`, size = 10): Outgoing {
  return { index, line: index, id, text: `{"id":"${id}"}`, size };
}

async function chunks(entries: readonly Entry[], count: number, bytes: number): Promise<number[][]> {
  const source = async function* () {
    yield* entries;
  };
  const found: number[][] = [];
  for await (const chunk of chunksOf(source(), { count, bytes })) found.push(chunk.map(({ index }) => index));
  return found;
}

describe('a statement that is to be uploaded', () => {
  it('keeps its text, and gets an id if it has none', () => {
    expect(entryOf('{"id":"X", "n":1.0}')).toMatchObject({ id: 'X', text: '{"id":"X", "n":1.0}' });
    const { text, id } = Object.assign({ text: '' }, entryOf('{ "n":1.0}'));
    expect(text).toBe(`{"id":"${id}", "n":1.0}`);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(JSON.parse(Object.assign({ text: '' }, entryOf('{}')).text)).toEqual({ id: expect.any(String) });
  });

  it('gets the same id each time, and another one elsewhere', () => {
    expect(entryOf('{"a":1}')).toEqual(entryOf('{"a":1}'));
    const ids = [
      entryOf('{"a":1}'),
      entryOf('{"a":1}', 2),
      entryOf('{"a":2}'),
      entryOf('{"a":1}', 1, 'other'),
    ];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
  });

  it('is put aside if it is no JSON, and left to the server if it is no object', () => {
    expect(entryOf('{"a":01}')).toMatchObject({ text: '{"a":01}', reasons: [{ message: 'no JSON' }] });
    expect(isFailure(entryOf('7'))).toBe(false);
  });

  it.each([0, 1, 55, 56, 63, 64, 119, 120, 1000])('is hashed as SHA-1 demands, with %d bytes', (length) => {
    const bytes = Buffer.alloc(length, 'ab');
    expect(Buffer.from(sha1(bytes)).toString('hex')).toBe(createHash('sha1').update(bytes).digest('hex'));
  });
});

describe('the portions of an upload', () => {
  it('hold no more than so many statements and bytes', async () => {
    const entries = [1, 2, 3, 4, 5].map((index) => outgoing(index));
    expect(await chunks(entries, 2, 100)).toEqual([[1, 2], [3, 4], [5]]);
    expect(await chunks(entries, 9, 25)).toEqual([[1, 2], [3, 4], [5]]);
    expect(await chunks([outgoing(1), outgoing(2, 'large', 99), outgoing(3)], 9, 25)).toEqual([
      [1],
      [2],
      [3],
    ]);
  });

  it('never hold an id twice', async () => {
    const entries = [outgoing(1, 'a'), outgoing(2, 'b'), outgoing(3, 'A'), outgoing(4, 'c')];
    expect(await chunks(entries, 9, 100)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});

/** A server that refuses a request for its first wrong statement, as ours does. */
function server(refusal: (part: readonly Outgoing[]) => ApiError | undefined) {
  const stored: number[] = [];
  const failed: Failure[] = [];
  let requests = 0;
  const delivery = {
    send: async (part: readonly Outgoing[]) => {
      requests += 1;
      const error = refusal(part);
      if (error !== undefined) throw error;
      stored.push(...part.map(({ index }) => index));
    },
    onStored: () => {},
    onFailure: (failure: Failure) => {
      failed.push(failure);
    },
  };
  return { delivery, stored, failed, requests: () => requests };
}

const hundred = Array.from({ length: 100 }, (_, at) => outgoing(at + 1));
const error = (status: number, message: string, path?: string): ApiError =>
  new ApiError(status, { error: message, ...(path !== undefined && { details: [{ path, message }] }) });

describe('the delivery of a portion', () => {
  it('puts aside what the server names by its place, and stores the others in their order', async () => {
    const wrong = new Set([3, 50, 51, 100]);
    const { delivery, stored, failed, requests } = server((part) => {
      const at = part.findIndex(({ index }) => wrong.has(index));
      return at === -1 ? undefined : error(400, 'must be an IRI', `statements[${at}].verb.id`);
    });
    await deliver(hundred, delivery);
    expect(stored).toEqual(hundred.map(({ index }) => index).filter((index) => !wrong.has(index)));
    expect(failed.map(({ index }) => index)).toEqual([3, 50, 51, 100]);
    expect(failed[0]).toMatchObject({ line: 3, id: 'id-1003', reasons: [{ path: 'verb.id' }] });
    expect(requests()).toBeLessThan(20);
  });

  it('finds the one whose id is taken', async () => {
    const { delivery, stored, failed, requests } = server((part) =>
      part.some(({ id }) => id === 'id-1077') ? error(409, 'The id id-1077 is taken.', 'id') : undefined,
    );
    await deliver(hundred, delivery);
    expect([stored.length, failed.map(({ index }) => index)]).toEqual([99, [77]]);
    expect(requests()).toBe(3);
  });

  it('finds the wrong one when the server names none', async () => {
    const { delivery, stored, failed, requests } = server((part) =>
      part.some(({ index }) => index === 42) ? error(400, 'There is a U+0000.') : undefined,
    );
    await deliver(hundred, delivery);
    expect([stored.length, failed]).toMatchObject([
      99,
      [{ index: 42, reasons: [{ message: 'There is a U+0000.' }] }],
    ]);
    expect(requests()).toBeLessThan(20);
  });

  it('sends less at once to a server that takes less', async () => {
    const { delivery, stored, failed } = server(({ length }) =>
      length > 10 ? error(413, 'too large') : undefined,
    );
    await deliver(hundred, delivery);
    expect([stored.length, failed]).toEqual([100, []]);
  });

  it('ends when all are wrong', async () => {
    const { delivery, failed, requests } = server(() => error(400, 'wrong', 'statements[0].actor'));
    await deliver(hundred, delivery);
    expect(failed).toHaveLength(100);
    expect(requests()).toBe(100);
  });

  it('leaves to the sender what is not the fault of a statement', async () => {
    for (const problem of [new ConnectionError('away'), error(503, 'busy'), error(403, 'forbidden')]) {
      expect(isRefusal(problem)).toBe(false);
      await expect(
        deliver(hundred, {
          ...server(() => undefined).delivery,
          send: async () => {
            throw problem;
          },
        }),
      ).rejects.toBe(problem);
    }
  });
});
