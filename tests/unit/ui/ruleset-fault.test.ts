import { expect, it } from 'vitest';
import type { ShownError } from '../../../lib/reactions/service-types.ts';
import { isRulesetFault } from '../../../ui/src/screens/reactions/ruleset-fault.ts';

it.each<[ShownError['type'], ShownError['reason'], boolean]>([
  ['ReactionQueryError', 'unknown-condition', true],
  ['ReactionTemplateError', undefined, true],
  ['ReactionTemplateError', 'template-path', true],
  ['ReactionInvalidStatementError', undefined, true],
  ['ReactionQueryError', 'server', false],
  // A higher limit, or fewer statements, may help as well.
  ['ReactionLimitError', undefined, false],
  ['ReactionLimitError', 'evaluation', false],
])('an error %s with the reason %s is one that only another ruleset repairs: %s', (type, reason, isFault) => {
  const told = { message: '', remedy: '', triggerId: null, time: '2026-01-01T00:00:00.000000Z' };
  expect(isRulesetFault({ error: { type, ...(reason && { reason }), ...told } })).toBe(isFault);
});
