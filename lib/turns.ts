interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/**
 * Lets only so much work start in one turn of the event loop. Requests that arrive together would otherwise be worked off
 * in a row, while the answers of the database, which the running transaction waits for, lie unread until the row is done.
 * None starts before all that have arrived are read: the same code run for several in a row finds itself in the processor's
 * caches.
 */
export class Turns {
  readonly #room: number;
  #waiting: Waiting[] = [];
  #scheduled = false;

  /** @param room the weight that may start in a turn; what is heavier starts alone. */
  constructor(room: number) {
    this.#room = room;
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
