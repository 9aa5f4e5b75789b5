import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ReactionMemory } from '../../../lib/reactions/memory.ts';
import { previewOf } from '../../../lib/reactions/preview/preview.ts';
import { parseRuleset } from '../../../lib/reactions/ruleset/parse.ts';
import { matchLimits } from '../../support/reaction-bench.ts';
import { shareBeside } from '../../support/share-of-time.ts';
import { statement } from '../../support/statements.ts';

it('a preview leaves most of the time to clients that wait for their statements to be stored', async () => {
  // To look for a pattern in so long a text takes several milliseconds.
  const or = Array.from({ length: 10 }, (_, index) => {
    return { path: ['result', 'response'], op: 'like', val: `%ab${index}%` };
  });
  const check = parseRuleset({ identityPaths: [], conditions: { a: { or } }, template: {} }, '1.0.3');
  if ('problems' in check) throw new Error(JSON.stringify(check.problems));
  const statements = Array.from({ length: 5 }, (_, index) => {
    const text = JSON.stringify(statement({ id: randomUUID(), result: { response: 'a'.repeat(60_000) } }));
    return { position: index + 1, text };
  });
  const preview = previewOf(
    check.ruleset,
    { statements: statements.length },
    {
      statements: { query: async () => ({ statements }) } as never,
      source: { read: async () => ({ statements: [], tooLarge: false }) },
      limits: { ...matchLimits, reactionPreviewMilliseconds: 600_000, reactionPreviewBytes: 100_000_000 },
      memory: new ReactionMemory(matchLimits.reactionMaxMemory).open().share(true),
      xapiVersion: '1.0.3',
      generated: async () => new Set(),
      storing: { isUnderWay: true },
    },
  );
  expect(await shareBeside(preview, () => setImmediate())).toBeGreaterThan(0.5);
  expect(await preview).toMatchObject({ examined: statements.length, complete: true });
});
