import type { TransactionHooks } from './types.ts';

/** One attempt at a transaction whose statements are pipelined. */
export class PipelinedTransaction {
  /** Resolves when the next transaction may be sent behind this COMMIT; never when it is rolled back. */
  readonly committing: Promise<void>;
  /** Resolves when the transaction has begun. */
  begun: Promise<void> = Promise.resolve();
  readonly #writes: Promise<unknown>[] = [];
  readonly #onCommitting: (() => void)[] = [];
  readonly #afterCommit: (() => void)[] = [];

  constructor() {
    this.committing = new Promise((resolve) => this.#onCommitting.push(resolve));
  }

  /** What the work of the transaction may use. */
  readonly hooks: TransactionHooks = {
    send: (write) => {
      // Its failure is reported by `ended`.
      write.catch(() => {});
      this.#writes.push(write);
    },
    onCommitting: (callback) => void this.#onCommitting.push(callback),
    afterCommit: (callback) => void this.#afterCommit.push(callback),
  };

  /** Stores the result of BEGIN; if it fails, everything that awaits `begun` fails. */
  begin(begun: Promise<void>): void {
    begun.catch(() => {});
    this.begun = begun;
  }

  /** Resolves when all pipelined writes have ended, whether they succeeded or not. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writes);
  }

  /**
   * The same.
   * @throws the error of the first that failed.
   */
  async ended(): Promise<void> {
    await this.settled();
    await Promise.all(this.#writes);
  }

  /** Call it when the server reaches COMMIT: the next transaction may begin. */
  commitSent(): void {
    for (const callback of this.#onCommitting.splice(0)) callback();
  }

  /** Call it when the commit is confirmed. */
  committed(): void {
    for (const callback of this.#afterCommit.splice(0)) callback();
  }
}
