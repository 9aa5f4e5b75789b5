interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/**
 * Lets only so much work start in one turn of the event loop. Requests that arrive together would otherwise be worked off
 * in a row, while the answers of the database, which the running transaction waits for, lie unread until the row is done.
 */
export class Turns {
  readonly #room: number;
  #waiting: Waiting[] = [];
  #started = 0;
  #scheduled = false;

  /** @param room the weight that may start in a turn; what is heavier starts alone. */
  constructor(room: number) {
    this.#room = room;
  }

  /** Resolves when the caller may start: in this turn if there is room, else in the order of the calls. */
  take(weight: number): Promise<void> {
    this.#schedule();
    if (this.#waiting.length > 0 || !this.#admits(weight)) {
      return new Promise((start) => this.#waiting.push({ weight, start }));
    }
    this.#started += weight;
    return Promise.resolve();
  }

  #admits(weight: number): boolean {
    return this.#started === 0 || this.#started + weight <= this.#room;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#scheduled = false;
    this.#started = 0;
    let count = 0;
    for (const { weight, start } of this.#waiting) {
      if (!this.#admits(weight)) break;
      this.#started += weight;
      count += 1;
      start();
    }
    if (count === 0) return;
    this.#waiting = this.#waiting.slice(count);
    this.#schedule();
  }
}
