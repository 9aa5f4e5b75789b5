/** Does work when nothing has happened for a while. */
export class QuietTime {
  readonly #milliseconds: number;
  readonly #work: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  /** @param work may fail: then it is left for the next time. */
  constructor(milliseconds: number, work: () => Promise<void>) {
    this.#milliseconds = milliseconds;
    this.#work = work;
  }

  /** Something has happened: the while begins anew. It keeps no process alive. */
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
