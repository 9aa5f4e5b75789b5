import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { batchOf, statement } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const at = (activity: string, more: object = {}) =>
  statement({ id: randomUUID(), object: { objectType: 'Activity', id: iri(activity) }, ...more });
const isAt = (activity: string) => ({ path: ['object', 'id'], op: 'eq', val: iri(activity) }) as const;
const grouping = Array.from({ length: 2000 }, (_, index) => ({ id: iri(`group-${index}`) }));

/** How many statements that void others each transaction stores. */
function voidingsOf({ mock }: MockInstance<ReactionBench['service']['storeWithin']>): number[] {
  return mock.calls.map(
    ([, batches]) => batches.filter(({ statements }) => statements.some((each) => each.voids)).length,
  );
}

describe.each(engines)('statements with many entries in the search index, on $name', (engine) => {
  let database: TestDatabase;
  let bench: ReactionBench;

  beforeEach(async () => {
    database = await engine.create();
    bench = new ReactionBench(database.db, {});
    await bench.ready();
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await bench.service.stop();
    await database.remove();
  });

  async function storeLarge(count: number): Promise<void> {
    for (let stored = 0; stored < count; stored += 1)
      await bench.service.store(batchOf([at('a', { context: { contextActivities: { grouping } } })]));
  }

  const react = (name: string, template: object, identityPaths = [['actor', 'mbox']]) =>
    bench.react(name, {
      identityPaths,
      conditions: { a: isAt('a'), b: isAt('b') },
      template: { actor: { $templatePath: ['b', 'actor'] }, ...template } as never,
    });

  const object = { objectType: 'StatementRef', id: { $templatePath: ['a', 'id'] } };
  const voided = { verb: { id: 'http://adlnet.gov/expapi/verbs/voided' }, object };

  /** How many statements each transaction has stored that a trigger causes. */
  async function sizesOfTransactions(): Promise<number[]> {
    const stored = vi.spyOn(bench.service, 'storeWithin');
    await bench.post(at('b'));
    return stored.mock.calls.map(([, batches]) => batches.length);
  }

  it('are removed by several transactions where a reaction voids them', async () => {
    await storeLarge(16);
    const { id } = await react('one', voided);
    expect(await sizesOfTransactions()).toEqual([7, 7, 2]);
    expect(await bench.store.find(id)).toMatchObject({ fired: 16, failed: 0, error: null });
  });

  it('are referred to by one transaction, because few of their entries are inherited', async () => {
    await storeLarge(16);
    const { id } = await react('one', { verb: { id: iri('saw') }, object });
    expect(await sizesOfTransactions()).toEqual([16]);
    expect(await bench.store.find(id)).toMatchObject({ fired: 16, failed: 0, error: null });
  });

  it('are removed by one transaction for a few triggers, where other matches depend on them', async () => {
    const registrations = Array.from({ length: 20 }, () => randomUUID());
    for (const registration of registrations)
      await bench.service.store(
        batchOf([at('a', { context: { registration, contextActivities: { grouping } } })]),
      );
    const identityPaths = [['context', 'registration']];
    const voids = await react('voids', voided, identityPaths);
    const makes = await react(
      'makes',
      { verb: { id: iri('made') }, object: { id: iri('made') } },
      identityPaths,
    );
    const stored = vi.spyOn(bench.service, 'storeWithin');
    await bench.post(...registrations.map((registration) => at('b', { context: { registration } })));
    expect(Math.max(...voidingsOf(stored))).toBeLessThan(10);
    for (const { id } of [voids, makes])
      expect(await bench.store.find(id)).toMatchObject({ fired: 20, failed: 0, error: null });
  });

  it('are removed by several transactions where only statements that an earlier trigger makes depend on them', async () => {
    const registrations = Array.from({ length: 8 }, () => randomUUID());
    for (const registration of registrations)
      for (const activity of ['p', 'q'])
        await bench.service.store(
          batchOf([at(activity, { context: { registration, contextActivities: { grouping } } })]),
        );
    const path = ['context', 'registration'];
    const isOfSame = { path, op: 'eq', ref: { condition: 'p', path } } as const;
    const makes = await bench.react('makes', {
      identityPaths: [['actor', 'mbox']],
      conditions: { t: isAt('t1'), p: isAt('p'), q: { and: [isAt('q'), isOfSame] } },
      template: {
        actor: { $templatePath: ['t', 'actor'] },
        verb: { id: iri('made') },
        object: { id: iri('made') },
      },
    });
    const voids = await bench.react('voids', {
      identityPaths: [['actor', 'mbox']],
      conditions: { t: isAt('t2'), a: { or: [isAt('p'), isAt('q')] } },
      template: { actor: { $templatePath: ['t', 'actor'] }, ...voided },
    });
    const stored = vi.spyOn(bench.service, 'storeWithin');
    await bench.post(at('t1'), at('t2'));
    expect(voidingsOf(stored)).toEqual([0, 7, 7, 2]);
    expect(await bench.store.find(makes.id)).toMatchObject({ fired: 8, failed: 0, error: null });
    expect(await bench.store.find(voids.id)).toMatchObject({ fired: 16, failed: 0, error: null });
  });

  it('are voided by two reactions to the same trigger as by one', async () => {
    const [large, small] = [15_000 - 10, 2000].map((count) =>
      Array.from({ length: count }, (_, index) => ({ id: iri(`group-${index}`) })),
    );
    const voiding = { actor: { $templatePath: ['b', 'actor'] }, verb: voided.verb };
    const target = { objectType: 'StatementRef', id: { $templatePath: ['b', 'id'] } };
    const reactions = [];
    for (const name of ['one', 'two'])
      reactions.push(
        await bench.react(name, {
          identityPaths: [['actor', 'mbox']],
          conditions: { b: isAt('b') },
          template: { ...voiding, object: target } as never,
        }),
      );
    for (const grouping of [large, small])
      await bench.post(at('b', { context: { contextActivities: { grouping } } }));
    for (const { id } of reactions)
      expect(await bench.store.find(id)).toMatchObject({ fired: 2, failed: 0, error: null });
  });

  /** Has a statement stored for each of the ids, of those that a match refers to. */
  async function storeReferring(ids: readonly string[]): Promise<void> {
    for (const id of ids)
      await bench.service.store(
        batchOf([at('a', { context: { statement: { objectType: 'StatementRef', id } } })]),
      );
  }

  const referredTo = {
    objectType: 'StatementRef',
    id: { $templatePath: ['a', 'context', 'statement', 'id'] },
  };

  it.each([
    ['at once', 1, 16],
    ['one by one, again and again', 16, 1],
  ])(
    'are removed by several transactions where they are stored when it is known what is to be voided: %s',
    async (_, rounds, together) => {
      const ids = Array.from({ length: 16 }, () => randomUUID());
      await storeReferring(ids);
      const { id } = await react('one', { ...voided, object: referredTo });
      const sizes = bench.service.sizesOf.bind(bench.service);
      const missing = [...ids];
      const measured = vi.spyOn(bench.service, 'sizesOf').mockImplementation(async (all) => {
        const found = await sizes(all);
        for (const arriving of missing.splice(0, together))
          await bench.service.store(
            batchOf([{ ...at('other', { context: { contextActivities: { grouping } } }), id: arriving }]),
          );
        return found;
      });
      expect(await sizesOfTransactions()).toEqual([7, 7, 2]);
      expect(measured).toHaveBeenCalledTimes(rounds + 1);
      expect(await bench.store.find(id)).toMatchObject({ fired: 16, failed: 0, error: null });
      expect(await bench.feed.list()).toMatchObject([{ state: 'running', attempts: 0, error: null }]);
    },
  );

  it('are removed by several transactions where an earlier one of the same trigger has stored them', async () => {
    const ids = Array.from({ length: 16 }, () => randomUUID());
    await bench.service.store(batchOf([at('p', { context: { contextActivities: { grouping } } })]));
    await storeReferring(ids);
    const makes = await bench.react('makes', {
      identityPaths: [['actor', 'mbox']],
      conditions: { a: isAt('a'), b: isAt('b'), p: isAt('p') },
      template: {
        id: referredTo.id,
        actor: { $templatePath: ['b', 'actor'] },
        verb: { id: iri('made') },
        object: { id: iri('made') },
        context: { contextActivities: { $templatePath: ['p', 'context', 'contextActivities'] } },
      } as never,
    });
    const voids = await react('voids', { ...voided, object: referredTo });
    const stored = vi.spyOn(bench.service, 'storeWithin');
    await bench.post(at('b'));
    expect(Math.max(...voidingsOf(stored))).toBe(7);
    for (const reaction of [makes, voids])
      expect(await bench.store.find(reaction.id)).toMatchObject({ fired: 16, failed: 0, error: null });
  });

  it('and such of megabytes, which no match has, are read by a transaction only as far as they are few', async () => {
    const targets = Array.from({ length: 12 }, () => randomUUID());
    for (const id of targets)
      await bench.service.store(
        batchOf([{ ...at('other'), id, result: { response: 'x'.repeat(1_500_000) } }]),
      );
    for (const id of [...targets, ...targets])
      await bench.service.store(
        batchOf([at('a', { context: { statement: { objectType: 'StatementRef', id } } })]),
      );
    const target = { objectType: 'StatementRef', id: { $templatePath: ['a', 'context', 'statement', 'id'] } };
    const { id } = await react('one', { verb: { id: iri('saw') }, object: target });
    const stored = vi.spyOn(bench.service, 'storeWithin');
    await bench.post(at('b'));
    const read = stored.mock.calls.map(
      ([, batches]) =>
        new Set(batches.flatMap(({ statements }) => statements.map((each) => each.target))).size,
    );
    expect(Math.max(...read)).toBe(5);
    expect(await bench.store.find(id)).toMatchObject({ fired: 24, failed: 0, error: null });
  });

  it.each([
    ['have long texts', 40, () => ({ result: { response: 'x'.repeat(5000) } })],
    ['refer to a statement', 120, (id: string) => ({ object: { objectType: 'StatementRef', id } })],
  ])(
    'do not include statements that %s and have few, which no match of those that void them has',
    async (_, count, parts) => {
      const [target = ''] = await bench.service.store(batchOf([at('target')]));
      const verb = { id: iri('p') };
      const used = Array.from({ length: count }, () => ({ ...at('p'), verb, ...parts(target) }) as never);
      const ids = await bench.service.store(batchOf(used));
      for (const id of ids)
        await bench.service.store(
          batchOf([at('a', { context: { statement: { objectType: 'StatementRef', id } } })]),
        );
      const id = { $templatePath: ['a', 'context', 'statement', 'id'] };
      const voids = await react('voids', { ...voided, object: { objectType: 'StatementRef', id } });
      const makes = await bench.react('makes', {
        identityPaths: [['actor', 'mbox']],
        conditions: { p: { path: ['verb', 'id'], op: 'eq', val: iri('p') }, b: isAt('b') },
        template: {
          actor: { $templatePath: ['b', 'actor'] },
          verb: { id: iri('made') },
          object: { id: iri('made') },
        },
      });
      await bench.post(at('b'));
      for (const reaction of [voids, makes])
        expect(await bench.store.find(reaction.id)).toMatchObject({ fired: count, failed: 0, error: null });
    },
  );

  it('stop a reaction that voids more of them than one transaction may change, where other matches depend on them', async () => {
    await storeLarge(21);
    const voids = await react('voids', voided);
    const makes = await react('makes', { verb: { id: iri('made') }, object: { id: iri('made') } });
    await sizesOfTransactions();
    expect(await bench.store.find(voids.id)).toMatchObject({
      fired: 0,
      error: { type: 'ReactionLimitError', message: expect.stringContaining('30000 entries') },
    });
    expect(await bench.store.find(makes.id)).toMatchObject({ fired: 21, failed: 0, error: null });
  });
});
