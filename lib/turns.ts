interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/**
 * Limits how much work starts per turn of the event loop. Otherwise all requests that arrive together would be processed in
 * a row, while responses of the database, which the running transaction waits for, wait unread. Work starts only after all
 * arrived requests are read, because running the same code several times in a row uses the CPU caches well.
 */
export class Turns {
  readonly #room: number;
  #waiting: Waiting[] = [];
  #scheduled = false;

  /** @param room the weight that may start per turn; heavier work starts alone. */
  constructor(room: number) {
    this.#room = room;
  }

  /** Whether somebody waits. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when the caller may start, in the order of the calls. */
  take(weight: number): Promise<void> {
    this.#schedule();
    return new Promise((start) => this.#waiting.push({ weight, start }));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#scheduled = false;
    let started = 0;
    let count = 0;
    for (const { weight, start } of this.#waiting) {
      if (count > 0 && started + weight > this.#room) break;
      started += weight;
      count += 1;
      start();
    }
    this.#waiting = this.#waiting.slice(count);
    if (this.#waiting.length > 0) this.#schedule();
  }
}
