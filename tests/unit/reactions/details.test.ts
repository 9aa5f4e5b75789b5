import { describe, expect, it } from 'vitest';
import type { ConsumerStatus } from '../../../lib/feed/types.ts';
import { createReactionService, type ReactionServiceOptions } from '../../../lib/reactions/service.ts';
import { ruleset } from '../../support/reactions.ts';

const id = '6f1d2b5e-3c4a-4f0e-9a77-1d2c3b4a5f60';
const otherId = '7a0c1d2e-3c4a-4f0e-9a77-1d2c3b4a5f60';
const stored = {
  ...{ id, title: 'one', ruleset: JSON.stringify(ruleset()), active: true, deleted: false, deletedAt: null },
  ...{ created: 1, modified: 1, error: null, version: 1, since: 0, stopped: null, missed: null },
  ...{ fired: 0, failed: 0, lastFired: null, lastFailure: null },
};
const consumer = (name: string, statements: number, parts: Partial<ConsumerStatus> = {}): ConsumerStatus => ({
  ...{ name, kind: 'reactions', state: 'running', cursor: 1, lag: { statements, seconds: statements } },
  ...{ error: null, attempts: 0, nextAttempt: null },
  ...parts,
});

function serviceWith(consumers: readonly ConsumerStatus[], parts: object = {}) {
  const options = {
    store: {
      list: async () => [stored, { ...stored, id: otherId }],
      slow: async () => new Set([otherId]),
      find: async () => ({ ...stored, ...parts }),
      firings: async () => [],
      stored: async () => new Set(),
    },
    feed: { list: async () => consumers },
    replays: { latest: async () => undefined },
    version: '1.0.3',
    limits: { reactionRulesetMaxBytes: 65_536, reactionMaxConditions: 10, reactionMaxClauses: 200 },
  };
  return createReactionService(options as unknown as ReactionServiceOptions);
}

/** What is shown of the reaction, while there are these consumers. */
function detailsWith(consumers: readonly ConsumerStatus[], parts: object = {}) {
  return serviceWith(consumers, parts).find(id, { limit: 1 });
}

describe('the details of a reaction', () => {
  it('have the lag of the consumer that serves all', async () => {
    const details = await detailsWith([consumer('reactions', 3), consumer(`replay ${id}`, 9)]);
    expect(details).toMatchObject({ lag: { statements: 3 } });
    expect(details).toMatchObject({ slow: false });
    expect(details).not.toHaveProperty('delayed');
  });

  it('tell that it is slow, with the lag of its own consumer', async () => {
    const details = await detailsWith([consumer('reactions', 0), consumer(`slow-reaction ${id}`, 7)]);
    expect(details).toMatchObject({ slow: true, lag: { statements: 7 } });
  });

  it('tell why its consumer has failed, and when it is tried again', async () => {
    const failure = { error: 'Others need the memory.', attempts: 1, nextAttempt: '2026-01-01T00:00:00Z' };
    const details = await detailsWith([consumer('reactions', 1, failure)]);
    const { error, nextAttempt } = failure;
    expect(details.delayed).toEqual({ error, nextAttempt });
    expect(await detailsWith([consumer('reactions', 1, failure)], { active: false })).not.toHaveProperty(
      'delayed',
    );
  });
});

describe('the list of reactions', () => {
  it('tells which of them are slow', async () => {
    const list = (await serviceWith([]).list()).map((text) => JSON.parse(text));
    expect(list).toMatchObject([
      { id, slow: false },
      { id: otherId, slow: true },
    ]);
  });
});
