/**
 * Lets only so many requests start in one turn of the event loop. Those that arrive together would otherwise be worked off
 * in a row, while the answers of the database, which the running transaction waits for, lie unread until the row is done.
 */
export class Turns {
  readonly #starts: number;
  readonly #waiting: (() => void)[] = [];
  #started = 0;
  #scheduled = false;

  /** @param starts how many requests may start in a turn. */
  constructor(starts: number) {
    this.#starts = starts;
  }

  /** Resolves when the caller may start: in this turn if there is room, else in the order of the calls. */
  take(): Promise<void> {
    this.#schedule();
    if (this.#started >= this.#starts) return new Promise((start) => this.#waiting.push(start));
    this.#started += 1;
    return Promise.resolve();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#scheduled = false;
    const due = this.#waiting.splice(0, this.#starts);
    this.#started = due.length;
    if (due.length > 0) this.#schedule();
    for (const start of due) start();
  }
}
