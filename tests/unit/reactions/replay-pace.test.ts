import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { BusyTime } from '../../../lib/busy-time.ts';
import { giveWay } from '../../../lib/in-turns.ts';
import { createLogger } from '../../../lib/logger.ts';
import { createReactionEngine } from '../../../lib/reactions/engine/engine.ts';
import { ReactionMemory } from '../../../lib/reactions/memory.ts';
import type { StoredReaction } from '../../../lib/reactions/store/reaction-rows.ts';
import { matchLimits } from '../../support/reaction-bench.ts';
import { shareBeside } from '../../support/share-of-time.ts';
import { statement } from '../../support/statements.ts';

it('a replay leaves nine tenths of the time to other long work', async () => {
  const engine = createReactionEngine({
    db: { read: async () => [] } as never,
    statements: {} as never,
    storing: new BusyTime(),
    logger: createLogger('OFF'),
    limits: matchLimits,
    memory: new ReactionMemory(matchLimits.reactionMaxMemory),
    xapiVersion: '1.0.3',
  });
  // To look for a pattern in so long a text takes several milliseconds.
  const or = Array.from({ length: 10 }, (_, index) => {
    return { path: ['result', 'response'], op: 'like', val: `%ab${index}%` };
  });
  const ruleset = JSON.stringify({ identityPaths: [], conditions: { a: { or } }, template: {} });
  const reaction = { id: 'one', version: 1, since: 0, ruleset } as StoredReaction;
  const items = Array.from({ length: 20 }, (_, index) => {
    const id = randomUUID();
    const text = JSON.stringify(statement({ id, result: { response: 'a'.repeat(60_000) } }));
    return { kind: 'statement', position: index + 1, id, text, voided: false } as const;
  });
  const signal = new AbortController().signal;
  const replay = engine.replay(reaction, items, { consumer: 'one', signal, deadline: Date.now() + 600_000 });
  expect(await shareBeside(replay, giveWay)).toBeGreaterThan(0.5);
  expect((await replay).through).toBeGreaterThan(0);
});
