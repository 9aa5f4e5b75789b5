/**
 * A readers-writer lock in one process: shared holders enter together, an exclusive one alone. First come, first served, so
 * neither kind starves. It is not re-entrant: a holder that asks again would wait for itself.
 */
export class Gate {
  readonly #waiting: { readonly exclusive: boolean; readonly enter: () => void }[] = [];
  #shared = 0;
  #exclusive = false;

  /** Whether an exclusive holder would enter at once. */
  get isFree(): boolean {
    return this.#waiting.length === 0 && this.#admits(true);
  }

  shared<T>(work: () => Promise<T>): Promise<T> {
    return this.#hold(false, work);
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#hold(true, work);
  }

  async #hold<T>(exclusive: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#admits(exclusive)) {
      await new Promise<void>((enter) => this.#waiting.push({ exclusive, enter }));
    } else {
      this.#enter(exclusive);
    }
    try {
      return await work();
    } finally {
      if (exclusive) this.#exclusive = false;
      else this.#shared -= 1;
      this.#admitWaiting();
    }
  }

  #admits(exclusive: boolean): boolean {
    return !this.#exclusive && (!exclusive || this.#shared === 0);
  }

  #enter(exclusive: boolean): void {
    if (exclusive) this.#exclusive = true;
    else this.#shared += 1;
  }

  #admitWaiting(): void {
    for (let next = this.#waiting[0]; next && this.#admits(next.exclusive); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#enter(next.exclusive);
      next.enter();
    }
  }
}
