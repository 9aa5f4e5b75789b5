import type { PreparedBatch } from '../../statements/within.ts';
import type { Made, Reacted } from './react.ts';

/** A statement that is ready to be stored, and by what it came about. */
export interface Pending {
  readonly made: Made;
  readonly batch: PreparedBatch;
}

/** What a trigger causes in a reaction, ready to be stored. */
export interface Prepared extends Omit<Reacted, 'made'> {
  readonly pending: readonly Pending[];
}

/** Statements that one transaction stores of those that a trigger causes in a reaction. */
export interface Piece {
  readonly whole: Prepared;
  readonly pending: readonly Pending[];
  /** Whether no earlier transaction stores any of the whole. */
  readonly isFirst: boolean;
}

/** How much one transaction stores: it holds the write lock for some 50 ms. */
const mostTogether = { statements: 500, bytes: 2_097_152 } as const;

/** The statements in pieces, by the transaction that stores them. */
export function partsOf(prepared: readonly Prepared[]): Piece[][] {
  const parts: Piece[][] = [];
  let left = { statements: 0, bytes: 0 };
  for (const whole of prepared) {
    let pending: Pending[] = [];
    for (const [index, each] of whole.pending.entries()) {
      const { bytes } = each.made;
      if (left.statements < 1 || left.bytes < bytes) {
        parts.push([]);
        left = { ...mostTogether };
        pending = [];
      }
      if (pending.length === 0) parts.at(-1)?.push({ whole, pending, isFirst: index === 0 });
      pending.push(each);
      left = { statements: left.statements - 1, bytes: left.bytes - bytes };
    }
  }
  return parts;
}

/** The ids of matched statements. */
export function matchedIds(pieces: readonly Pick<Piece, 'pending'>[]): string[] {
  const matches = pieces.flatMap(({ pending }) => pending.map(({ made }) => made.match));
  return matches.flatMap((match) => Array.from(match.values(), ({ id }) => id));
}
