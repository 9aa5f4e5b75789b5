import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { parseJson, printJson } from '../../../lib/xapi/json.ts';
import { parseItems } from '../../../lib/xapi/json-items.ts';

const item = (n: number): string => `{"a":${n},"b":"é","c":[{}]}`;

function itemsOf(text: string | Buffer) {
  const { isArray, items } = parseItems(Buffer.from(text));
  return {
    isArray,
    items: Array.from(items, ({ value, source }) => ({ value, printed: printJson(source) })),
  };
}

/** What `parseJson` makes of the same text. */
function wholeOf(text: string | Buffer) {
  const { value, source } = parseJson(Buffer.from(text));
  if (!Array.isArray(value)) return { isArray: false, items: [{ value, printed: printJson(source) }] };
  const sources = source as unknown[];
  return {
    isArray: true,
    items: value.map((each, index) => ({ value: each, printed: printJson(sources[index]) })),
  };
}

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvalidError) return error.message;
    throw error;
  }
}

describe('the items of a JSON text', () => {
  it.each([
    ['one object', item(1)],
    ['an array', `[${item(1)},${item(2)}]`],
    ['blanks everywhere', ` [ ${item(1)} ,\n\t${item(2)}\r] `],
    ['numbers to be kept as they came', `[{"a":1.0,"b":2,"c":1e2},${item(2)}]`],
    ['no items', '[]'],
    ['small items and others', `[{},1,"a",null,[],${item(1)}]`],
    ['harmless escapes', '[{"a":"\\u0041","b":"\\\\u0000","c":"\\u005fx"}]'],
    ['no JSON at the end', `[${item(1)},${item(2)}`],
    ['no JSON in the middle', `[${item(1)},{"a":1,"b":2,"c":tru},${item(2)}]`],
    ['a comma too much', `[${item(1)},,${item(2)}]`],
    ['a comma at the end', `[${item(1)},]`],
    ['a comma too few', `[${item(1)}${item(2)}]`],
    ['brackets of the wrong kind', `[${item(1)},{"a":1,"b":2,"c":3]]`],
    ['something behind it', `[${item(1)}] x`],
    ['a NUL', `[${item(1)},{"a":"\\u0000","b":2,"c":3}]`],
    ['a prototype', `[${item(1)},{"a":1,"b":2,"__proto__":3}]`],
    ['a prototype in escapes', `[${item(1)},{"a":1,"b":2,"\\u005f_proto__":3}]`],
    ['a number too large', `[${item(1)},{"a":1,"b":2,"c":1e999}]`],
    ['too many levels', `[{"a":1,"b":2,"c":${'['.repeat(64)}${']'.repeat(64)}}]`],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(`[${item(1)},{"a":"`), Buffer.from([0xff]), Buffer.from('","b":2,"c":3}]')]),
    ],
  ])('are what parsing the whole gives, refused or not: %s', (_, text) => {
    expect(outcome(() => itemsOf(text))).toStrictEqual(outcome(() => wholeOf(text)));
  });

  it('are so for a text with any damage', () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 3 }));
    const inserted = fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', ' ', '0', '\\u0000');
    fc.assert(
      fc.property(objects, fc.nat(), fc.nat(2), inserted, (trees, place, removed, added) => {
        const text = JSON.stringify(trees);
        const at = place % (text.length + 1);
        const damaged = text.slice(0, at) + added + text.slice(at + removed);
        expect(outcome(() => itemsOf(damaged))).toStrictEqual(outcome(() => wholeOf(damaged)));
      }),
      { numRuns: 2000 },
    );
  });

  it('are parsed when their turn comes', () => {
    const { items } = parseItems(Buffer.from(`[${item(1)},{"a":1,"b":2,"c":tru}]`));
    const turns = items[Symbol.iterator]();
    expect(turns.next().value?.value).toStrictEqual(JSON.parse(item(1)));
    expect(() => turns.next()).toThrow(InvalidError);
  });
});
