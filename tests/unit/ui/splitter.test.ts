import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../ui/src/screens/upload/engine/items.ts';
import { StatementSplitter } from '../../../ui/src/screens/upload/engine/splitter.ts';

/** The items of a file that comes in portions of so many bytes. */
function itemsOf(content: string | Uint8Array, portion = 7): Item[] {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const splitter = new StatementSplitter();
  const items: Item[] = [];
  for (let at = 0; at < bytes.length; at += portion)
    items.push(...splitter.push(bytes.subarray(at, at + portion)));
  return [...items, ...splitter.end()];
}

const textsOf = (content: string, portion?: number): string[] =>
  itemsOf(content, portion).map((item) => ('text' in item ? item.text : item.problem));

const first = '{"a": "ü, ] } \\" \\\\", "n": 1.50}';
const second = '{\n  "b": [{"c": "{["}, []]\n}';

describe('the splitter of a file of statements', () => {
  it.each([
    ['an array', `[${first},\n${second} , 7, "x", null]`, [first, second, '7', '"x"', 'null']],
    ['an array without anything', ' [ ] ', []],
    ['one statement over several lines', second, [second]],
    ['one statement on a line', first, [first]],
    ['statements one after another', `${second}\n${second}${first}`, [second, second, first]],
    ['NDJSON', `${first}\r\n\n${first}\n`, [first, first]],
    ['a file that begins with a byte order mark', `\uFEFF${first}`, [first]],
    ['nothing', '', []],
    ['blanks', ' \n\n', []],
  ])('takes apart %s and keeps the texts as they are', (_, content, texts) => {
    for (const portion of [1, 2, 7, 1000]) expect(textsOf(content, portion)).toEqual(texts);
  });

  it('finds the same in any JSON array, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue())),
        fc.nat(3),
        fc.integer({ min: 1, max: 50 }),
        (values, indent, portion) => {
          const found = textsOf(JSON.stringify(values, undefined, indent), portion);
          expect(found.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
        },
      ),
    );
  });

  it('finds the same in NDJSON', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.nat(50), (values, portion) => {
        const content = values.map((value) => JSON.stringify(value)).join('\n');
        const found = textsOf(content, portion + 1);
        expect(found.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  it('tells the lines where the statements begin', () => {
    const lines = (content: string) => itemsOf(content).map(({ line }) => line);
    expect(lines(`[\n${second},\n${first}, ${first}\n]`)).toEqual([2, 5, 5]);
    expect(lines(`${first}\n\n${first}`)).toEqual([1, 3]);
  });

  it('leaves the lines of NDJSON alone that follow a broken one', () => {
    expect(textsOf(`${first}\n{"broken": "\n${first}`)).toEqual([first, '{"broken": "', first]);
    expect(textsOf(`{"broken": "\n${first}`)).toEqual(['{"broken": "', first]);
  });

  it('says where a file has lost its end', () => {
    expect(itemsOf(`[${first},\n{"a": [1`)).toEqual([
      expect.objectContaining({ text: first }),
      { line: 2, size: 8, problem: 'cut-off' },
    ]);
    expect(textsOf(`[${first},${first}`)).toEqual([first, first, 'cut-off']);
    expect(textsOf(`[${first}, 1`)).toEqual([first, '1', 'cut-off']);
  });

  it('names bytes that are not UTF-8, and goes on', () => {
    const content = Buffer.concat([
      Buffer.from(`${first}\n"`),
      Buffer.from([0xff]),
      Buffer.from(`"\n${first}`),
    ]);
    expect(itemsOf(content).map((item) => ('text' in item ? item.text : item.problem))).toEqual([
      first,
      'not-utf8',
      first,
    ]);
  });

  it('keeps nothing of what no server would take', () => {
    const huge = `"${'x'.repeat(17 * 1024 * 1024)}"`;
    for (const content of [`[${first},${huge},${first}]`, `${first}\n${huge}\n${first}`])
      expect(textsOf(content, 65_536)).toEqual([first, 'too-long', first]);
  });
});
