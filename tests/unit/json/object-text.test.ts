import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/json/types.ts';
import { parseItems } from '../../support/json-items.ts';

const omitted = new Set(['id', 'stored']);

/** What is kept of each object of the text, without the names that are omitted. */
function kept(text: string): (string | undefined)[] {
  const { items } = parseItems(Buffer.from(text));
  return Array.from(items, ({ value, text: written }) =>
    written?.membersWithout(omitted, value as JsonObject)?.join(),
  );
}

describe('the text of an object', () => {
  it.each([
    ['as it is when nothing is omitted', '{"a":1.0,"b":[true,{"c":"d"}],"e":"\\u0041\\/"}'],
    ['with names that only look like an omitted one', '{"a":{"id":1},"ids":2,"i":{"stored":3}}'],
  ])('is taken %s', (_, text) => {
    expect(kept(text)).toStrictEqual([text.slice(1, -1)]);
  });

  it.each([
    ['{"id":1,"a":2,"b":3}', '"a":2,"b":3'],
    ['{"a":2,"b":3,"id":[1,{"a":2}]}', '"a":2,"b":3'],
    ['{"a":2,"id":{},"b":3,"stored":"}","c":4}', '"a":2,"b":3,"c":4'],
    ['{"id":1,"stored":2,"é":"ü\\"}{"}', '"é":"ü\\"}{"'],
  ])('%s loses what is omitted', (text, expected) => {
    expect(kept(text)).toStrictEqual([expected]);
  });

  it('is that of each item of an array, blanks between the items or not', () => {
    expect(kept('[{"id":1,"a":2,"b":3} , {"a":4,"b":5,"c":6}]')).toStrictEqual([
      '"a":2,"b":3',
      '"a":4,"b":5,"c":6',
    ]);
  });

  it.each([
    ['blanks', '{"a":1, "b":2,"c":3}'],
    ['a line break', '{"a":1,"b":{\n},"c":3}'],
    ['a name twice', '{"a":1,"b":2,"a":3}'],
    ['a name twice further in', '{"a":1,"b":[{"x":1,"x":2}],"c":3}'],
    ['an omitted name twice', '{"id":1,"a":2,"b":3,"id":4}'],
    ['an omitted name in escapes', '{"\\u0069d":1,"a":2,"b":3}'],
  ])('is not taken with %s', (_, text) => {
    expect(kept(text)).toStrictEqual([undefined]);
  });

  it('is not taken of what is too small to be a statement', () => {
    expect(kept('[{},{"a":1},{"a":1,"b":2},{"a":1,"b":2,"c":3}]')).toStrictEqual([
      undefined,
      undefined,
      undefined,
      '"a":1,"b":2,"c":3',
    ]);
  });

  it('is, whenever it is taken, JSON of the members that are kept', () => {
    const names = fc.constantFrom('id', 'stored', 'a', 'b', '{', '"', ',', 'ä');
    const objects = fc.array(fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }), { minKeys: 3 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(objects, fc.boolean(), (trees, alone) => {
        const text = JSON.stringify(alone ? trees[0] : trees).replaceAll('\\u0000', '');
        const parsed: JsonObject[] = alone ? [JSON.parse(text)] : JSON.parse(text);
        const expected = parsed.map(({ id: _, stored: __, ...rest }) => JSON.stringify(rest).slice(1, -1));
        expect(kept(text)).toStrictEqual(expected);
      }),
    );
  });
});
