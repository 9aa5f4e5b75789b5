import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { ItemsText } from '../../../lib/json/items.ts';
import { parseJson, printJson } from '../../../lib/json/json.ts';
import { unlimited } from '../../../lib/json/limits.ts';
import { parseItems } from '../../support/json-items.ts';

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
        const [items, whole] = [outcome(() => itemsOf(damaged)), outcome(() => wholeOf(damaged))];
        // Of two faults either may be named.
        const twoFaults = /\\u0000/.test(damaged) && typeof whole === 'string';
        if (twoFaults) expect(items).toBeTypeOf('string');
        else expect(items).toStrictEqual(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('are the same however the text is cut for scanning', () => {
    const text = Buffer.from(` [${item(1)},"\\"é]",-1.0e2, {"context":{"a":[]},"b":1,"c":2},[[]] ]`);
    const expected = itemsOf(text);
    for (let length = 1; length < 20; length += 1) {
      const scanned = new ItemsText(text, unlimited);
      while (!scanned.scan(length));
      const items = Array.from(scanned.parsed().items, ({ value, source }) => ({
        value,
        printed: printJson(source),
      }));
      expect({ isArray: true, items }).toStrictEqual(expected);
    }
  });

  it('are parsed when their turn comes', () => {
    const { items } = parseItems(Buffer.from(`[${item(1)},{"a":1,"b":2,"c":tru}]`));
    const turns = items[Symbol.iterator]();
    expect(turns.next().value?.value).toStrictEqual(JSON.parse(item(1)));
    expect(() => turns.next()).toThrow(InvalidError);
  });
});

describe('A JSON text with statements that exceeds a limit is refused before it is parsed', () => {
  const limits = { stmtMaxCount: 3, stmtMaxBytes: 200, stmtMaxValues: 12, stmtMaxEntries: 5 };
  // What follows is not JSON: whoever parsed it would say so.
  const refusal = (text: string) => () => parseItems(Buffer.from(`${text}!`), limits);

  it.each([
    [
      'stmtMaxCount',
      '[{},{},{},{}]',
      'The request holds more than 3 statements at line 1, column 10; lrs.stmtMaxCount (LRS_STMT_MAX_COUNT) permits no more.',
      'statements[3]',
    ],
    [
      'stmtMaxBytes',
      `[{},"${'x'.repeat(200)}"]`,
      'statements[1] is longer than 200 bytes at line 1, column 5; lrs.stmtMaxBytes (LRS_STMT_MAX_BYTES) permits no more.',
      'statements[1]',
    ],
    [
      'stmtMaxValues',
      '{"a":[1,2,3,4],"b":[1,2,3,4],\n"c":[1,2,3,4]}',
      'statement holds more than 12 JSON values at line 2, column 7; lrs.stmtMaxValues (LRS_STMT_MAX_VALUES) permits no more.',
      'statement',
    ],
    [
      'stmtMaxEntries',
      '[{},{"a":[1,2,3,4,5,6]}]',
      'statements[1] has a list or an object with more than 5 entries at line 1, column 20; lrs.stmtMaxEntries (LRS_STMT_MAX_ENTRIES) permits no more.',
      'statements[1]',
    ],
    [
      'stmtMaxEntries, by members of an object',
      '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}',
      'statement has a list or an object with more than 5 entries at line 1, column 31; lrs.stmtMaxEntries (LRS_STMT_MAX_ENTRIES) permits no more.',
      'statement',
    ],
  ])('%s', (_, text, message, path) => {
    expect(refusal(text)).toThrow(
      expect.objectContaining({ kind: 'too-large', message, details: [expect.objectContaining({ path })] }),
    );
  });

  it('and one that reaches each of them is not', () => {
    const one = '{"a":[1,2,3,4],"b":[1,2,3,4],"c":[]}';
    const long = `"${'x'.repeat(198)}"`;
    expect([...parseItems(Buffer.from(`[${one},${long},[1,2,3,4,5]]`), limits).items]).toHaveLength(3);
    expect([...parseItems(Buffer.from(one), limits).items]).toHaveLength(1);
    expect([...parseItems(Buffer.from('["[,{,[,{,[,{,[,{,[,{,",{},{}]'), limits).items]).toHaveLength(3);
  });
});
