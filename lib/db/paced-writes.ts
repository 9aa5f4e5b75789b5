import { setTimeout as sleep } from 'node:timers/promises';
import { Capacity } from '../capacity.ts';
import type { Database, WriteOptions, WriteSession } from './types.ts';

/** Milliseconds for which a transaction is to hold the write lock. */
const target = 25;
/** The smallest share of the most work that a transaction does. */
const smallestShare = 0.05;
/** The largest growth of that fraction at once: one fast transaction says little about the next one. */
const growth = 1.5;
/** Transactions that hold the lock no longer than this together (ms) follow one another at once. */
const atOnce = 10;
/** How long (ms) the lock is free then, at most; it is as long as it was held. */
const longestRest = 200;

export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

const systemClock: Clock = { now: () => performance.now(), sleep: (milliseconds) => sleep(milliseconds) };

/**
 * Transactions that follow one another until long work is done, without keeping other writers waiting. SQLite has no queue for
 * its write lock: a process that waits for it tries again every few milliseconds, so after some work the lock is free for as
 * long as it was held. How long a transaction takes depends on the database and its size, so how much each may do follows from
 * the time that the one before it took.
 */
export class PacedWrites {
  readonly #db: Database;
  readonly #clock: Clock;
  /** Several callers share the pauses. */
  readonly #turn = new Capacity(1);
  #share = 1;
  /** Milliseconds that the lock was held since the last pause. */
  #held = 0;
  #lastEnd = 0;

  constructor(db: Database, clock: Clock = systemClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** @param work receives the fraction of the most work that it should do, above 0 and at most 1. */
  write<T>(work: (session: WriteSession, share: number) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#turn.run(1, async () => {
      await this.#rest();
      return this.#writeNow(work, options);
    });
  }

  async #writeNow<T>(
    work: (session: WriteSession, share: number) => Promise<T>,
    options: WriteOptions | undefined,
  ): Promise<T> {
    const clock = this.#clock;
    let start = clock.now();
    try {
      return await this.#db.write((session) => {
        start = clock.now();
        return work(session, this.#share);
      }, options);
    } finally {
      this.#lastEnd = clock.now();
      const took = this.#lastEnd - start;
      this.#held += took;
      const fitting = (this.#share * target) / Math.max(took, 1);
      this.#share = Math.min(1, growth * this.#share, Math.max(smallestShare, fitting));
    }
  }

  async #rest(): Promise<void> {
    if (this.#held < atOnce) return;
    const rest = Math.min(this.#held, longestRest);
    this.#held = 0;
    const left = this.#lastEnd + rest - this.#clock.now();
    if (left > 0) await this.#clock.sleep(left);
  }
}
