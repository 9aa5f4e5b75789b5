import { describe, expect, it } from 'vitest';
import { compileRuleset } from '../../../lib/reactions/match/compiled.ts';
import { heldBy } from '../../../lib/reactions/match/match.ts';
import { participant } from '../../../lib/reactions/match/participant.ts';
import { parseRuleset } from '../../../lib/reactions/ruleset/parse.ts';
import type { Statement } from '../../../lib/xapi/types.ts';
import { statement } from '../../support/statements.ts';

const extension = 'https://example.org/extension';
const given: Partial<Statement> = {
  timestamp: '2024-05-06T07:08:09Z',
  result: { score: { scaled: 0.5 }, success: false, response: 'x', extensions: { [extension]: 0 } },
  context: { registration: '6F1D2B5E-3C4A-4F0E-9A77-1D2C3B4A5F60' },
};

function finds(path: string[], parts: Partial<Statement>): boolean {
  const conditions = { quiz: { path, op: 'eq', ref: { condition: 'quiz', path } } };
  const check = parseRuleset({ identityPaths: [], conditions, template: {} }, '1.0.3');
  if ('problems' in check) throw new Error(JSON.stringify(check.problems));
  const trigger = participant({ position: 1, text: JSON.stringify(statement(parts)) });
  return heldBy(compileRuleset(check.ruleset), trigger) !== undefined;
}

describe('a comparison of a value with itself', () => {
  it.each([
    [['timestamp']],
    [['result', 'score', 'scaled']],
    [['result', 'success']],
    [['result', 'response']],
    [['result', 'extensions', extension]],
    [['context', 'registration']],
  ])('finds the statements that have a value at %j', (path) => {
    expect(finds(path, given)).toBe(true);
    expect(finds(path, { result: {} })).toBe(false);
  });
});
