import type { Reaction } from './active-reactions.ts';
import type { Made, Reacted } from './react.ts';
import { type MostWritten, WriteSize } from './write-size.ts';

/** Statements that one transaction stores of those that a trigger causes in a reaction. */
export interface Piece {
  readonly whole: Reacted;
  readonly made: readonly Made[];
  /** Whether no earlier transaction stores any of the whole. */
  readonly isFirst: boolean;
}

/**
 * How much one transaction stores: it holds the write lock for some 50 ms where statements are usual, and for less than half a
 * second where they have thousands of entries in the search index.
 */
export const mostTogether = {
  statements: 500,
  bytes: 2_097_152,
  indexEntries: 15_000,
  targetBytes: 8_388_608,
} as const satisfies MostWritten;

/**
 * The statements in pieces, by the transaction that stores them: first those that void nothing, then those that void what no other
 * statement depends on. The others are in the last transaction: what they void may be the trigger of what other transactions store.
 * `LastPart` limits them; where others fit in beside them, they share it.
 */
export function partsOf(all: readonly Reacted[]): Piece[][] {
  const packing = new Packing();
  const uses = new Uses();
  uses.add(all);
  const voidsShared = (one: Made): boolean => uses.voidsShared(one);
  for (const whole of all) {
    packing.add(
      whole,
      whole.made.filter((one) => !voids(one)),
    );
    packing.decide(whole);
  }
  for (const whole of all)
    packing.add(
      whole,
      whole.made.filter((one) => voids(one) && !voidsShared(one)),
    );
  packing.addLast(all.map((whole) => ({ whole, made: whole.made.filter(voidsShared) })));
  return packing.parts;
}

class Packing {
  readonly parts: Piece[][] = [];
  readonly #begun = new Set<Reacted>();
  /** Of the last part. */
  #size = new WriteSize();

  /** Adds statements to the last part, and to new ones as it is full. */
  add(whole: Reacted, statements: readonly Made[]): void {
    let made: Made[] = [];
    for (const each of statements) {
      if (this.parts.length === 0 || !this.#size.isWithin(mostTogether, each)) {
        this.#open();
        made = [];
      }
      if (made.length === 0) this.#addPiece(whole, made);
      made.push(each);
      this.#size.add(each);
    }
  }

  /** Whether anything of it is stored is decided in the last part, if that is not decided before. */
  decide(whole: Reacted): void {
    if (this.#begun.has(whole) || whole.made.length === 0) return;
    if (this.parts.length === 0) this.#open();
    this.#addPiece(whole, []);
  }

  /** Adds statements to the last part together: to a new one if it would have too much with them. */
  addLast(all: readonly Pick<Piece, 'whole' | 'made'>[]): void {
    const some = all.filter(({ made }) => made.length > 0);
    for (const each of some.flatMap(({ made }) => made)) this.#size.add(each);
    if (some.length > 0 && !this.#size.isWithin(mostInLast)) this.#open();
    for (const { whole, made } of some) this.#addPiece(whole, made);
  }

  #open(): void {
    this.parts.push([]);
    this.#size = new WriteSize();
  }

  #addPiece(whole: Reacted, made: readonly Made[]): void {
    this.parts.at(-1)?.push({ whole, made, isFirst: !this.#begun.has(whole) });
    this.#begun.add(whole);
  }
}

/**
 * The most that is stored by the last transaction together of what voids statements that others depend on: it holds the write lock
 * for less than a second. A trigger that causes more stops a reaction, and a turn ends before it has more.
 */
export const mostInLast = {
  statements: 2000,
  bytes: 8_388_608,
  indexEntries: 30_000,
  targetBytes: 8_388_608,
} as const satisfies MostWritten;

/** What is stored by the last transaction together, of some triggers of a turn. */
export class LastPart {
  readonly #uses = new Uses();
  /** Statements that void others, and of which reaction and trigger they are. */
  readonly #voiding: { readonly whole: Reacted; readonly made: Made }[] = [];

  add(further: readonly Reacted[]): void {
    this.#uses.add(further);
    for (const whole of further)
      for (const made of whole.made) if (voids(made)) this.#voiding.push({ whole, made });
  }

  /** Whether it is not too much for a transaction. */
  get isSmall(): boolean {
    return sizeOf(this.#inLast()).isWithin(mostInLast);
  }

  /** The reaction that makes most of what there is too much of; undefined where it is not too much. */
  get mostOf(): Reaction | undefined {
    const all = this.#inLast();
    const limit = sizeOf(all).exceeded(mostInLast);
    if (limit === undefined) return undefined;
    const sizes = new Map<Reaction, WriteSize>();
    for (const { whole, made } of all) {
      const size = sizes.get(whole.reaction) ?? new WriteSize();
      size.add(made);
      sizes.set(whole.reaction, size);
    }
    return [...sizes].toSorted(([, one], [, other]) => other.of(limit) - one.of(limit))[0]?.[0];
  }

  #inLast() {
    return this.#voiding.filter(({ made }) => this.#uses.voidsShared(made));
  }
}

function sizeOf(statements: readonly { readonly made: Made }[]): WriteSize {
  const size = new WriteSize();
  for (const { made } of statements) size.add(made);
  return size;
}

/** By how many matches and failures each statement is used. They are counted only where something is voided. */
class Uses {
  readonly #users = new Map<string, number>();
  #uncounted: Reacted[] = [];

  add(all: readonly Reacted[]): void {
    this.#uncounted.push(...all);
  }

  /** Whether a statement voids one that another match, or a failure, depends on. */
  voidsShared(made: Made): boolean {
    if (!voids(made)) return false;
    this.#count();
    const own = new Set(idsOf(made));
    return made.batch.statements.some(
      ({ voids: isVoiding, target }) =>
        isVoiding && target !== undefined && (this.#users.get(target) ?? 0) > (own.has(target) ? 1 : 0),
    );
  }

  #count(): void {
    for (const { made, failures } of this.#uncounted) {
      for (const each of made) this.#use(idsOf(each));
      for (const { ids } of failures) this.#use(ids);
    }
    this.#uncounted = [];
  }

  #use(ids: Iterable<string>): void {
    for (const id of new Set(ids)) this.#users.set(id, (this.#users.get(id) ?? 0) + 1);
  }
}

function idsOf({ match }: Made): string[] {
  return Array.from(match.values(), ({ id }) => id);
}

/** Whether it voids a statement. */
export function voids({ batch }: Made): boolean {
  return batch.statements.some((statement) => statement.voids);
}

/** The ids of matched statements. */
export function matchedIds(pieces: readonly Pick<Piece, 'made'>[]): string[] {
  return pieces.flatMap(({ made }) => made.flatMap(idsOf));
}
