import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reactionsConsumer, slowReactionConsumer } from '../../lib/reactions/consumer.ts';
import type { StoredReaction } from '../../lib/reactions/store/reaction-rows.ts';
import type { Ruleset } from '../../lib/reactions/types.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { agent, batchOf, statement } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const isOf = (verb: string) => ({ path: ['verb', 'id'], op: 'eq', val: iri(verb) }) as const;
const template = {
  actor: { $templatePath: ['one', 'actor'] },
  verb: { id: iri('made') },
  object: { id: iri('result') },
};
/** Each trigger is compared with all statements of its learner, slowly, and matches none but itself. */
const slowRuleset: Ruleset = {
  identityPaths: [['actor', 'mbox']],
  conditions: {
    one: isOf('tried'),
    other: {
      and: [
        isOf('tried'),
        {
          or: [
            { path: ['id'], op: 'eq', ref: { condition: 'one', path: ['id'] } },
            {
              and: [
                { path: ['result', 'response'], op: 'like', val: `%${'a'.repeat(200)}b%` },
                { path: ['object', 'id'], op: 'noteq', ref: { condition: 'one', path: ['object', 'id'] } },
              ],
            },
          ],
        },
      ],
    },
  },
  template,
};
const quickRuleset: Ruleset = { identityPaths: [], conditions: { one: isOf('tried') }, template };
const tried = (learner: string, parts: Partial<Statement> = {}): Statement =>
  statement({ id: randomUUID(), actor: agent(learner), verb: { id: iri('tried') }, ...parts });
/** Takes much longer than `reactionSharedMilliseconds` where it is compared with others of its kind. */
const long = { result: { response: 'a'.repeat(20_000) } };
const triggers = 6;
const waits = { timeout: 240_000, interval: 50 };

describe.each(engines)('a reaction that takes long for each trigger, on $name', (engine) => {
  let database: TestDatabase;
  let bench: ReactionBench;
  /** Lets the consumer go on that `holdSlow` holds. */
  let release = () => {};

  beforeEach(async () => {
    database = await engine.create();
    const limits = { reactionSharedMilliseconds: 1, reactionMaxCandidateBytes: 4 * 8_388_608 };
    bench = new ReactionBench(database.db, { limits });
    await bench.ready();
  });

  afterEach(async () => {
    release();
    vi.restoreAllMocks();
    await bench.feed.stop();
    await bench.service.stop();
    await database.remove();
  });

  const consumers = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await bench.feed.list()).map(({ name, lag }) => [name, lag.statements]));

  const store = (...statements: Statement[]): Promise<string[]> => bench.service.store(batchOf(statements));
  const positionOf = async (id: string): Promise<number> => {
    const [row] = await database.db.read((session) =>
      session.select<{ position: number }>('SELECT position FROM statement WHERE id = :id', { id }),
    );
    return row?.position ?? 0;
  };
  /** A trigger that is compared with nothing else. */
  const quickly = () => tried(randomUUID(), { result: { response: 'ab' } });

  /** Has a reaction that is slow for the statements of ann, and one that is not, react to some of her statements. */
  async function beginSlowly() {
    await store(...Array.from({ length: 20 }, () => tried('ann', long)));
    const slow = await bench.react('slow', slowRuleset);
    const quick = await bench.react('quick', quickRuleset);
    const ids = (await store(...Array.from({ length: triggers }, () => tried('ann', long)))).sort();
    holdSlow(slow);
    bench.feed.start();
    return { slow, quick, ids };
  }

  /** Has the consumer of a slow reaction fail, so that nothing that takes long is done before a test has seen the others go on. */
  function holdSlow({ id }: StoredReaction): void {
    const { slowHandler } = bench.engine;
    const { handle } = slowHandler;
    let isHeld = true;
    release = () => {
      isHeld = false;
    };
    vi.spyOn(slowHandler, 'handle').mockImplementation(async (items, turn) => {
      if (isHeld && turn.consumer === slowReactionConsumer(id)) throw new Error('It is held.');
      return handle(items, turn);
    });
  }

  const isAlone = async ({ id }: StoredReaction): Promise<boolean> =>
    Object.keys(await consumers()).includes(slowReactionConsumer(id));

  /** Until nothing is left for the reaction, which may be served with the others again by then. */
  const untilCaughtUp = ({ id }: StoredReaction): Promise<void> =>
    vi.waitFor(async () => {
      const lags = await consumers();
      expect(lags[slowReactionConsumer(id)] ?? 0).toBe(0);
      expect(lags[reactionsConsumer]).toBe(0);
    }, waits);

  it('gets a consumer of its own, so that the others go on, and nothing of it is missed', async () => {
    const { slow, quick, ids } = await beginSlowly();
    await vi.waitFor(async () => expect(await bench.firings(quick)).toHaveLength(triggers), waits);
    expect((await consumers())[slowReactionConsumer(slow.id)]).toBeGreaterThan(0);
    // The other one is slow, too, where the garbage collector works meanwhile.
    expect(await bench.store.slow()).toContain(slow.id);
    expect((await bench.firings(slow)).length).toBeLessThan(triggers);
    release();
    await untilCaughtUp(slow);
    for (const reaction of [slow, quick]) {
      expect((await bench.firings(reaction)).map(({ triggerId }) => triggerId).sort()).toEqual(ids);
      expect(await bench.store.find(reaction.id)).toMatchObject({ active: true, error: null, failed: 0 });
    }
  });

  it('is served with the others again once it has caught up and is not slow any more', async () => {
    const { slow } = await beginSlowly();
    await vi.waitFor(async () => expect(await isAlone(slow)).toBe(true), waits);
    release();
    await untilCaughtUp(slow);
    const ids: string[] = [];
    await vi.waitFor(async () => {
      ids.push(...(await store(quickly())));
      await untilCaughtUp(slow);
      expect(await isAlone(slow)).toBe(false);
    }, waits);
    ids.push(...(await store(quickly(), quickly())));
    await untilCaughtUp(slow);
    const made = (await bench.firings(slow)).map(({ triggerId }) => triggerId);
    expect(made.filter((id) => ids.includes(id ?? '')).sort()).toEqual(ids.sort());
  });

  it('is served with the others again also where no further statement is stored', async () => {
    const { slow, ids } = await beginSlowly();
    await vi.waitFor(async () => expect(await isAlone(slow)).toBe(true), waits);
    release();
    await vi.waitFor(async () => expect(await bench.firings(slow)).toHaveLength(triggers), waits);
    await vi.waitFor(async () => expect(await isAlone(slow)).toBe(false), waits);
    const [id = ''] = await store(quickly());
    await vi.waitFor(async () => expect(await bench.firings(slow)).toHaveLength(triggers + 1), waits);
    const made = (await bench.firings(slow)).map(({ triggerId }) => triggerId);
    expect(made.sort()).toEqual([...ids, id].sort());
  });

  it('has missed what its own consumer had not reached when it was paused, and not what the others have reached', async () => {
    const { slow, quick, ids } = await beginSlowly();
    await vi.waitFor(async () => expect(await bench.firings(quick)).toHaveLength(triggers), waits);
    await bench.store.update(slow.id, { active: false });
    expect(await isAlone(slow)).toBe(false);
    await bench.store.update(slow.id, { active: true });
    const { missed } = (await bench.store.find(slow.id)) ?? {};
    const fired = new Set((await bench.firings(slow)).map(({ triggerId }) => triggerId));
    const last = await positionOf(ids.find((id) => !fired.has(id)) ?? '');
    expect(missed?.from).toBeLessThan(last);
  });
});
