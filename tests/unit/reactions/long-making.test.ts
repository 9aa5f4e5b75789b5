import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { BusyTime } from '../../../lib/busy-time.ts';
import { createLogger } from '../../../lib/logger.ts';
import { ReactionEffect } from '../../../lib/reactions/engine/effect.ts';
import { compileRuleset } from '../../../lib/reactions/match/compiled.ts';
import { ReactionMemory } from '../../../lib/reactions/memory.ts';
import { previewOf } from '../../../lib/reactions/preview/preview.ts';
import { parseRuleset } from '../../../lib/reactions/ruleset/parse.ts';
import { matchLimits } from '../../support/reaction-bench.ts';
import { statement } from '../../support/statements.ts';

const check = parseRuleset(
  {
    identityPaths: [],
    conditions: {
      a: { path: ['verb', 'id'], op: 'eq', val: 'https://example.org/last' },
      b: { path: ['verb', 'id'], op: 'eq', val: 'https://example.org/other' },
    },
    template: {},
  },
  '1.0.3',
);
if ('problems' in check) throw new Error(JSON.stringify(check.problems));
const { ruleset } = check;

afterEach(() => {
  vi.restoreAllMocks();
});

it('a preview ends in the middle of what one trigger makes when its time is over', async () => {
  const texts = (verb: string, count: number) =>
    Array.from({ length: count }, () => JSON.stringify(statement({ id: randomUUID(), verb: { id: verb } })));
  const [last = ''] = texts('https://example.org/last', 1);
  const others = texts('https://example.org/other', 200).map((text, index) => ({
    position: index + 1,
    text,
  }));
  let now = 0;
  const statements = { query: async () => ({ statements: [{ position: 1000, text: last }] }) };
  const source = {
    read: async () => {
      vi.spyOn(performance, 'now').mockImplementation(() => {
        now += 10;
        return now;
      });
      return { statements: others, tooLarge: false };
    },
  };
  const previewOver = (reactionPreviewMilliseconds: number) => {
    now = 0;
    vi.spyOn(performance, 'now').mockReturnValue(0);
    return previewOf(
      ruleset,
      { statements: 10 },
      {
        statements: statements as never,
        source,
        limits: { ...matchLimits, reactionPreviewMilliseconds, reactionPreviewBytes: 10_000_000 },
        memory: new ReactionMemory(matchLimits.reactionMaxMemory).open().share(true),
        xapiVersion: '1.0.3',
        generated: async () => new Set(),
        storing: new BusyTime(),
      },
    );
  };
  const whole = await previewOver(1e9);
  expect(whole).toMatchObject({ complete: true, failures: [{ matches: 200 }] });
  const needed = now;
  const cut = await previewOver(needed - 1000);
  expect(cut).toMatchObject({ examined: 1, triggers: 1, complete: false, stoppedBy: 'time' });
  expect(cut.failures[0]?.matches).toBeGreaterThan(0);
  expect(cut.failures[0]?.matches).toBeLessThan(200);
});

it('what is written of a reaction that fails concerns the statements that its error may quote', () => {
  const reaction = { id: 'failing', version: 1, since: 0, compiled: compileRuleset(ruleset) };
  const failed = {
    reaction,
    trigger: { id: 'trigger', position: 1 },
    chainStart: 1,
    made: [],
    failures: [
      {
        ids: ['trigger', 'matched'],
        count: 1,
        error: { type: 'ReactionTemplateError', message: 'It quotes a statement.' } as const,
      },
    ],
  };
  const effect = new ReactionEffect([failed, failed], {
    statements: {} as never,
    logger: createLogger('OFF'),
    limits: matchLimits,
    counted: { through: 0, made: new Map() },
    stops: true,
  });
  expect(effect.isEmpty).toBe(false);
  expect(() => effect.concernedIds).toThrow('not written yet');
  expect([...effect.parts()]).toEqual([]);
  expect(effect.concernedIds).toEqual(['trigger', 'matched']);
});
