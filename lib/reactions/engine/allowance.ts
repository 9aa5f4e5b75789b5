import { FeedTurnAborted } from '../../feed/types.ts';
import type { Reaction } from './active-reactions.ts';
import type { TimeShares } from './time-shares.ts';

/** The time for a trigger is used up. */
export class AllowanceUsedUp extends Error {
  override readonly name = 'AllowanceUsedUp';
}

/** A reaction has held up the others for too long. */
export class ShareUsedUp extends Error {
  override readonly name = 'ShareUsedUp';
}

/** The time that all reactions to one trigger share; it starts now. */
export class Allowance {
  readonly #signal: AbortSignal;
  readonly #shares: TimeShares | undefined;
  #end: number;
  /** Of the share of the reaction that is at work. */
  #shareEnd = Number.POSITIVE_INFINITY;
  #waited = 0;
  #slowest: { readonly reaction: Reaction; readonly milliseconds: number } | undefined;

  /**
   * @param signal of the turn.
   * @param shares of reactions that others wait for; undefined where none does.
   */
  constructor(milliseconds: number, signal: AbortSignal, shares?: TimeShares) {
    this.#signal = signal;
    this.#shares = shares;
    this.#end = performance.now() + milliseconds;
  }

  /** The reaction that has taken the longest so far. */
  get slowest(): Reaction | undefined {
    return this.#slowest?.reaction;
  }

  /** @throws AllowanceUsedUp, ShareUsedUp, FeedTurnAborted */
  readonly requireTime = (): void => {
    if (this.#signal.aborted) throw new FeedTurnAborted('The turn is over.');
    const now = performance.now();
    if (now >= this.#shareEnd) throw new ShareUsedUp('The reaction holds up the others.');
    if (now >= this.#end) throw new AllowanceUsedUp('The reactions to one trigger take too long.');
  };

  /**
   * Waits for a search of the database no longer than there is time.
   * @throws AllowanceUsedUp, ShareUsedUp, FeedTurnAborted, and the errors of the search.
   */
  readonly within = async <T>(search: Promise<T>): Promise<T> => {
    let end = (): void => {};
    const ended = new Promise<never>((_, reject) => {
      const giveUp = (): void => {
        try {
          this.requireTime();
        } catch (error) {
          reject(error);
        }
      };
      // One more: timers may be early.
      const timer = setTimeout(giveUp, Math.min(this.#end, this.#shareEnd) - performance.now() + 1);
      this.#signal.addEventListener('abort', giveUp);
      end = () => {
        clearTimeout(timer);
        this.#signal.removeEventListener('abort', giveUp);
      };
    });
    try {
      return await Promise.race([search, ended]);
    } finally {
      end();
    }
  };

  /** Waits for what other triggers have taken, which costs none of the time. */
  readonly waiting = async <T>(wait: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await wait();
    } finally {
      const milliseconds = performance.now() - start;
      this.#end += milliseconds;
      this.#shareEnd += milliseconds;
      this.#waited += milliseconds;
    }
  };

  /**
   * Does the work of a reaction and measures its time.
   * @throws the errors of `work`.
   */
  async measured<T>(reaction: Reaction, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const waited = this.#waited;
    this.#shareEnd = start + (this.#shares?.left(reaction) ?? Number.POSITIVE_INFINITY);
    try {
      return await work();
    } finally {
      const milliseconds = performance.now() - start - (this.#waited - waited);
      this.#shareEnd = Number.POSITIVE_INFINITY;
      this.#shares?.spend(reaction, milliseconds);
      if (milliseconds > (this.#slowest?.milliseconds ?? -1)) this.#slowest = { reaction, milliseconds };
    }
  }
}
