import { expect, it } from 'vitest';
import { constraintsOf } from '../../../lib/reactions/match/constraints.ts';
import { longestIdentifier, lookupOf } from '../../../lib/reactions/match/lookup.ts';
import type { ConditionNode, ReactionPath } from '../../../lib/reactions/types.ts';
import { keyedTerm } from '../../../lib/statements/search-keys.ts';

const long = `https://example.org/${'a'.repeat(longestIdentifier)}`;
const short = 'https://example.org/a';

const equals = (path: ReactionPath, value: string): ConditionNode => ({
  kind: 'clause',
  place: '$',
  path,
  op: 'eq',
  operand: { kind: 'value', value },
});

const lookup = (node: ConditionNode) =>
  lookupOf(constraintsOf(node), [], (operand) => (operand.kind === 'value' ? operand : 'open'));

const indexed: ReactionPath[] = [
  ['verb', 'id'],
  ['object', 'id'],
  ['context', 'registration'],
  ['context', 'contextActivities', 'parent', 0, 'id'],
  ['object', 'object', 'id'],
  ['actor', 'mbox'],
  ['actor', 'openid'],
  ['actor', 'account', 'name'],
];

it.each(indexed)('no statement is looked up by an identifier of thousands of characters at %s', (...path) => {
  expect(lookup(equals(path, long))).toEqual({ by: 'none' });
});

it('values that are no identifiers may be of any length', () => {
  expect(lookup(equals(['result', 'response'], long))).toEqual({ by: 'all' });
});

it('of several alternatives, those with too long an identifier find nothing, and the others what they find alone', () => {
  const either = (...values: string[]): ConditionNode => ({
    kind: 'or',
    items: values.map((value) => equals(['object', 'id'], value)),
  });
  expect(lookup(either(long, short))).toEqual({ by: 'filters', filters: [[keyedTerm('activity', short)]] });
  expect(lookup(either(long, long))).toEqual({ by: 'none' });
});
