import type { Made, Reacted } from './react.ts';

/** Statements that one transaction stores of those that a trigger causes in a reaction. */
export interface Piece {
  readonly whole: Reacted;
  readonly made: readonly Made[];
  /** Whether no earlier transaction stores any of the whole. */
  readonly isFirst: boolean;
}

/** How much one transaction stores: it holds the write lock for some 50 ms. */
const mostTogether = { statements: 500, bytes: 2_097_152 } as const;

/**
 * The statements in pieces, by the transaction that stores them. Those that void others are in the last one, however many
 * they are: what they void may be the trigger of what other transactions store.
 */
export function partsOf(all: readonly Reacted[]): Piece[][] {
  const parts: Piece[][] = [];
  const begun = new Set<Reacted>();
  let left = { statements: 0, bytes: 0 };
  const add = (whole: Reacted, made: readonly Made[]): void => {
    const isFirst = !begun.has(whole);
    begun.add(whole);
    parts.at(-1)?.push({ whole, made, isFirst });
  };
  for (const whole of all) {
    let made: Made[] = [];
    for (const each of whole.made.filter((one) => !voids(one))) {
      const { bytes } = each;
      if (left.statements < 1 || left.bytes < bytes) {
        parts.push([]);
        left = { ...mostTogether };
        made = [];
      }
      if (made.length === 0) add(whole, made);
      made.push(each);
      left = { statements: left.statements - 1, bytes: left.bytes - bytes };
    }
    if (begun.has(whole) || whole.made.length === 0) continue;
    // Whether it is stored is decided here.
    if (parts.length === 0) parts.push([]);
    add(whole, []);
  }
  for (const whole of all) {
    const voiding = whole.made.filter(voids);
    if (voiding.length > 0) add(whole, voiding);
  }
  return parts;
}

function voids({ batch }: Made): boolean {
  return batch.statements.some((statement) => statement.voids);
}

/** The ids of matched statements. */
export function matchedIds(pieces: readonly Pick<Piece, 'made'>[]): string[] {
  return pieces.flatMap(({ made }) =>
    made.flatMap(({ match }) => Array.from(match.values(), ({ id }) => id)),
  );
}
