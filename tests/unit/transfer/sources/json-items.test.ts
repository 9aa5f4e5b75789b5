import { describe, expect, it } from 'vitest';
import { itemsOf, listIn } from '../../../../lib/transfer/sources/json-items.ts';

async function* chunksOf(text: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

describe('the items of a file that begins with an array', () => {
  const text = '[{"a":"]\\"},"},\n [1]]\n{"b":"["}\n\n[2,"x"] [3]\n]\nlost "one';
  const expected = [
    [1, '{"a":"]\\"},"}'],
    [2, '[1]'],
    [3, '{"b":"["}'],
    [4, '2'],
    [5, '"x"'],
    [6, '3'],
    [7, ']'],
    [8, 'lost "one'],
  ];

  it.each([1, 2, 3, 1000])(
    'count on in lines and arrays behind it, in chunks of %i bytes',
    async (length) => {
      const found: unknown[] = [];
      for await (const { json, number } of itemsOf(chunksOf(text, length)))
        found.push([number, json.toString()]);
      expect(found).toEqual(expected);
    },
  );
});

describe('a list in a text', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['[]', []],
    ['[ \n ]', []],
    ['[1]', ['1']],
    ['[1, {"a":[2,"],\\""]},[3,4]]', ['1', ' {"a":[2,"],\\""]}', '[3,4]']],
    ['[1,]', ['1', '']],
    ['[,]', ['', '']],
    ['[1', undefined],
    ['["]', undefined],
    ['["\\', undefined],
    ['[1}', undefined],
  ])('%s has the items %j', (text, items) => {
    const list = listIn(Buffer.from(`x${text}`), 1);
    expect(list && [...list.items].map(String)).toEqual(items);
    if (items !== undefined) expect(list?.end).toBe(text.length + 1);
  });
});
