import { FeedTurnAborted } from '../../feed/types.ts';
import { ReserveTaken } from '../memory.ts';
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

interface AllowanceOptions {
  readonly signal: AbortSignal;
  readonly shares: TimeShares | undefined;
  readonly latest: number;
}

/** The time that all reactions to one trigger share; it starts now. */
export class Allowance {
  readonly #signal: AbortSignal;
  readonly #shares: TimeShares | undefined;
  #end: number;
  /** When the turn must have ended its work on triggers, however long it has waited. */
  readonly #latest: number;
  /** Of the share of the reaction that is at work. */
  #shareEnd = Number.POSITIVE_INFINITY;
  #waited = 0;
  #slowest: { readonly reaction: Reaction; readonly milliseconds: number } | undefined;

  /**
   * @param options `signal` of the turn; `shares` of reactions that others wait for, undefined where none does; `latest`: how long (ms) the work and the waiting may take together.
   */
  constructor(milliseconds: number, { signal, shares, latest }: AllowanceOptions) {
    const now = performance.now();
    this.#signal = signal;
    this.#shares = shares;
    this.#end = now + milliseconds;
    this.#latest = now + latest;
  }

  /** The reaction that has taken the longest so far. */
  get slowest(): Reaction | undefined {
    return this.#slowest?.reaction;
  }

  /** @throws AllowanceUsedUp, ShareUsedUp, ReserveTaken, FeedTurnAborted */
  readonly requireTime = (): void => {
    if (this.#signal.aborted) throw new FeedTurnAborted('The turn is over.');
    const now = performance.now();
    if (now >= this.#shareEnd) throw new ShareUsedUp('The reaction holds up the others.');
    // That others had the memory is no failure of a reaction.
    if (now >= this.#latest && this.#waited > 0) throw new ReserveTaken();
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

  /**
   * Waits for memory that others have taken, which costs none of the time as long as the turn has some.
   * @throws ReserveTaken
   */
  readonly waiting = async <T>(wait: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await endedBy(this.#latest, wait());
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

/** Waits no longer than until a time (`performance.now()`). @throws ReserveTaken */
async function endedBy<T>(latest: number, waiting: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ReserveTaken()), latest - performance.now());
  });
  try {
    return await Promise.race([waiting, ended]);
  } finally {
    clearTimeout(timer);
  }
}
