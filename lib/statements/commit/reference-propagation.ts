import { setTimeout as sleep } from 'node:timers/promises';
import { PacedWrites } from '../../db/paced-writes.ts';
import type { Database } from '../../db/types.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { propagateSlice } from './reference-slice.ts';

/** Milliseconds that a request waits for the slices that it has caused; then they go on behind its answer. */
const answerAfter = 5000;
/** Milliseconds that the process which has caused slices has for them before another one that sees them takes part. */
const defaultTakeOverAfter = 5000;

/**
 * Hands keys to statements that refer to others, slice by slice: between two slices the write lock is free. What is left when a
 * process ends is done by the next one that writes or starts.
 */
export class ReferencePropagation {
  readonly #writes: PacedWrites;
  readonly #index: SearchIndex;
  #running: Promise<void> | undefined;
  #asked = false;
  #stopped = false;
  #later: NodeJS.Timeout | undefined;
  readonly #takeOverAfter: number;

  constructor(db: Database, index: SearchIndex, takeOverAfter: number = defaultTakeOverAfter) {
    this.#writes = new PacedWrites(db);
    this.#index = index;
    this.#takeOverAfter = takeOverAfter;
  }

  /** Resolves when nothing is left to do. It fails as transactions do; then the rest is left for the next time. */
  finish(): Promise<void> {
    this.#asked = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** The same, but resolves after some seconds at the latest, and in any case. */
  async finishSoon(): Promise<void> {
    const patience = new AbortController();
    const finished = this.finish().catch(() => undefined);
    await Promise.race([
      finished,
      sleep(answerAfter, undefined, { ref: false, signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
  }

  /** Does slices for as long as a request waits for them, and none behind its answer. Failures leave the rest for the next time. */
  async doSome(): Promise<void> {
    await this.runUntil(Date.now() + answerAfter).catch(() => undefined);
  }

  /**
   * Does slices one after another until nothing is left to do.
   * @param deadline milliseconds since the epoch; no slice begins after it.
   * @returns whether nothing is left.
   */
  async runUntil(deadline: number): Promise<boolean> {
    while (Date.now() < deadline) if (!(await this.#slice())) return true;
    return false;
  }

  /** There is something to do, perhaps for another process, which may have ended. */
  note(): void {
    if (this.#running !== undefined || this.#later !== undefined || this.#stopped) return;
    this.#later = setTimeout(() => {
      this.#later = undefined;
      this.finish().catch(() => undefined);
    }, this.#takeOverAfter);
    this.#later.unref();
  }

  /** Resolves when the slice that is being done has ended; none follows. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#later);
    await this.#running?.catch(() => undefined);
  }

  async #run(): Promise<void> {
    while (this.#asked) {
      this.#asked = false;
      let more = true;
      while (more && !this.#stopped) {
        more = await this.#slice();
      }
    }
  }

  /** @returns whether there is more to do. */
  #slice(): Promise<boolean> {
    return this.#writes.write((session, share) => propagateSlice(session, this.#index, share), {
      readsFirst: true,
    });
  }
}
