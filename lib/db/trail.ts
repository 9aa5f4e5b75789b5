/** What a transaction has sent and does not wait for before its commit is sent. */
export class Trail {
  readonly #writes: Promise<unknown>[] = [];

  add(write: Promise<unknown>): void {
    // Its failure is told by `ended`.
    write.catch(() => {});
    this.#writes.push(write);
  }

  /** Resolves when all have ended, whatever became of them. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writes);
  }

  /** The same. @throws what the first of them failed with. */
  async ended(): Promise<void> {
    await this.settled();
    await Promise.all(this.#writes);
  }
}
