import type { FeedClock } from '../../lib/feed/clock.ts';

interface Timer {
  readonly at: number;
  readonly work: () => void;
}

/** A clock that stands still until a test lets time pass. */
export class ManualClock implements FeedClock {
  #milliseconds = 0;
  readonly #timers = new Set<Timer>();

  date(): number {
    return this.#milliseconds;
  }

  monotonic(): number {
    return this.#milliseconds;
  }

  /** How many calls are yet to come. */
  get pending(): number {
    return this.#timers.size;
  }

  after(milliseconds: number, work: () => void): () => void {
    const timer = { at: this.#milliseconds + milliseconds, work };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Calls what is due meanwhile, in order, but not what that makes due. */
  pass(milliseconds: number): void {
    this.#milliseconds += milliseconds;
    const due = [...this.#timers].filter(({ at }) => at <= this.#milliseconds).sort((a, b) => a.at - b.at);
    for (const timer of due) if (this.#timers.delete(timer)) timer.work();
  }
}
