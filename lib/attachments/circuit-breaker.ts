import { UnavailableError } from '../errors.ts';

/** Milliseconds in which nobody tries again after a failure. */
const restAfterFailure = 3000;

export interface CircuitBreakerOptions {
  /** The longest time (ms) that one attempt takes. */
  readonly longestAttempt: number;
  /** Milliseconds, in place of the clock; for tests. */
  readonly now?: () => number;
}

/**
 * After a server did not respond, requests to it fail at once for a few seconds instead of waiting for it, too. Then one of them
 * tries it again, while the others still fail, until it has responded.
 */
export class CircuitBreaker {
  readonly #longestAttempt: number;
  readonly #now: () => number;
  /** When the next one may try; undefined: the server responds. */
  #nextAttempt: number | undefined;

  constructor({ longestAttempt, now = () => performance.now() }: CircuitBreakerOptions) {
    this.#longestAttempt = longestAttempt;
    this.#now = now;
  }

  /** @throws UnavailableError while requests fail at once. */
  check(): void {
    if (this.#nextAttempt === undefined || this.#now() >= this.#nextAttempt) return;
    throw new UnavailableError('The store of attachments has not answered just now; try again in a moment.');
  }

  /**
   * @param attempt rejects when the server does not respond, and only then.
   * @throws UnavailableError, also while requests fail at once.
   */
  async attempt<T>(attempt: () => Promise<T>): Promise<T> {
    this.check();
    if (this.#nextAttempt !== undefined) this.#nextAttempt = this.#now() + this.#longestAttempt;
    try {
      const result = await attempt();
      this.#nextAttempt = undefined;
      return result;
    } catch (cause) {
      this.#nextAttempt = this.#now() + restAfterFailure;
      throw new UnavailableError('The store of attachments does not answer; try again.', { cause });
    }
  }
}
