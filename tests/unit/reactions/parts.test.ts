import { describe, expect, it } from 'vitest';
import type { Reaction } from '../../../lib/reactions/engine/active-reactions.ts';
import { LastPart, mostInLast, partsOf } from '../../../lib/reactions/engine/parts.ts';
import type { Made, Reacted } from '../../../lib/reactions/engine/react.ts';
import type { WriteCost } from '../../../lib/reactions/engine/write-costs.ts';

type Size = Pick<Made, 'bytes'> & WriteCost;

const small: Size = { bytes: 500, indexEntries: 10, targets: [] };

/** What a reaction makes of a trigger: a statement for each size, which voids one that it matches. */
function voidingOf(name: string, sizes: readonly Size[]): Reacted {
  const made = sizes.map((size, index) => {
    const target = `${name} ${index}`;
    return {
      ...size,
      id: `voids ${target}`,
      heap: 0,
      match: new Map([['a', { id: target }]]),
      batch: { statements: [{ target, voids: true }], contents: [] } as unknown as Made['batch'],
    };
  });
  const reaction = { id: name } as Reaction;
  return { reaction, trigger: { id: 't', position: 1 }, chainStart: 1, made, failures: [] };
}

/** Another reaction makes a statement of each of the same matches, so that what voids them is stored last. */
function reportOn(all: readonly Reacted[], size = small): Reacted {
  const made = all.flatMap((each) =>
    each.made.map((one) => ({
      ...one,
      ...size,
      id: `of ${one.id}`,
      batch: { statements: [], contents: [] },
    })),
  );
  return { ...voidingOf('report', []), made };
}

describe('of statements that are stored last', () => {
  it.each<[keyof typeof mostInLast, readonly Size[]]>([
    ['statements', Array(mostInLast.statements).fill({ ...small, indexEntries: 1 })],
    ['bytes', Array(2).fill({ ...small, bytes: mostInLast.bytes / 2 })],
    ['indexEntries', Array(2).fill({ ...small, indexEntries: mostInLast.indexEntries / 2 })],
    ['targetBytes', [{ ...small, targets: [{ id: 'long', bytes: mostInLast.targetBytes + 1 }] }]],
  ])('the reaction makes most that makes most of what exceeds the limit of %s', (_, sizes) => {
    const all = [voidingOf('innocent', Array(500).fill(small)), voidingOf('guilty', sizes)];
    const last = new LastPart();
    last.add([...all, reportOn(all)]);
    expect(last.isSmall).toBe(false);
    expect(last.mostOf?.id).toBe('guilty');
  });
});

it.each([
  ['beside others where they have room', 1000, 1],
  ['alone where they have no room beside others', 1300, 2],
])('statements that are stored last are stored %s', (_, indexEntries, transactions) => {
  const voiding = voidingOf('voids', Array(12).fill({ ...small, indexEntries }));
  const report = reportOn([voiding], { ...small, indexEntries: 1249 });
  const parts = partsOf([report, voiding]);
  expect(parts).toHaveLength(transactions);
  const last = parts.at(-1)?.flatMap(({ made }) => made.map(({ id }) => id));
  expect(last).toEqual(expect.arrayContaining(voiding.made.map(({ id }) => id)));
  expect(parts.flat().flatMap(({ made }) => made)).toHaveLength(24);
});
