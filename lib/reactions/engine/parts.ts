import { mostInherited } from '../../statements/within.ts';
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

/** What one transaction stores. */
export interface Part {
  /** In the order of the triggers. */
  readonly pieces: readonly Piece[];
  /** Whether nothing is left after it. */
  readonly isLast: boolean;
}

interface Waiting {
  readonly whole: Reacted;
  /** Absent where it is only decided whether anything of the whole is stored. */
  readonly made?: Made;
}

/**
 * The statements by the transaction that stores them: first those that void nothing, then those that void what no other statement
 * depends on. The others are in the last transaction: what they void may be the trigger of what other transactions store.
 * `LastPart` limits them; where others fit in beside them, they share it.
 */
export class Parts {
  /** In order, but for those of the last transaction. */
  readonly #waiting: readonly Waiting[];
  readonly #last: readonly Required<Waiting>[];
  /** How many of those that wait are taken. */
  #taken = 0;
  readonly #begun = new Set<Reacted>();
  /** What committed transactions have stored, by id. */
  readonly #stored = new Map<string, Made>();
  /** Ids of statements that these void. */
  readonly #voided = new Set<string>();

  constructor(all: readonly Reacted[]) {
    const uses = new Uses();
    uses.add(all);
    const waitingOf = (isMeant: (made: Made) => boolean) => (whole: Reacted) =>
      whole.made.filter(isMeant).map((made) => ({ whole, made }));
    const voidingNothing = all.flatMap((whole): Waiting[] => {
      const waiting = waitingOf((made) => !voids(made))(whole);
      return waiting.length > 0 || whole.made.length === 0 ? waiting : [{ whole }];
    });
    this.#waiting = [
      ...voidingNothing,
      ...all.flatMap(waitingOf((made) => voids(made) && !uses.voidsShared(made))),
    ];
    this.#last = all.flatMap(waitingOf((made) => uses.voidsShared(made)));
  }

  /** What the next transaction stores. The ones before are committed and noted, so it is known what they have stored. */
  next(): Part {
    const size = new WriteSize(this.#voided);
    const waiting: Waiting[] = [];
    for (let next = this.#waiting[this.#taken]; next; next = this.#waiting[this.#taken + waiting.length]) {
      const { whole, made } = next;
      const each = made && this.#withStored(made);
      const isFull = each && size.of('statements') > 0 && !size.isWithin(mostTogether, each);
      if (isFull) return { pieces: this.#take(waiting), isLast: false };
      if (each) size.add(each);
      waiting.push({ whole, ...(each && { made: each }) });
    }
    const isAlone = size.of('statements') === 0;
    for (const { made } of this.#last) size.add(made);
    const isLast = isAlone || this.#last.length === 0 || size.isWithin(mostInLast);
    return { pieces: this.#take(waiting, isLast ? this.#last : []), isLast };
  }

  /** Notes what a transaction has stored of a part, once it is committed. */
  note({ pieces }: Part, stored: ReadonlySet<string>): void {
    const left = new Set(stored);
    for (const made of pieces.flatMap((piece) => piece.made)) {
      // A template may give several of them one id: the first is stored.
      if (!left.delete(made.id)) continue;
      this.#stored.set(made.id, made);
      for (const { id, voidedEntries } of made.targets) if (voidedEntries > 0) this.#voided.add(id);
    }
  }

  #take(waiting: readonly Waiting[], last: readonly Waiting[] = []): Piece[] {
    this.#taken += waiting.length;
    const pieces: { readonly whole: Reacted; readonly made: Made[]; readonly isFirst: boolean }[] = [];
    for (const { whole, made } of [...waiting, ...last]) {
      if (pieces.at(-1)?.whole !== whole) {
        pieces.push({ whole, made: [], isFirst: !this.#begun.has(whole) });
        this.#begun.add(whole);
      }
      if (made) pieces.at(-1)?.made.push(made);
    }
    return pieces;
  }

  /** The statement with the cost of those missing ones that are stored now. */
  #withStored(made: Made): Made {
    let { indexEntries } = made;
    const targets = made.targets.map((target) => {
      const stored = target.bytes === 0 ? this.#stored.get(target.id) : undefined;
      if (stored === undefined) return target;
      const { bytes } = stored;
      if (target.id === made.id) return { ...target, bytes };
      if (!voids(made)) {
        indexEntries += Math.min(stored.indexEntries, mostInherited);
        return { ...target, bytes };
      }
      return { ...target, bytes, voidedEntries: voidableEntriesOf(stored) };
    });
    return { ...made, indexEntries, targets };
  }
}

/** The most entries that are removed of a statement when it is voided; if it refers to another one, it may have inherited more. */
function voidableEntriesOf(made: Made): number {
  // What voids is not voided.
  if (voids(made)) return 0;
  const refers = made.batch.statements.some(({ target }) => target !== undefined);
  return made.indexEntries + (refers ? mostInherited : 0);
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

  /** Whether it is not too much for a transaction. A single statement may always be voided. */
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

/** What they refer to does not count where it is a single stored statement, beside those that have their ids. */
function sizeOf(statements: readonly { readonly made: Made }[]): WriteSize {
  const size = new WriteSize();
  const stored = statements.flatMap(({ made }) =>
    made.targets.filter(({ id, bytes }) => bytes > 0 && id !== made.id),
  );
  const isSingle = new Set(stored.map(({ id }) => id)).size === 1;
  for (const { made } of statements) size.add(isSingle ? { ...made, targets: ownOf(made) } : made);
  return size;
}

/** Of what it refers to, or has the id of: that which has its id. */
function ownOf({ id, targets }: Made): Made['targets'] {
  return targets.filter((target) => target.id === id);
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

/** The ids of statements that were missing when it was estimated what it costs to store these. */
export function missingIds(pieces: readonly Pick<Piece, 'made'>[]): string[] {
  const targets = pieces.flatMap(({ made }) => made.flatMap((each) => each.targets));
  return targets.flatMap(({ id, bytes }) => (bytes === 0 ? id : []));
}

/** The ids of matched statements. */
export function matchedIds(pieces: readonly Pick<Piece, 'made'>[]): string[] {
  return pieces.flatMap(({ made }) => made.flatMap(idsOf));
}
