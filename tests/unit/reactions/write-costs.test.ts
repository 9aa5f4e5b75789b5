import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { WriteCosts } from '../../../lib/reactions/engine/write-costs.ts';
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

async function costsOf(
  batches: readonly PreparedBatch[],
  match: ReadonlyMap<string, ReturnType<typeof stored>>,
  { bytes = 0, isReference = false } = {},
) {
  const costs = new WriteCosts();
  for (const batch of batches) costs.note(batch, match);
  await costs.measure({ sizesOf: async (ids) => new Map(ids.map((id) => [id, { bytes, isReference }])) });
  return batches.map((batch) => costs.costOf(batch));
}

it('what is voided counts with all its entries once', async () => {
  const target = stored({ context: { contextActivities: { grouping } } });
  const match = new Map([['a', target]]);
  const [first, second] = await costsOf([made(target.id, true), made(target.id, true)], match);
  expect(first?.indexEntries).toBeGreaterThan(1000);
  expect(second?.indexEntries).toBe(2);
  for (const cost of [first, second])
    expect(cost?.targets).toMatchObject([{ id: target.id, bytes: Buffer.byteLength(target.text) }]);
});

it('what is referred to counts with the entries that are inherited, for each statement', async () => {
  const target = stored({ context: { contextActivities: { grouping } } });
  const match = new Map([['a', target]]);
  const costs = await costsOf([made(target.id), made(target.id)], match);
  expect(costs.map(({ indexEntries }) => indexEntries)).toEqual([258, 258]);
});

it('what no match has is measured', async () => {
  const [voids] = await costsOf([made('other', true)], new Map(), { bytes: 6000 });
  expect(voids).toMatchObject({ indexEntries: 1002, targets: [{ id: 'other', bytes: 6000 }] });
  const [refers] = await costsOf([made('other')], new Map(), { bytes: 600 });
  expect(refers).toMatchObject({ indexEntries: 102, targets: [{ id: 'other', bytes: 600 }] });
});

it('what is voided, refers to another statement and is in no match counts with what it may have inherited', async () => {
  const size = { bytes: 600, isReference: true };
  const [voids] = await costsOf([made('other', true)], new Map(), size);
  expect(voids).toMatchObject({ indexEntries: 2 + 100 + 256 });
});
