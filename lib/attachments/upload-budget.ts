import type { Client } from '../client-turns.ts';
import { UnavailableError } from '../errors.ts';
import { WaitingLine } from '../waiting-line.ts';

/** Bytes of requests whose contents are put into the bucket at the same time. */
const budget = 8 * 1024 * 1024;
/** Milliseconds that a request waits until it may begin. */
const longestWait = 30_000;

interface Waiting {
  readonly weight: number;
  readonly enter: () => void;
}

/**
 * The memory budget of requests whose contents are put into the bucket, whose clients have turns; a larger one is admitted alone. So
 * other requests never wait for the bucket.
 */
export class UploadBudget {
  readonly #waiting = new WaitingLine<Waiting>();
  /** The one whose turn it is, which waits until it fits. */
  #next: Waiting | undefined;
  readonly #longestWait: number;
  #used = 0;

  /** @param wait milliseconds; for tests. */
  constructor(wait = longestWait) {
    this.#longestWait = wait;
  }

  /**
   * @param check throws while it is in vain to begin, which is found out before and after waiting.
   * @returns what gives the memory back, to be called once.
   * @throws what `check` throws, and UnavailableError when others have the memory for too long.
   */
  async enter(bytes: number, check: () => void, client?: Client): Promise<() => void> {
    check();
    const weight = Math.min(bytes, budget);
    if (this.#next !== undefined || !this.#waiting.isEmpty || !this.#admits(weight)) {
      await this.#turnOf(weight, client?.name() ?? '');
    } else this.#used += weight;
    try {
      check();
    } catch (error) {
      this.#leave(weight);
      throw error;
    }
    return () => this.#leave(weight);
  }

  #leave(weight: number): void {
    this.#used -= weight;
    this.#admitNext();
  }

  #admits(weight: number): boolean {
    return this.#used + weight <= budget;
  }

  #turnOf(weight: number, client: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        if (this.#next === waiting) this.#next = undefined;
        else this.#waiting.leave(client, waiting);
        this.#admitNext();
        reject(new UnavailableError('Too many attachments wait to be stored at this moment; try again.'));
      };
      const timer = setTimeout(giveUp, this.#longestWait);
      const waiting = {
        weight,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiting.join(client, waiting);
    });
  }

  #admitNext(): void {
    for (;;) {
      this.#next ??= this.#waiting.next();
      const next = this.#next;
      if (next === undefined || !this.#admits(next.weight)) return;
      this.#next = undefined;
      this.#used += next.weight;
      next.enter();
    }
  }
}
