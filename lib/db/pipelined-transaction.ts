import type { TransactionHooks } from './types.ts';

/** One attempt at a transaction whose statements are sent without waiting for each other's outcome. */
export class PipelinedTransaction {
  /** Resolves when the next transaction may be sent behind the commit of this one; never when it is rolled back. */
  readonly committing: Promise<void>;
  /** Resolves when the transaction has begun. */
  begun: Promise<void> = Promise.resolve();
  readonly #writes: Promise<unknown>[] = [];
  readonly #onCommitting: (() => void)[] = [];
  readonly #afterCommit: (() => void)[] = [];

  constructor() {
    this.committing = new Promise((resolve) => this.#onCommitting.push(resolve));
  }

  /** What the work inside the transaction may ask of it. */
  readonly hooks: TransactionHooks = {
    send: (write) => {
      // Its failure is reported by `ended`.
      write.catch(() => {});
      this.#writes.push(write);
    },
    onCommitting: (callback) => void this.#onCommitting.push(callback),
    afterCommit: (callback) => void this.#afterCommit.push(callback),
  };

  /** Notes what begins the transaction; if it fails, so does whatever awaits `begun`. */
  begin(begun: Promise<void>): void {
    begun.catch(() => {});
    this.begun = begun;
  }

  /** Resolves when all writes that were sent have ended, whatever became of them. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writes);
  }

  /** The same. @throws what the first of them failed with. */
  async ended(): Promise<void> {
    await this.settled();
    await Promise.all(this.#writes);
  }

  /** To be called when the server comes to the commit: lets the next transaction begin. */
  commitSent(): void {
    for (const callback of this.#onCommitting.splice(0)) callback();
  }

  /** To be called when the commit is confirmed. */
  committed(): void {
    for (const callback of this.#afterCommit.splice(0)) callback();
  }
}
