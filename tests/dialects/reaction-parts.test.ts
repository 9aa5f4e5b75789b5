import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WriteSession } from '../../lib/db/types.ts';
import { FeedTurnAborted } from '../../lib/feed/types.ts';
import type { Json } from '../../lib/json/types.ts';
import { insertFirings, type NewFiring } from '../../lib/reactions/store/firing-rows.ts';
import type { StoredReaction } from '../../lib/reactions/store/reaction-rows.ts';
import type { MatchLimits, Ruleset } from '../../lib/reactions/types.ts';
import { slicesOf } from '../../lib/slices.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { agent, batchOf, statement } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const at = (activity: string) =>
  statement({ id: randomUUID(), object: { objectType: 'Activity', id: iri(activity) } });
const isAt = (activity: string) => ({ path: ['object', 'id'], op: 'eq', val: iri(activity) }) as const;

const firingIn = (chainStart: number): NewFiring => ({
  ...{ statementId: randomUUID(), reactionId: randomUUID(), version: 1, triggerId: randomUUID() },
  ...{ triggerPosition: 1, chainStart, position: 2, matched: {} },
});

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

    const react = (
      name: string,
      parts: Record<string, Json> = {},
      conditions: Ruleset['conditions'] = { a: isAt('a'), b: isAt('b') },
    ): Promise<StoredReaction> =>
      bench.react(name, {
        identityPaths: [['actor', 'mbox']],
        conditions,
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

    it('is stored by several transactions where stored statements that have the ids are long', async () => {
      await open({ reactionMaxCandidateBytes: 6 * 4_000_000 });
      const taken = Array.from({ length: 6 }, () => randomUUID());
      const withIds = taken.map((registration) => ({ ...at('c'), context: { registration } }));
      await bench.service.store(batchOf([...withIds, ...taken.map((id) => ({ ...at('d'), id }))]));
      const id = { $templatePath: ['a', 'context', 'registration'] };
      const reaction = await react('one', { id }, { a: isAt('c'), b: isAt('b') });
      const stored = vi.spyOn(bench.service, 'storeWithin');
      const measured = vi
        .spyOn(bench.service, 'sizesOf')
        .mockImplementation(
          async (ids) => new Map(ids.map((each) => [each, { bytes: 4_000_000, indexEntries: undefined }])),
        );
      await bench.post(at('b'));
      expect(measured.mock.calls.map(([ids]) => ids.toSorted())).toEqual([taken.toSorted()]);
      expect(stored.mock.calls.map(([, batches]) => batches.length)).toEqual([2, 2, 2]);
      expect(await stateOf(reaction)).toMatchObject({ fired: 0, failed: taken.length });
    });

    it('is stored by several transactions, and evaluated once, where statements refer to those that an earlier transaction stores', async () => {
      await open();
      const ids = Array.from({ length: matches }, () => randomUUID());
      const pairs = ids.map((registration, index) => {
        // The latest matches come first.
        const before = { objectType: 'StatementRef', id: ids[index + 1] ?? randomUUID() } as const;
        return { ...at('c'), context: { registration, statement: before } };
      });
      for (const some of slicesOf(pairs, 100)) await bench.service.store(batchOf(some));
      const template = {
        id: { $templatePath: ['a', 'context', 'registration'] },
        object: { $templatePath: ['a', 'context', 'statement'] },
      };
      const reaction = await react('one', template, { a: isAt('c'), b: isAt('b') });
      const [stored, prepared] = [vi.spyOn(bench.service, 'storeWithin'), vi.spyOn(bench.service, 'prepare')];
      await bench.post(at('b'));
      expect(stored.mock.calls.map(([, batches]) => batches.length)).toEqual([500, 100]);
      expect(prepared).toHaveBeenCalledTimes(matches);
      expect(await stateOf(reaction)).toEqual({ fired: matches, failed: 0, error: undefined });
    });

    /** Stores a trigger; before one of the transactions the work ends, and others write. */
    async function interruptedBefore(failing: number, meanwhile: (session: WriteSession) => Promise<void>) {
      const store = bench.service.storeWithin.bind(bench.service);
      let calls = 0;
      vi.spyOn(bench.service, 'storeWithin').mockImplementation(async (session, batches) => {
        calls += 1;
        if (calls !== failing) return store(session, batches);
        throw new Error('The part is not committed.');
      });
      await bench.service.store(batchOf([at('b')]));
      await bench.feed.runUntil(Date.now() + 60_000);
      expect(calls).toBe(failing);
      await database.db.write(meanwhile);
      await bench.feed.resume('reactions');
      await bench.catchUp();
    }

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

    it('is made of one reaction as a whole or not at all where a chain is nearly full, and of smaller ones as long as they fit', async () => {
      await open({ reactionMaxMatches: 2000, reactionMaxChainStatements: 700 });
      const reactions = [await react('one'), await react('two'), await react('three')];
      const small = await react('small', { actor: { $templatePath: ['b', 'actor'] } }, { b: isAt('b') });
      await bench.post(at('b'));
      expect(await Promise.all([...reactions, small].map(stateOf))).toEqual([
        { fired: 600, failed: 0, error: undefined },
        { fired: 0, failed: 600, error: 'ReactionLimitError' },
        { fired: 0, failed: 600, error: 'ReactionLimitError' },
        { fired: 1, failed: 0, error: undefined },
      ]);
    });

    it('fails where another reaction has made statements of the same matches, with the same ids', async () => {
      await open();
      const registered = Array.from({ length: 600 }, () => ({
        ...at('c'),
        context: { registration: randomUUID() },
      }));
      for (const some of slicesOf(registered, 100)) await bench.service.store(batchOf(some));
      const id = { $templatePath: ['a', 'context', 'registration'] };
      const conditions = { a: isAt('c'), b: isAt('b') };
      const reactions = [await react('one', { id }, conditions), await react('two', { id }, conditions)];
      await bench.post(at('b'));
      expect(await Promise.all(reactions.map(stateOf))).toEqual([
        { fired: 600, failed: 0, error: undefined },
        { fired: 0, failed: 600, error: undefined },
      ]);
    });

    it('is completed once it is begun, even if others have filled the chain since', async () => {
      await open({ reactionMaxMatches: 2000, reactionMaxChainStatements: 700 });
      const reactions = [await react('one'), await react('two')];
      await interruptedBefore(2, async (session) => {
        const [{ start } = { start: 0 }] = await session.select<{ start: number }>(
          'SELECT MAX(chain_start) AS start FROM reaction_firing',
        );
        const others = Array.from({ length: 150 }, () => firingIn(start));
        await insertFirings(session, others);
      });
      expect(await Promise.all(reactions.map(stateOf))).toEqual([
        { fired: 600, failed: 0, error: undefined },
        { fired: 0, failed: 600, error: 'ReactionLimitError' },
      ]);
    });

    it('counts each statement once that conflicts with another one of the same id', async () => {
      await open();
      const one = await react('one', {
        id: randomUUID(),
        result: { response: { $templatePath: ['a', 'id'] } },
      });
      const stored = vi.spyOn(bench.service, 'storeWithin');
      await bench.post(at('b'));
      expect(await stateOf(one)).toEqual({ fired: 1, failed: matches - 1, error: undefined });
      expect(stored.mock.calls.map(([, batches]) => batches.length)).toEqual([500, 100]);
    });

    const voiding = (condition: string) => ({
      actor: { $templatePath: ['b', 'actor'] },
      verb: { id: 'http://adlnet.gov/expapi/verbs/voided' },
      object: { objectType: 'StatementRef', id: { $templatePath: [condition, 'id'] } },
    });

    it('is stored by several transactions where it voids statements that nothing else depends on', async () => {
      await open();
      const reaction = await react('voids', voiding('a'));
      const store = bench.service.storeWithin.bind(bench.service);
      const sizes: number[] = [];
      vi.spyOn(bench.service, 'storeWithin').mockImplementation(async (session, batches) => {
        sizes.push(batches.length);
        if (sizes.length === 2) throw new FeedTurnAborted('The second part is not committed.');
        return store(session, batches);
      });
      await bench.post(at('b'));
      expect(sizes).toEqual([500, 100, 100]);
      expect(await stateOf(reaction)).toEqual({ fired: matches, failed: 0, error: undefined });
    });

    it('is stored by one transaction where it voids statements that others depend on', async () => {
      await open();
      const reactions = [await react('makes'), await react('voids', voiding('a'))];
      const stored = vi.spyOn(bench.service, 'storeWithin');
      await bench.post(at('b'));
      expect(stored.mock.calls.map(([, batches]) => batches.length)).toEqual([500, 700]);
      for (const reaction of reactions)
        expect(await stateOf(reaction)).toEqual({ fired: matches, failed: 0, error: undefined });
    });

    it.each([
      [1, 'nothing of it is stored', 0],
      [2, 'some of it is stored', 500],
      [3, 'a part of what voids is stored', 1000],
    ])(
      'is neither missing nor made twice where it voids what it matches and the work ends before transaction %i, when %s',
      async (failing, _, before) => {
        await open({ reactionMaxMatches: 2000, reactionMaxChainStatements: 2 * matches });
        const makes = await react('makes', {}, { b: isAt('b'), a: isAt('a') });
        const voids = await react('voids', voiding('c'), { b: isAt('b'), c: isAt('c') });
        for (let stored = 0; stored < matches; stored += 100)
          await bench.service.store(batchOf(Array.from({ length: 100 }, () => at('c'))));
        await interruptedBefore(failing, async (session) => {
          const [{ made } = { made: 0 }] = await session.select<{ made: number }>(
            'SELECT COUNT(*) AS made FROM reaction_firing',
          );
          expect(Number(made)).toBe(before);
          const [{ start } = { start: null }] = await session.select<{ start: number | null }>(
            'SELECT MAX(chain_start) AS start FROM reaction_firing',
          );
          // Others take all the room that is left, where a reaction of this trigger is begun.
          if (before > matches && start !== null)
            await insertFirings(
              session,
              Array.from({ length: 2 * matches - before }, () => firingIn(start)),
            );
        });
        expect(await Promise.all([makes, voids].map(stateOf))).toEqual([
          { fired: matches, failed: 0, error: undefined },
          { fired: matches, failed: 0, error: undefined },
        ]);
        const targets = (await bench.made(voids)).map(({ object }) => Reflect.get(object, 'id'));
        expect(new Set(targets).size).toBe(matches);
      },
    );

    it('is stored of later triggers, too, where the first fits into its chain once the transaction is repeated', async () => {
      await open({ reactionMaxChainStatements: 3 });
      const by = (name: string, activity: string) => ({ ...at(activity), actor: agent(name) });
      const used = [...Array.from({ length: 4 }, () => by('ann', 'c')), by('ben', 'c')];
      const [first = ''] = await bench.service.store(batchOf(used));
      const actor = { $templatePath: ['b', 'actor'] };
      const reaction = await react('one', { actor }, { b: isAt('b'), c: isAt('c') });
      const handle = bench.engine.handler.handle.bind(bench.engine.handler);
      vi.spyOn(bench.engine.handler, 'handle').mockImplementationOnce(async (...turn) => {
        const effect = await handle(...turn);
        expect([...(effect.parts ?? [])]).toEqual([]);
        const rolledBack = database.db.write(async (session) => {
          await effect.write?.(session);
          throw new Error('It is not committed.');
        });
        await expect(rolledBack).rejects.toThrow('It is not committed.');
        const object = { objectType: 'StatementRef', id: first } as const;
        const verb = { id: 'http://adlnet.gov/expapi/verbs/voided' };
        await bench.service.store(batchOf([statement({ id: randomUUID(), verb, object })]));
        return effect;
      });
      await bench.post(by('ann', 'b'), by('ben', 'b'));
      expect(await stateOf(reaction)).toEqual({ fired: 4, failed: 0, error: undefined });
    });

    it('leaves room in the chain for what is begun and stored later, because it voids others', async () => {
      await open({ reactionMaxMatches: 2000, reactionMaxChainStatements: 1000 });
      for (const [activity, count] of [
        ['c', 500],
        ['d', 300],
        ['e', 300],
      ] as const)
        await bench.service.store(batchOf(Array.from({ length: count }, () => at(activity))));
      const actor = { $templatePath: ['b', 'actor'] };
      const reactions = [
        await react('fills', { actor }, { b: isAt('b'), c: isAt('c') }),
        await react('voids', voiding('d'), { b: isAt('b'), d: isAt('d') }),
        await react('makes', { actor }, { b: isAt('b'), e: isAt('e') }),
      ];
      await bench.post(at('b'));
      expect(await Promise.all(reactions.map(stateOf))).toEqual([
        { fired: 500, failed: 0, error: undefined },
        { fired: 300, failed: 0, error: undefined },
        { fired: 0, failed: 300, error: 'ReactionLimitError' },
      ]);
    });

    it('is refused where it voids more than one transaction may store, of statements that others depend on', async () => {
      await open({ reactionMaxMatches: 700, reactionMaxChainStatements: 5000 });
      const names = ['one', 'two', 'three', 'four'];
      const reactions = [];
      for (const name of names) reactions.push(await react(name, voiding('a')));
      const stored = vi.spyOn(bench.service, 'storeWithin');
      await bench.post(at('b'));
      const states = await Promise.all(reactions.map(stateOf));
      expect(states.filter(({ error }) => error === 'ReactionLimitError')).toHaveLength(1);
      expect(states.filter(({ fired }) => fired === matches)).toHaveLength(3);
      const sizes = stored.mock.calls.map(([, batches]) => batches.length);
      expect(Math.max(...sizes)).toBe(3 * matches);
    });

    it.each([
      ['first', 'voids', 'makes'],
      ['last', 'makes', 'voids'],
    ])('is whole where a reaction voids the trigger that is tried %s', async (_, ...names) => {
      await open();
      const trigger = at('b');
      const reactionTo = (name: string) =>
        name === 'makes' ? react(name) : react(name, voiding('b'), { b: isAt('b') });
      const reactions = new Map<string, StoredReaction>();
      for (const name of names) reactions.set(name, await reactionTo(name));
      await bench.post(trigger);
      const states = await Promise.all(
        ['makes', 'voids'].map((name) => reactions.get(name)).map((one) => one && stateOf(one)),
      );
      expect(states).toEqual([
        { fired: matches, failed: 0, error: undefined },
        { fired: 1, failed: 0, error: undefined },
      ]);
    });
  },
);
