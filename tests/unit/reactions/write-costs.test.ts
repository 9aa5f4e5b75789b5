import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type WriteCost, WriteCosts } from '../../../lib/reactions/engine/write-costs.ts';
import { participant } from '../../../lib/reactions/match/participant.ts';
import type { PreparedBatch } from '../../../lib/statements/within.ts';
import { statement } from '../../support/statements.ts';

/** A statement with two entries of its own. */
const made = (target: string, voids = false) =>
  ({
    statements: [{ keys: { inheritable: ['a'], ownOnly: ['b'] }, target, voids }],
    contents: [],
  }) as unknown as PreparedBatch;

const grouping = Array.from({ length: 1000 }, (_, index) => ({ id: `https://example.org/${index}` }));
const stored = (parts: object) =>
  participant({ position: 1, text: JSON.stringify(statement({ id: randomUUID(), ...parts })) });

/** Has statements by id: each with its text, where it is read, its length, and its entries, where they are known without it. */
function storeOf(all: Record<string, { bytes: number; indexEntries?: number; text?: string }>) {
  const read: string[][] = [];
  const of = <T>(
    ids: readonly string[],
    map: (one: { bytes: number; indexEntries?: number; text?: string }) => T,
  ) => new Map(ids.flatMap((id) => (all[id] === undefined ? [] : [[id, map(all[id])] as const])));
  return {
    read,
    sizesOf: async (ids: readonly string[]) =>
      of(ids, ({ bytes, indexEntries }) => ({ bytes, indexEntries })),
    textsOf: async (ids: readonly string[]) => {
      read.push([...ids]);
      return of(ids, ({ text = '' }) => text);
    },
  };
}

async function costsOf(
  batches: readonly PreparedBatch[],
  match: ReadonlyMap<string, ReturnType<typeof stored>> = new Map(),
  store = storeOf({}),
) {
  const costs = new WriteCosts();
  for (const batch of batches) costs.note(batch, match);
  await costs.measure(store, async (count) => count());
  return batches.map((batch) => costs.costOf(batch));
}

/** What the transaction does for the target. */
const targetOf = (cost: WriteCost | undefined) => cost?.targets[0];

it('the entries of what is voided count apart from those of the statement that voids it', async () => {
  const target = stored({ context: { contextActivities: { grouping } } });
  const [cost] = await costsOf([made(target.id, true)], new Map([['a', target]]));
  expect(cost?.indexEntries).toBe(2);
  expect(cost?.targets).toMatchObject([{ id: target.id, bytes: Buffer.byteLength(target.text) }]);
  expect(targetOf(cost)?.voidedEntries).toBeGreaterThan(1000);
});

it('what is referred to counts with the entries that are inherited, for each statement', async () => {
  const target = stored({ context: { contextActivities: { grouping } } });
  const match = new Map([['a', target]]);
  const costs = await costsOf([made(target.id), made(target.id)], match);
  expect(costs.map(({ indexEntries }) => indexEntries)).toEqual([258, 258]);
});

it('what no match has and is only referred to is not read', async () => {
  const store = storeOf({ other: { bytes: 600 } });
  const [refers] = await costsOf([made('other')], new Map(), store);
  expect(refers).toMatchObject({ indexEntries: 52, targets: [{ id: 'other', bytes: 600 }] });
  expect(store.read).toEqual([]);
});

it('the entries of what no match has and is voided are counted, however long its text is', async () => {
  const { text } = stored({ result: { response: 'x'.repeat(6000) } });
  const store = storeOf({ other: { bytes: 6500, text } });
  const [voids] = await costsOf([made('other', true)], new Map(), store);
  expect(targetOf(voids)?.voidedEntries).toBeLessThan(10);
  expect(voids?.targets).toMatchObject([{ id: 'other', bytes: 6500 }]);
});

it.each([false, true])(
  'what is voided and refers to another statement counts with the entries that it has: where a match has it, %s',
  async (isMatched) => {
    const target = stored({ object: { objectType: 'StatementRef', id: randomUUID() } });
    const match = new Map(isMatched ? [['a', target]] : []);
    const store = storeOf({ [target.id]: { bytes: 600, indexEntries: 20 } });
    const costs = await costsOf([made(target.id), made(target.id, true)], match, store);
    expect(costs).toMatchObject([
      { indexEntries: 22, targets: [{ voidedEntries: 0 }] },
      { indexEntries: 2, targets: [{ voidedEntries: 20 }] },
    ]);
    expect(store.read).toEqual([]);
  },
);

it('what is voided is read as far as it has few bytes, the shortest first', async () => {
  const { text } = stored({});
  const all = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`s${index}`, { bytes: 600_000 - index * 10_000, text }]),
  );
  const store = storeOf({ ...all, longest: { bytes: 1_100_000, text } });
  const ids = [...Object.keys(all), 'longest'];
  const costs = await costsOf(
    ids.map((id) => made(id, true)),
    new Map(),
    store,
  );
  expect(store.read.flat()).toEqual(ids.slice(3, 20).reverse());
  const assumed = costs.map((cost) => targetOf(cost)?.voidedEntries === 15_000);
  expect(assumed).toEqual(ids.map((id) => !store.read.flat().includes(id)));
});

it('some short texts are read at once, so few that other reads do not wait', async () => {
  const { text } = stored({});
  const lengths = { one: 100_000, two: 100_001, three: 100_002, four: 300_000 };
  const all = Object.entries(lengths).map(([id, bytes]) => [id, { bytes, text }] as const);
  const store = storeOf(Object.fromEntries(all));
  await costsOf(
    Object.keys(lengths).map((id) => made(id, true)),
    new Map(),
    store,
  );
  expect(store.read).toEqual([['one', 'two'], ['three'], ['four']]);
});

it('a text of megabytes is read alone', async () => {
  const { text } = stored({});
  const store = storeOf({ long: { bytes: 4_000_000, text }, short: { bytes: 600, text } });
  const costs = await costsOf([made('long', true), made('short', true)], new Map(), store);
  expect(store.read).toEqual([['short'], ['long']]);
  for (const cost of costs) expect(targetOf(cost)?.voidedEntries).toBeLessThan(10);
});

it('what is missing is not read, because it may be of any length when it is stored', async () => {
  const store = storeOf({});
  const [voids] = await costsOf([made('missing', true)], new Map(), store);
  expect(store.read).toEqual([]);
  expect(voids?.targets).toEqual([{ id: 'missing', bytes: 0, voidedEntries: 0 }]);
});
