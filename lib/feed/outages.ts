import type { FeedClock } from './clock.ts';

/** Milliseconds after the first outage, and at most; after each further one in a row the pause is twice as long. */
const shortestPause = 100;
const longestPause = 2000;

/**
 * How long a consumer leaves a database alone that was out of reach, so that it keeps neither the process nor a database that
 * is about to recover busy.
 */
export class Outages {
  readonly #clock: Pick<FeedClock, 'monotonic'>;
  #inRow = 0;
  #end = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<FeedClock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Milliseconds that are left of the pause; 0 when there is none. */
  get pause(): number {
    return Math.max(0, this.#end - this.#clock.monotonic());
  }

  /** The database was out of reach. */
  note(): void {
    this.#end = this.#clock.monotonic() + Math.min(longestPause, shortestPause * 2 ** this.#inRow);
    this.#inRow += 1;
  }

  /** It has answered. */
  end(): void {
    this.#inRow = 0;
    this.#end = Number.NEGATIVE_INFINITY;
  }
}
