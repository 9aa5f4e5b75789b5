/** A position is a statement's `stored` time in microseconds since the epoch: unique in the store, below 2^53 until 2255. */
export type Position = number;

const microseconds = 1_000_000;

/** The text of the second that was asked for last, up to the point: positions are asked for by their order, nearly. */
let latest = { second: 0, text: textOfSecond(0) };

/** The text of `stored`: ISO 8601 in UTC with six fraction digits, e.g. `2026-11-20T11:48:00.000001Z`. */
export function storedText(position: Position): string {
  const second = Math.floor(position / microseconds);
  if (second !== latest.second) latest = { second, text: textOfSecond(second) };
  return `${latest.text}${String(position - second * microseconds).padStart(6, '0')}Z`;
}

function textOfSecond(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, -4);
}

/** What positions that are taken come after. */
export interface TakingTime {
  readonly now: Position;
  /** The newest position that the database holds; 0 while it is empty. */
  readonly newest: Position;
}

/**
 * Hands out positions: microseconds since the epoch by one clock for all processes, that of the database's server, or of the
 * machine that a SQLite file is on. To be asked only with what was read while the write lock is held: then positions rise in the
 * order of commits, whichever process commits.
 */
export class PositionClock {
  readonly #own: (() => number) | undefined;
  readonly #isReplicated: boolean;
  #last: Position = 0;

  /**
   * @param own a clock in place of that one, for tests.
   * @param isReplicated whether another server, with another clock, may take over, so that watermarks are stored positions.
   */
  constructor(own?: () => number, isReplicated = false) {
    this.#own = own;
    this.#isReplicated = isReplicated;
  }

  /** The time by the clock that counts in place of the server's; undefined where that one does. */
  get override(): number | undefined {
    return this.#own?.();
  }

  /** No later position is at or before this one. */
  get last(): Position {
    return this.#last;
  }

  /** The time without a question to the server. */
  now(): Position {
    return this.override ?? Date.now() * 1000;
  }

  /** The time that counts, of one read here before a question to the database and that of the database's clock, if it was told. */
  timeOf(before: Position, server: number | null): Position {
    return this.#own === undefined ? (server ?? before) : before;
  }

  /** The first of `count` consecutive positions after everything stored and after every watermark given out. */
  take(count: number, { now, newest }: TakingTime): Position {
    const first = Math.max(now, newest + 1, this.#last + 1);
    this.#last = first + count - 1;
    return first;
  }

  /**
   * The consistent-through watermark: a position that no later `take` returns, here or in another process.
   * @param at a time at which nobody had the write lock, or this process had it.
   */
  watermark(newest: Position, at: Position): Position {
    const watermark = this.#isReplicated ? newest : Math.max(at - 1, newest);
    this.#last = Math.max(this.#last, watermark);
    return watermark;
  }
}
