import type { CommittedStatements, Position } from '../statements/types.ts';

/** The part of a statement or an event that is known before the rest is read. */
export interface HeadRow {
  readonly position: Position;
  /** Null for an event. */
  readonly id: string | null;
  /** As far as it is known: 1 or 0. */
  readonly voided: number | null;
  /** Null for a long statement, as are the next two. */
  readonly verb: string | null;
  readonly actor: string | null;
  readonly object: string | null;
  readonly registration: string | null;
  readonly bytes: number;
}

/** The longest statement, in bytes, whose columns are read before its text: columns may be nearly as long. */
export const shortStatement = 16 * 1024;

/** The most bytes of the texts of the cached statements. */
const mostBytes = 8_388_608;

/**
 * The heads of the statements that this process stored last, as long as no other process has stored or erased any between
 * them. A consumer that keeps up need not read them from the database.
 */
export class RecentStatements {
  readonly #most: number;
  /** The heads are complete from this position up to the last of them. */
  #after: Position | undefined;
  #heads: HeadRow[] = [];
  #bytes = 0;

  /** @param most the most heads that are cached. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Call it after the commit of a transaction that stored statements, in commit order. */
  note({ after, first, statements }: CommittedStatements): void {
    if ((this.#heads.at(-1)?.position ?? this.#after) !== after) {
      this.#heads = [];
      this.#bytes = 0;
      this.#after = after;
    }
    for (const [index, { id, text, values }] of statements.entries()) {
      const bytes = text.length;
      const { verb, actor, object, registration } = bytes <= shortStatement ? values : untold;
      const position = first + index;
      this.#heads.push({ position, id, voided: 0, verb, actor, object, registration, bytes });
      this.#bytes += bytes;
    }
    this.#dropOldest();
  }

  /**
   * The heads after a position, up to a number and up to the last that this process stored; undefined where they are
   * unknown or there are none.
   */
  behind(position: Position, most: number): readonly HeadRow[] | undefined {
    if (this.#after === undefined || position < this.#after) return undefined;
    const start = this.#heads.findIndex((head) => head.position > position);
    return start === -1 ? undefined : this.#heads.slice(start, start + most);
  }

  #dropOldest(): void {
    let count = 0;
    while (this.#heads.length - count > this.#most || this.#bytes > mostBytes) {
      const head = this.#heads[count];
      this.#bytes -= head?.bytes ?? 0;
      this.#after = head?.position;
      count += 1;
    }
    if (count > 0) this.#heads.splice(0, count);
  }
}

const untold = { verb: null, actor: null, object: null, registration: null };
