import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { batchOf, statement } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const at = (activity: string, more: object = {}) =>
  statement({ id: randomUUID(), object: { objectType: 'Activity', id: iri(activity) }, ...more });
const isAt = (activity: string) => ({ path: ['object', 'id'], op: 'eq', val: iri(activity) }) as const;
const grouping = Array.from({ length: 2000 }, (_, index) => ({ id: iri(`group-${index}`) }));

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

  const react = (name: string, template: object) =>
    bench.react(name, {
      identityPaths: [['actor', 'mbox']],
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

  it.each([
    ['voids them', voided],
    ['refers to them', { verb: { id: iri('saw') }, object }],
  ])('are changed by several transactions where a reaction %s', async (_, template) => {
    await storeLarge(16);
    const { id } = await react('one', template);
    expect(await sizesOfTransactions()).toEqual([7, 7, 2]);
    expect(await bench.store.find(id)).toMatchObject({ fired: 16, failed: 0, error: null });
  });

  it('stop a reaction that voids more of them than one transaction may change, where other matches depend on them', async () => {
    await storeLarge(21);
    const voids = await react('voids', voided);
    const makes = await react('makes', { verb: { id: iri('made') }, object: { id: iri('made') } });
    await sizesOfTransactions();
    expect(await bench.store.find(voids.id)).toMatchObject({
      fired: 0,
      error: { type: 'ReactionLimitError', message: expect.stringContaining('40000 entries') },
    });
    expect(await bench.store.find(makes.id)).toMatchObject({ fired: 21, failed: 0, error: null });
  });
});
