import { expect, it } from 'vitest';
import { sortedJson } from '../../../lib/transfer/sorted-json.ts';

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
