import type { Position } from './types.ts';

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

/** Microseconds since the epoch, as exact as the system's clock is read. */
export function systemMicroseconds(): number {
  return Date.now() * 1000;
}

/**
 * Hands out positions. To be asked only while the write lock of the database is held, with the newest position that the
 * database holds at that moment: then positions rise in the order of commits, whichever process commits. Whoever asks before
 * that, without such a position, must not commit unless it turns out that no other process has had the lock meanwhile.
 */
export class PositionClock {
  readonly #now: () => number;
  #last: Position = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The first of `count` consecutive positions after everything stored and promised. */
  take(count: number, newestStored: Position): Position {
    const first = Math.max(this.#now(), newestStored + 1, this.#last + 1);
    this.#last = first + count - 1;
    return first;
  }

  /** The time as a position. */
  now(): Position {
    return this.#now();
  }

  /**
   * A position that no later `take` returns, here or in a process whose clock agrees.
   * @param at a time after which no other process has had the lock and then this one. By default it is now, which is right
   *   where the promise is not made known before the commit has shown that the lock was held all the time.
   */
  promise(newestStored: Position, at: Position = this.#now()): Position {
    const promised = Math.max(at - 1, newestStored);
    this.#last = Math.max(this.#last, promised);
    return promised;
  }
}
