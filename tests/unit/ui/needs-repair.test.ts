import { expect, it } from 'vitest';
import type { ShownError } from '../../../lib/reactions/service-types.ts';
import { isBeyondLimit, needsRepair } from '../../../ui/src/screens/reactions/needs-repair.ts';

it.each<[ShownError['type'], ShownError['reason'], boolean, boolean]>([
  ['ReactionQueryError', 'unknown-condition', true, false],
  ['ReactionTemplateError', undefined, true, false],
  ['ReactionTemplateError', 'template-path', true, false],
  ['ReactionInvalidStatementError', undefined, true, false],
  ['ReactionQueryError', 'server', false, false],
  ['ReactionLimitError', undefined, true, true],
  ['ReactionLimitError', 'evaluation', true, true],
  ['ReactionLimitError', 'chain', true, true],
])('a reaction with an error %s with the reason %s needs repair: %s; a higher limit helps: %s', (...row) => {
  const [type, reason, isFaulty, isLimit] = row;
  const told = { message: '', remedy: '', triggerId: null, time: '2026-01-01T00:00:00.000000Z' };
  const error = { type, ...(reason && { reason }), ...told };
  expect(needsRepair({ error })).toBe(isFaulty);
  expect(isBeyondLimit({ error })).toBe(isLimit);
});

it('a reaction that somebody has paused needs no repair', () => {
  expect(needsRepair({ error: null })).toBe(false);
});
