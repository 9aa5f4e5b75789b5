import { expect, it } from 'vitest';
import { isSameJson, sortedJson } from '../../../lib/transfer/sorted-json.ts';

it.each([
  ['{"b":1,"a":{"d":[{"f":true,"e":null}],"c":"x"}}', '{"a":{"c":"x","d":[{"e":null,"f":true}]},"b":1}'],
  ['{"é":1,"z":2,"\\u0000":"\\u0000"}', '{"\\u0000":"\\u0000","z":2,"é":1}'],
  ['{"z":1,"__proto__":{"b":1,"a":2}}', '{"__proto__":{"a":2,"b":1},"z":1}'],
  ['[{"b":1,"a":2},[]]', '[{"a":2,"b":1},[]]'],
  ['"x"', '"x"'],
])('%s becomes %s', (text, sorted) => {
  expect(sortedJson(JSON.parse(text))).toBe(sorted);
});

it('leaves out members without a value, as JSON does', () => {
  expect(sortedJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  expect(sortedJson(undefined)).toBe('');
});

const texts = [
  ...[
    '{"a":1,"b":{"c":[1,2]}}',
    '{"b":{"c":[1,2]},"a":1}',
    '{"a":1,"b":{"c":[2,1]}}',
    '{"a":1}',
    '{"a":1,"c":null}',
  ],
  ...[
    '{"a":1,"b":null}',
    '{"__proto__":{"a":1}}',
    '{"toString":{}}',
    '{"a":{}}',
    '{}',
    '{"a":[]}',
    '[]',
    '{"0":1}',
  ],
  ...['[1]', '[1,null]', '0', '-0', '"0"', 'null', 'false', '""'],
];

it('values are the same where their texts with sorted names are', () => {
  for (const one of texts) {
    for (const other of texts) {
      const [here, there] = [JSON.parse(one), JSON.parse(other)];
      expect(isSameJson(here, there), `${one} and ${other}`).toBe(sortedJson(here) === sortedJson(there));
    }
  }
});
