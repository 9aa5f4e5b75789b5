/** Runs work when nothing has happened for some time. */
export class QuietTime {
  readonly #milliseconds: number;
  readonly #work: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  /** @param work may fail: it is then left for the next time. */
  constructor(milliseconds: number, work: () => Promise<void>) {
    this.#milliseconds = milliseconds;
    this.#work = work;
  }

  /** Something has happened: restarts the timer. It does not keep the process alive. */
  beginAnew(): void {
    if (this.#timer !== undefined) {
      this.#timer.refresh();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#work().catch(() => undefined);
    }, this.#milliseconds);
    this.#timer.unref();
  }
}
