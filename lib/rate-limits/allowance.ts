import { TooManyRequestsError } from '../errors.ts';
import { believed, endAfter, permittedOf, type RateLimit, waitOf } from './gcra.ts';
import type { RateLimited } from './types.ts';

const variableOf: Readonly<Record<RateLimited, string>> = {
  keyPair: 'LRS_RATE_LIMIT_PER_KEY_PAIR',
  address: 'LRS_RATE_LIMIT_PER_ADDRESS',
};
const settingOf: Readonly<Record<RateLimited, string>> = {
  keyPair: 'rateLimitPerKeyPair',
  address: 'rateLimitPerAddress',
};

/** What the database grants: how many requests, and the end of the limit after them. */
export interface Grant {
  readonly count: number;
  readonly end: number;
}

/** What a process may admit of one limit without asking: a slice of what all processes may. */
export class Allowance {
  readonly limit: RateLimit;
  /** Requests that are taken at once: those of half a second. */
  readonly slice: number;
  readonly #by: RateLimited;
  /** Requests that may come yet; below zero, ones that came before the slice that pays for them. */
  #left = 0;
  /** Whether nothing was granted yet. */
  #isNew = true;
  /** Requests are refused from the one time to the other; not before, where the clock is set back. */
  #refusedFrom = 0;
  #refusedUntil = 0;
  /** The end as it was read last; from then on this process counts alone if the database does not answer. */
  #end = 0;
  /** Requests that wait for a slice. */
  #waiting: (() => void)[] = [];

  constructor(limit: RateLimit, by: RateLimited) {
    this.limit = limit;
    this.#by = by;
    this.slice = Math.max(1, Math.ceil(500 / limit.interval));
  }

  /**
   * Whether a further slice is to be taken: when half of one is left, and of a new limit when half of one has come, so that most
   * of many clients that send little never reach the database.
   */
  isLow(now: number): boolean {
    const half = this.slice / 2;
    return !this.#isRefused(now) && (this.#isNew ? this.#left <= -half : this.#left < half);
  }

  /**
   * Counts a request.
   * @param debt how many may come before the slice that pays for them is taken.
   * @returns whether it may come; otherwise a slice is needed first.
   * @throws TooManyRequestsError
   */
  use(now: number, debt: number): boolean {
    if (this.#left <= 0 && this.#isRefused(now)) throw this.refusal(now);
    if (this.#left <= -debt) return false;
    this.#left -= 1;
    return true;
  }

  #isRefused(now: number): boolean {
    return now >= this.#refusedFrom && now < this.#refusedUntil;
  }

  refusal(now: number): TooManyRequestsError {
    const seconds = Math.max(1, Math.ceil((this.#refusedUntil - now) / 1000));
    const { [this.#by]: setting } = settingOf;
    return new TooManyRequestsError(
      `There are more requests than webserver.${setting} (${variableOf[this.#by]}) permits: try again in ${seconds} s.`,
      seconds,
      setting,
    );
  }

  /**
   * Resolves when the next slice is there, which includes a request for each that waits.
   * @throws TooManyRequestsError when as many wait as the limit ever permits at once.
   */
  nextSlice(now: number): Promise<void> {
    if (this.#waiting.length >= this.limit.free) throw this.refusal(now);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * How many it gets of the limit, and the end after that.
   * @param known the end in the database, which may lack what this process has admitted alone.
   */
  grantOf(known: number, now: number): Grant {
    const end = Math.max(believed(this.limit, known, now), believed(this.limit, this.#end, now));
    const wanted = this.slice + this.#waiting.length - Math.min(0, this.#left);
    const count = permittedOf(this.limit, { end, now, wanted });
    return { count, end: endAfter(this.limit, { end, now, count }) };
  }

  /** Adds what was granted. When it is little, nobody asks again before there is half a slice. */
  add({ count, end }: Grant, now: number): void {
    this.#left += count;
    this.#end = end;
    this.#isNew = false;
    const half = Math.ceil(this.slice / 2);
    if (count < half) {
      this.#refusedFrom = now;
      this.#refusedUntil = now + waitOf(this.limit, end, now) + (half - 1) * this.limit.interval;
    }
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Goes on without the database: by what is known here. */
  addAlone(now: number): void {
    this.add(this.grantOf(this.#end, now), now);
  }

  /** Notes a grant that came after this process had gone on alone: it pays for what was admitted meanwhile. */
  addLate({ end }: Grant): void {
    this.#end = Math.max(this.#end, end);
  }
}
