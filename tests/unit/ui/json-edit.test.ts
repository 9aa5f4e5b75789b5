import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  jsonText,
  parsed,
  valueAt,
  withName,
  withoutValue,
  withValue,
} from '../../../ui/src/xapi/json-edit.ts';

describe('JSON that is edited', () => {
  const value = { a: [{ b: 1 }, 2], c: 'x' };

  it('gets another value at a path, and leaves what it was made of as it is', () => {
    expect(withValue(value, ['a', 0, 'b'], 3)).toEqual({ a: [{ b: 3 }, 2], c: 'x' });
    expect(withValue(value, [], 3)).toBe(3);
    expect(value.a[0]).toEqual({ b: 1 });
  });

  it('gets the objects that are missing on the way', () => {
    expect(withValue({}, ['x', 'y'], 1)).toEqual({ x: { y: 1 } });
    expect(withValue({ x: 'text' }, ['x', 'y'], 1)).toEqual({ x: { y: 1 } });
  });

  it('loses members and items', () => {
    expect(withoutValue(value, ['a', 0])).toEqual({ a: [2], c: 'x' });
    expect(withoutValue(value, ['c'])).toEqual({ a: [{ b: 1 }, 2] });
  });

  it('keeps the place of a member that gets another name', () => {
    expect(Object.keys(withName(value, ['a'], 'z') as object)).toEqual(['z', 'c']);
  });

  it('finds nothing where there is nothing, inherited members included', () => {
    expect(valueAt(value, ['a', 5, 'b'])).toBeUndefined();
    expect(valueAt(value, ['constructor'])).toBeUndefined();
    expect(valueAt(value, ['a', 'length'])).toBeUndefined();
  });

  it('is the same when it is written and read, and no line of it is long without need', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(jsonText(JSON.parse(text)))).toEqual(JSON.parse(text));
      }),
    );
    expect(jsonText({ path: ['verb', 'id'], op: 'eq' })).toBe('{ "path": ["verb", "id"], "op": "eq" }');
  });

  it('is told from a text that is none, with the place of the mistake', () => {
    expect(parsed('{"a":1}')).toEqual({ value: { a: 1 } });
    expect(parsed('{\n  "a": 1,\n}')).toEqual({ mistake: { offset: 12, line: 3, column: 1 } });
    expect(parsed('')).toEqual({ mistake: { offset: 0, line: 1, column: 1 } });
  });

  it('names the first member that stands twice in an object, however it is written', () => {
    const twice = { name: 'a', length: 8 };
    expect(parsed('{"b": [{"a": 1,\n  "\\u0061": 2}], "b": 3}')).toEqual({
      mistake: { offset: 18, line: 2, column: 3, twice },
    });
    expect(parsed('[{"a": 1}, {"a": {"a": 2}}]')).toEqual({ value: [{ a: 1 }, { a: { a: 2 } }] });
  });
});
