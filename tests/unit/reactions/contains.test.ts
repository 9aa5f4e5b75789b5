import { describe, expect, it } from 'vitest';
import type { Json } from '../../../lib/json/types.ts';
import { comparisonOf } from '../../../lib/reactions/match/compare.ts';
import type { Operand, ReactionPath, Scalar } from '../../../lib/reactions/types.ts';

const extension: ReactionPath = ['result', 'extensions', 'https://example.org/extension'];

const id = '6f1d2b5e-3c4a-4f0e-9a77-1d2c3b4a5f60';
const values: readonly Json[] = [
  ...[null, true, false, 'true', 'false', 'True', '', 'a', 'A', 'İ', 'i̇', 'long '.repeat(100)],
  ...[0, -0, 5, 0.1, 1e21, 1e-7, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY],
  ...['0', '-0', '5', '5.0', '05', ' 5', '0.1', '1e21', '1e+21', '1e-7', 'Infinity', 'infinity', 'NaN'],
  ...[id, id.toUpperCase(), '2020-01-01T00:00:00Z', '2020-01-01T01:00:00+01:00', '2020-01-01', 'undefined'],
  ...[{}, { a: 1 }, [], [5]],
];
const referred: readonly ReactionPath[] = [
  extension,
  ['id'],
  ['timestamp'],
  ['result', 'response'],
  ['result', 'success'],
  ['result', 'score', 'raw'],
];

function clause(op: 'eq' | 'contains', operand: Operand) {
  return comparisonOf({ kind: 'clause', path: extension, op, operand, place: '' });
}

describe('`contains`', () => {
  it('finds in a list what `eq` finds equal to a member, whichever types both have', () => {
    const operands = (sought: Json): Operand[] => [
      { kind: 'value', value: sought as Scalar },
      ...referred.map((path): Operand => ({ kind: 'reference', condition: 'b', path })),
    ];
    for (const sought of values) {
      for (const operand of operands(sought)) {
        const [contains, equals] = [clause('contains', operand), clause('eq', operand)];
        for (const member of values) {
          const told = JSON.stringify({ member, sought, operand });
          expect(contains([member], sought), told).toBe(equals(member, sought) === true);
          expect(contains([{}, member], sought), told).toBe(equals(member, sought) === true);
        }
        expect(contains([], sought)).toBe(false);
      }
    }
  });

  it('finds what comes last in a long list', () => {
    const list = [...Array<Json>(10_000).fill(0), 5];
    const contains = clause('contains', { kind: 'value', value: 5 });
    expect([contains(list, 5), contains(list.slice(0, -1), 5)]).toEqual([true, false]);
  });

  it('is unknown where there is no list, or nothing is sought', () => {
    const contains = clause('contains', { kind: 'value', value: 'a' });
    expect([contains('a', 'a'), contains(undefined, 'a'), contains(['a'], undefined)]).toEqual(
      Array(3).fill(undefined),
    );
  });
});
