import { afterEach, expect, it, vi } from 'vitest';
import { MatchBudget } from '../../../lib/reactions/match/budget.ts';
import { type CompiledRuleset, compileRuleset } from '../../../lib/reactions/match/compiled.ts';
import { matchesOf } from '../../../lib/reactions/match/match.ts';
import { participant } from '../../../lib/reactions/match/participant.ts';
import type { MemoryShare } from '../../../lib/reactions/memory.ts';
import { parseRuleset } from '../../../lib/reactions/ruleset/parse.ts';
import { matchLimits } from '../../support/reaction-bench.ts';
import { statement } from '../../support/statements.ts';

const isStored = { path: ['verb', 'id'], op: 'noteq', val: 'https://example.org/never' };
const candidates = 20;
/** Milliseconds, as the mocked clock has them, to look once at what a condition demands. */
const planning = 0.9;

let now = 1_000_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A ruleset of three conditions for which nothing takes time but to plan the searches. */
function slowlyPlanned(): CompiledRuleset {
  const conditions = { a: isStored, b: isStored, c: isStored };
  const check = parseRuleset({ identityPaths: [], conditions, template: {} }, '1.0.3');
  if ('problems' in check) throw new Error(JSON.stringify(check.problems));
  const compiled = compileRuleset(check.ruleset);
  const slow = compiled.conditions.map((condition) => ({
    ...condition,
    get constraints() {
      now += planning;
      return condition.constraints;
    },
  }));
  return { ...compiled, conditions: slow };
}

function search(reactionMaxMilliseconds: number): Promise<unknown[]> {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const at = (position: number) => ({ position, text: JSON.stringify(statement()) });
  const limits = { ...matchLimits, reactionMaxMatches: candidates ** 3, reactionMaxMilliseconds };
  const memory = { take: () => undefined } as unknown as MemoryShare;
  const budget = new MatchBudget(limits, { memory, requireTime: () => {}, spendTime: () => {} });
  const found = Array.from({ length: candidates }, (_, index) => at(index + 1));
  const source = { read: async () => ({ statements: found, tooLarge: false }) };
  const trigger = participant(at(candidates + 1));
  return matchesOf(slowlyPlanned(), trigger, { source, budget, pauses: { pause: () => undefined } });
}

it('the time to plan searches counts for what a reaction may take for one trigger', async () => {
  await expect(search(10)).rejects.toThrow('lrs.reactionMaxMilliseconds');
});

it('a search whose planning is within the time finds its matches', async () => {
  expect((await search(10_000)).length).toBeGreaterThan(candidates ** 2);
});
