import { describe, expect, it } from 'vitest';
import type { Reaction } from '../../../lib/reactions/engine/active-reactions.ts';
import {
  LastPart,
  missingIds,
  mostInLast,
  mostTogether,
  type Part,
  Parts,
} from '../../../lib/reactions/engine/parts.ts';
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

/** What each transaction stores. @param isStored whether a statement is, as the transaction turns out. */
function partsOf(all: readonly Reacted[], isStored: (made: Made) => boolean = () => true): Made[][] {
  const parts = new Parts(all);
  const written: Made[][] = [];
  let part: Part;
  do {
    part = parts.next();
    const made = part.pieces.flatMap((piece) => piece.made);
    parts.note(part, new Set(made.filter(isStored).map(({ id }) => id)));
    written.push(made);
  } while (!part.isLast);
  return written;
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
    [
      'targetBytes',
      ['long', 'longer'].map((id) => {
        return { ...small, targets: [{ id, bytes: mostInLast.targetBytes / 2 + 1, voidedEntries: 0 }] };
      }),
    ],
  ])('the reaction makes most that makes most of what exceeds the limit of %s', (_, sizes) => {
    const all = [voidingOf('innocent', Array(500).fill(small)), voidingOf('guilty', sizes)];
    const last = new LastPart();
    last.add([...all, reportOn(all)]);
    expect(last.isSmall).toBe(false);
    expect(last.mostOf?.id).toBe('guilty');
  });

  it('a single one may be voided, however large it is', () => {
    const { targetBytes: bytes, indexEntries: voidedEntries } = mostInLast;
    const large = { id: 'large', bytes: 2 * bytes, voidedEntries: 2 * voidedEntries };
    const missing = { id: 'missing', bytes: 0, voidedEntries: 0 };
    const last = new LastPart();
    const add = (id: string, targets: Size['targets']) => {
      const voiding = voidingOf(id, [{ ...small, targets }]);
      last.add([voiding, reportOn([voiding])]);
    };
    add('one', [large, missing]);
    add('two', [large]);
    expect(last.isSmall).toBe(true);
    add('three', [{ ...large, id: 'larger' }]);
    expect(last.isSmall).toBe(false);
  });

  it('those that void one statement remove its entries once, however many reactions make them', () => {
    const targets = [{ id: 'voided', bytes: 500, voidedEntries: 15_000 }];
    const all = Array.from({ length: 10 }, (_, index) =>
      voidingOf(`voids ${index}`, [{ ...small, targets }]),
    );
    const last = new LastPart();
    last.add([...all, reportOn(all)]);
    expect(last.isSmall).toBe(true);
    expect(partsOf([...all, reportOn(all)])).toHaveLength(1);
  });

  it('those that void one statement need no transactions of their own: nothing of it is left after the first', () => {
    const targets = [{ id: 'outside', bytes: 500, voidedEntries: 14_990 }];
    const many = voidingOf('voids', Array(1000).fill({ ...small, indexEntries: 10, targets }));
    expect(partsOf([many]).map(({ length }) => length)).toEqual([1, 500, 499]);
  });

  it('those that void one statement count its entries until one of them is stored', () => {
    const targets = [{ id: 'outside', bytes: 500, voidedEntries: 14_990 }];
    const many = voidingOf('voids', Array(3).fill({ ...small, indexEntries: 10, targets }));
    const isStored = ({ id }: Made) => id !== many.made[0]?.id;
    expect(partsOf([many], isStored).map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  it('those that have the id of one that is stored void nothing', () => {
    const size = (id: string) => ({
      ...small,
      indexEntries: 0,
      targets: [{ id, bytes: 500, voidedEntries: 5000 }],
    });
    const sizes = ['one', 'two', 'three'].map(size);
    const { made, ...whole } = voidingOf('gives one id', sizes);
    const same = { ...whole, made: made.map((each) => ({ ...each, id: 'given' })) };
    const others = voidingOf('others', [size('four'), ...sizes, size('five')]);
    expect(partsOf([same, others]).map(({ length }) => length)).toEqual([3, 4, 1]);
  });

  it.each([
    ['short', 100, true],
    ['long', mostInLast.targetBytes + 1, false],
  ])('a single one may be voided by statements whose ids are taken by %s ones: %#', (_, bytes, isSmall) => {
    const { targetBytes, indexEntries: voidedEntries } = mostInLast;
    const large = { id: 'large', bytes: 2 * targetBytes, voidedEntries: 2 * voidedEntries };
    const voiding = voidingOf('voids', [{ ...small, targets: [large] }]);
    const [one] = voiding.made;
    const taken = { id: one?.id ?? '', bytes, voidedEntries: 0 };
    const all = [{ ...voiding, made: voiding.made.map((made) => ({ ...made, targets: [large, taken] })) }];
    const last = new LastPart();
    last.add([...all, reportOn(all)]);
    expect(last.isSmall).toBe(isSmall);
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
  const last = parts.at(-1)?.map(({ id }) => id);
  expect(last).toEqual(expect.arrayContaining(voiding.made.map(({ id }) => id)));
  expect(parts.flat()).toHaveLength(24);
});

describe('statements that refer to others of the same trigger', () => {
  const missing = (id: string) => ({ id, bytes: 0, voidedEntries: 0 });

  /** What a reaction makes of a trigger: each refers to the one before, the first to one of nobody. */
  function chainOf(sizes: readonly (Size & { readonly voids?: boolean })[]): Reacted {
    const made = sizes.map(({ voids = false, ...size }, index) => ({
      ...size,
      id: `s${index}`,
      heap: 0,
      match: new Map(),
      batch: { statements: [{ target: `s${index - 1}`, voids }], contents: [] } as unknown as Made['batch'],
      targets: [...size.targets, missing(`s${index - 1}`)],
    }));
    return { ...voidingOf('chain', []), made };
  }

  const lengthsOf = (parts: readonly (readonly Made[])[]) => parts.map(({ length }) => length);

  it.each([false, true])(
    'do not expect one to be missing that an earlier transaction stores (voids: %s)',
    (voids) => {
      const parts = partsOf([chainOf(Array(1200).fill({ ...small, indexEntries: 1, voids }))]);
      expect(lengthsOf(parts)).toEqual([500, 500, 200]);
      expect(parts.map((made) => missingIds([{ made }])[0])).toEqual(['s-1', 's500', 's1000']);
    },
  );

  it('expect one to be missing still that an earlier transaction was to store, and has not', () => {
    const parts = partsOf([chainOf([{ ...small, bytes: mostTogether.bytes }, small])], () => false);
    expect(parts.map((made) => missingIds([{ made }]))).toEqual([['s-1'], ['s0']]);
  });

  it.each([
    [40, [1, 2]],
    [50, [1, 1, 1]],
  ])('inherit its entries, of a long one 256 (%i more)', (further, lengths) => {
    const long = mostTogether.indexEntries - 300;
    const chain = chainOf([long, long, further].map((indexEntries) => ({ ...small, indexEntries })));
    expect(lengthsOf(partsOf([chain]))).toEqual(lengths);
  });

  it.each([
    [0, [1, 2]],
    [1, [1, 1, 1]],
  ])('have it read in their transaction (%i bytes more)', (further, lengths) => {
    const long = { ...small, bytes: mostTogether.bytes };
    const other = { id: 'other', bytes: mostTogether.targetBytes - long.bytes + further, voidedEntries: 0 };
    const chain = chainOf([long, { ...small, targets: [other] }, small]);
    expect(lengthsOf(partsOf([chain]))).toEqual(lengths);
  });

  it.each([
    ['a statement, with what it may have inherited since', false, [1, 1, 1]],
    ['one that voids, which stays', true, [1, 2]],
  ])('remove the entries of what they void: %s', (_, voids, lengths) => {
    const most = mostTogether.indexEntries;
    const chain = chainOf([
      { ...small, indexEntries: most - 300, voids },
      { ...small, indexEntries: 301, voids: true },
      { ...small, indexEntries: most - 400, voids: true },
    ]);
    expect(lengthsOf(partsOf([chain]))).toEqual(lengths);
  });
});
