import type { Position } from './types.ts';

/** The text of `stored`: ISO 8601 in UTC with six fraction digits, e.g. `2026-11-20T11:48:00.000001Z`. */
export function storedText(position: Position): string {
  const milliseconds = Math.floor(position / 1000);
  const microseconds = String(position % 1000).padStart(3, '0');
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${microseconds}Z`;
}

/** Microseconds since the epoch, as exact as the system's clock is read. */
export function systemMicroseconds(): number {
  return Date.now() * 1000;
}

/**
 * Hands out positions. To be asked only while the write lock of the database is held, with the newest position that the
 * database holds at that moment: then positions rise in the order of commits, whichever process commits.
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

  /** A position that no later `take` returns, here or in a process whose clock agrees. */
  promise(newestStored: Position): Position {
    this.#last = Math.max(this.#now() - 1, newestStored, this.#last);
    return this.#last;
  }
}
