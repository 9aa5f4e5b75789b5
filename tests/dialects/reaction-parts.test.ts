import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FeedTurnAborted } from '../../lib/feed/types.ts';
import type { Json } from '../../lib/json/types.ts';
import type { StoredReaction } from '../../lib/reactions/store/reaction-rows.ts';
import type { MatchLimits } from '../../lib/reactions/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { batchOf, statement } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const at = (activity: string) =>
  statement({ id: randomUUID(), object: { objectType: 'Activity', id: iri(activity) } });
const isAt = (activity: string) => ({ path: ['object', 'id'], op: 'eq', val: iri(activity) }) as const;

/** How many statements a trigger finds, so that each reaction makes as many. */
const matches = 600;

describe.each(engines)(
  'what one trigger makes, when it is too much for one transaction, on $name',
  (engine) => {
    let database: TestDatabase;
    let bench: ReactionBench;

    beforeEach(async () => {
      database = await engine.create();
    });

    afterEach(async () => {
      vi.restoreAllMocks();
      await bench.service.stop();
      await database.remove();
    });

    async function open(limits: Partial<MatchLimits> = {}): Promise<void> {
      bench = new ReactionBench(database.db, { limits });
      await bench.ready();
      for (let stored = 0; stored < matches; stored += 100) {
        await bench.service.store(batchOf(Array.from({ length: 100 }, () => at('a'))));
      }
    }

    const react = (name: string, parts: Record<string, Json> = {}): Promise<StoredReaction> =>
      bench.react(name, {
        identityPaths: [['actor', 'mbox']],
        conditions: { a: isAt('a'), b: isAt('b') },
        template: {
          actor: { $templatePath: ['a', 'actor'] },
          verb: { id: iri('made') },
          object: { id: iri(name) },
          ...parts,
        },
      });

    const stateOf = async ({ id }: StoredReaction) => {
      const state = await bench.store.find(id);
      return { fired: state?.fired, failed: state?.failed, error: state?.error?.type };
    };

    it('is stored by several transactions, of at most 500 statements each', async () => {
      await open();
      const reactions = [await react('one'), await react('two')];
      const stored = vi.spyOn(bench.service, 'storeWithin');
      await bench.post(at('b'));
      expect(stored.mock.calls.map(([, batches]) => batches.length)).toEqual([500, 500, 200]);
      for (const reaction of reactions) {
        expect(await stateOf(reaction)).toEqual({ fired: matches, failed: 0, error: undefined });
        expect(await bench.firings(reaction)).toHaveLength(matches);
      }
    });

    it('is made once when the work ends between two of the transactions and is taken up again', async () => {
      await open();
      const reactions = [await react('one'), await react('two')];
      const store = bench.service.storeWithin.bind(bench.service);
      const sizes: number[] = [];
      vi.spyOn(bench.service, 'storeWithin').mockImplementation(async (session, batches) => {
        sizes.push(batches.length);
        const outcomes = await store(session, batches);
        if (sizes.length === 2) throw new FeedTurnAborted('The second part is not committed.');
        return outcomes;
      });
      await bench.post(at('b'));
      expect(sizes).toEqual([500, 500, 500, 200]);
      for (const reaction of reactions) {
        expect(await stateOf(reaction)).toEqual({ fired: matches, failed: 0, error: undefined });
        expect(await bench.firings(reaction)).toHaveLength(matches);
      }
    });

    it('fills a chain in the order of the reactions, and counts what exceeds it once', async () => {
      await open({ reactionMaxMatches: 2000, reactionMaxChainStatements: 700 });
      const reactions = [await react('one'), await react('two'), await react('three')];
      await bench.post(at('b'));
      expect(await Promise.all(reactions.map(stateOf))).toEqual([
        { fired: 600, failed: 0, error: undefined },
        { fired: 100, failed: 500, error: 'ReactionLimitError' },
        { fired: 0, failed: 600, error: 'ReactionLimitError' },
      ]);
    });

    it('counts each statement once that conflicts with another one of the same id', async () => {
      await open();
      const one = await react('one', {
        id: randomUUID(),
        result: { response: { $templatePath: ['a', 'id'] } },
      });
      await bench.post(at('b'));
      expect(await stateOf(one)).toEqual({ fired: 1, failed: matches - 1, error: undefined });
    });
  },
);
