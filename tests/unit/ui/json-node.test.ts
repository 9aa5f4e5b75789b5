import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indented, jsonNodeOf, memberOf } from '../../../ui/src/xapi/json-node.ts';

describe('JSON as it is written', () => {
  it('keeps digits, escapes, the order of members and members that repeat', () => {
    const text = '{"2":1.50,"1":-0,"a\\u0041":"\\u00e4\\"{","1":12345678901234567890,"e":[],"o":{}}';
    const node = jsonNodeOf(text);
    expect(indented(node).replace(/\n\s*/g, '').replaceAll(': ', ':')).toBe(text);
    expect(memberOf(node, 'aA')).toEqual({ kind: 'value', source: '"\\u00e4\\"{"' });
  });

  it('stays the same JSON over several lines, whatever it is', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        expect(JSON.parse(indented(jsonNodeOf(text)))).toEqual(value);
        expect(indented(jsonNodeOf(text))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('holds a long text with many escapes', () => {
    const text = JSON.stringify({ page: '\n'.repeat(4_500_000) });
    expect(memberOf(jsonNodeOf(text), 'page')).toEqual({ kind: 'value', source: text.slice(8, -1) });
  });

  it('refuses what is no JSON', () => {
    expect(() => jsonNodeOf('{"a":}')).toThrow(SyntaxError);
  });
});
