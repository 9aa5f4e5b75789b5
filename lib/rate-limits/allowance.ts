import { TooManyRequestsError } from '../errors.ts';
import { endAfter, permittedOf, type RateLimit, waitOf } from './gcra.ts';
import type { RateLimited } from './types.ts';

const variableOf: Readonly<Record<RateLimited, string>> = {
  keyPair: 'LRS_RATE_LIMIT_PER_KEY_PAIR',
  address: 'LRS_RATE_LIMIT_PER_ADDRESS',
};
const settingOf: Readonly<Record<RateLimited, string>> = {
  keyPair: 'rateLimitPerKeyPair',
  address: 'rateLimitPerAddress',
};

/** What a process may admit of one limit without asking: a slice of what all processes may. */
export class Allowance {
  readonly limit: RateLimit;
  /** Requests that are taken at once: those of half a second. */
  readonly slice: number;
  readonly #by: RateLimited;
  /** Requests that may come yet; below zero, ones that came while a slice was being taken. */
  #left = 0;
  #refusedUntil = 0;
  /** The end as it was read last; from then on this process counts alone if the database does not answer. */
  #end = 0;

  constructor(limit: RateLimit, by: RateLimited) {
    this.limit = limit;
    this.#by = by;
    this.slice = Math.max(1, Math.ceil(500 / limit.interval));
  }

  /** Whether a further slice is to be taken. */
  isLow(now: number): boolean {
    return this.#left < this.slice / 2 && now >= this.#refusedUntil;
  }

  /** Whether the next request needs a further slice. */
  isEmpty(now: number): boolean {
    return this.#left <= 0 && now >= this.#refusedUntil;
  }

  /**
   * Counts a request.
   * @param debt how many may come before the slice that pays for them is taken.
   * @throws TooManyRequestsError
   */
  use(now: number, debt: number): void {
    const isRefused = this.#left <= 0 && now < this.#refusedUntil;
    if (isRefused || this.#left <= -debt) {
      const seconds = Math.max(1, Math.ceil((this.#refusedUntil - now) / 1000));
      const { [this.#by]: setting } = settingOf;
      throw new TooManyRequestsError(
        `There are more requests than webserver.${setting} (${variableOf[this.#by]}) permits: try again in ${seconds} s.`,
        seconds,
        setting,
      );
    }
    this.#left -= 1;
  }

  /** How many of the limit it gets whose end is known, and the end after that. */
  grantOf(end: number, now: number): { readonly count: number; readonly end: number } {
    const wanted = this.slice - Math.min(0, this.#left);
    const count = permittedOf(this.limit, { end, now, wanted });
    return { count, end: endAfter(this.limit, { end, now, count }) };
  }

  /** Adds what was granted. When it is little, nobody asks again before there is half a slice. */
  add({ count, end }: { readonly count: number; readonly end: number }, now: number): void {
    this.#left += count;
    this.#end = end;
    const half = Math.ceil(this.slice / 2);
    if (count < half)
      this.#refusedUntil = now + waitOf(this.limit, end, now) + (half - 1) * this.limit.interval;
  }

  /** Goes on without the database: by what is known here. */
  addAlone(now: number): void {
    this.add(this.grantOf(this.#end, now), now);
  }
}
