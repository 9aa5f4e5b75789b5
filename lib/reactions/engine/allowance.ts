import { FeedTurnAborted } from '../../feed/types.ts';
import type { Pausing } from '../../in-turns.ts';
import { ReserveTaken } from '../memory.ts';
import type { Reaction } from './active-reactions.ts';
import type { TriggerTime } from './time-shares.ts';

/**
 * What a search of the database takes beyond this (ms) is all work of the reaction. Of the rest a fifth is: other triggers are
 * worked on meanwhile, and on a busy machine each search takes longer.
 */
const longestUsualSearch = 1000;
const workWhileSearching = 1 / 5;

/** The time for a trigger is used up. */
export class AllowanceUsedUp extends Error {
  override readonly name = 'AllowanceUsedUp';
}

/** Reactions to the trigger have held up others for too long. */
export class ShareUsedUp extends Error {
  override readonly name = 'ShareUsedUp';
}

interface AllowanceOptions {
  readonly signal: AbortSignal;
  readonly time: TriggerTime | undefined;
  readonly latest: number;
}

/** The time that all reactions to one trigger may work; it starts now, and stands still while they wait for others. */
export class Allowance {
  readonly #signal: AbortSignal;
  readonly #time: TriggerTime | undefined;
  #end: number;
  /** When the turn must have ended its work on triggers, however long it has waited. */
  readonly #latest: number;
  /** How long (ms) the reaction that is at work has worked, without a search that has not ended. */
  #worked = 0;
  /** How long (ms) it may. */
  #mayWork = Number.POSITIVE_INFINITY;
  /** When its search has begun. */
  #searching: number | undefined;
  readonly #start: number;
  readonly #milliseconds: number;
  /** For memory. */
  #waited = 0;
  /** For other work of this process. */
  #paused = 0;
  #slowest: { readonly reaction: Reaction; readonly milliseconds: number } | undefined;

  /**
   * @param options `signal` of the turn; `time` that reactions take while others wait, undefined where none does; `latest`: how long (ms) the work and the waiting may take together.
   */
  constructor(milliseconds: number, { signal, time, latest }: AllowanceOptions) {
    const now = performance.now();
    this.#start = now;
    this.#milliseconds = milliseconds;
    this.#signal = signal;
    this.#time = time;
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
    if (this.#workedUntil(now) >= this.#mayWork)
      throw new ShareUsedUp('Reactions to the trigger hold up others.');
    // That others had the memory is no failure of a reaction.
    if (now >= this.#latest && this.#waited > 0) throw new ReserveTaken();
    if (now >= this.#end || this.#mustEnd(now))
      throw new AllowanceUsedUp('The reactions to one trigger take too long.');
  };

  /**
   * Waits for a search of the database no longer than there is time.
   * @throws AllowanceUsedUp, ShareUsedUp, FeedTurnAborted, and the errors of the search.
   */
  readonly within = async <T>(search: Promise<T>): Promise<T> => {
    const start = performance.now();
    this.#searching = start;
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
      const longestSearch = searchFor(this.#mayWork - this.#worked);
      const timer = setTimeout(giveUp, Math.min(this.#end - start, longestSearch) + 1);
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
      this.#worked = this.#workedUntil(performance.now());
      this.#searching = undefined;
    }
  };

  /** The processor has worked on the trigger. */
  readonly spendTime = (milliseconds: number): void => {
    this.#worked += milliseconds;
  };

  #workedUntil(now: number): number {
    if (this.#searching === undefined) return this.#worked;
    return this.#worked + workOf(now - this.#searching);
  }

  /**
   * Waits for memory that others have taken, which costs none of the time as long as the turn has some.
   * @throws ReserveTaken
   */
  readonly waiting = async <T>(wait: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await endedBy(this.#latest, wait());
    } finally {
      this.#waited += this.#stoodStill(start);
    }
  };

  /** Pauses that no reaction is blamed for. @param isFree whether they cost none of the time either. */
  pausing(pauses: Pausing, { isFree }: { readonly isFree: boolean }): Pausing {
    const measured = async (pause: Promise<void>): Promise<void> => {
      const start = performance.now();
      await pause;
      this.#paused += this.#stoodStill(start, isFree);
    };
    return {
      pause: () => {
        const pause = pauses.pause();
        return pause && measured(pause);
      },
    };
  }

  /** Whether pauses have made the work so long that the turn would not end in time, and not only they have. */
  #mustEnd(now: number): boolean {
    if (this.#paused === 0 || now < this.#latest) return false;
    return now - this.#start - this.#paused - this.#waited >= this.#milliseconds / 2;
  }

  /** @returns for how long (ms) the time has stood still. */
  #stoodStill(start: number, isFree = true): number {
    const milliseconds = performance.now() - start;
    if (isFree) this.#end += milliseconds;
    return milliseconds;
  }

  /**
   * Does the work of a reaction and measures its time.
   * @param mayWork milliseconds, where it is only tried: what it takes counts nothing.
   * @throws the errors of `work`, and those of `requireTime` where it is only tried.
   */
  async measured<T>(reaction: Reaction, work: () => Promise<T>, mayWork?: number): Promise<T> {
    const start = performance.now();
    const apart = this.#waited + this.#paused;
    this.#worked = 0;
    this.#mayWork = mayWork ?? this.#time?.left(reaction) ?? Number.POSITIVE_INFINITY;
    try {
      const result = await work();
      if (mayWork !== undefined) this.requireTime();
      return result;
    } finally {
      const milliseconds = performance.now() - start - (this.#waited + this.#paused - apart);
      if (mayWork === undefined) this.#time?.spend(reaction, this.#worked);
      this.#mayWork = Number.POSITIVE_INFINITY;
      if (milliseconds > (this.#slowest?.milliseconds ?? -1)) this.#slowest = { reaction, milliseconds };
    }
  }
}

/** How much work (ms) a search of so many milliseconds is. */
function workOf(search: number): number {
  const usual = Math.min(search, longestUsualSearch);
  return usual * workWhileSearching + search - usual;
}

/** How long (ms) a search is that is so much work (ms). */
function searchFor(work: number): number {
  const usual = Math.min(work, longestUsualSearch * workWhileSearching);
  return usual / workWhileSearching + work - usual;
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
