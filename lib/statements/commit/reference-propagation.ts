import { setTimeout as sleep } from 'node:timers/promises';
import { PacedWrites } from '../../db/paced-writes.ts';
import type { Database } from '../../db/types.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { propagateSlice } from './reference-slice.ts';

/** Milliseconds that a request waits for the slices it caused; the rest runs after its response. */
const answerAfter = 5000;
/** Milliseconds after which another process that sees pending slices joins in. */
const defaultTakeOverAfter = 5000;

/**
 * Propagates search keys to referring statements in slices; the write lock is free between two slices. After a crash the
 * next process that writes or starts continues.
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

  /** Resolves when nothing is left to do. It fails as transactions do; the rest is then left for the next call. */
  finish(): Promise<void> {
    this.#asked = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** The same, but it always resolves, after a few seconds at the latest. */
  async finishSoon(): Promise<void> {
    const patience = new AbortController();
    const finished = this.finish().catch(() => undefined);
    await Promise.race([
      finished,
      sleep(answerAfter, undefined, { ref: false, signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
  }

  /** Processes slices only while a request waits for them. After a failure the rest is left for the next call. */
  async doSome(): Promise<void> {
    await this.runUntil(Date.now() + answerAfter).catch(() => undefined);
  }

  /**
   * Processes slices one after another until nothing is left.
   * @param deadline milliseconds since the epoch; no slice begins after it.
   * @returns whether nothing is left.
   */
  async runUntil(deadline: number): Promise<boolean> {
    while (Date.now() < deadline) if (!(await this.#slice())) return true;
    return false;
  }

  /** Notes that slices are pending, perhaps of another process, which may have crashed. */
  note(): void {
    if (this.#running !== undefined || this.#later !== undefined || this.#stopped) return;
    this.#later = setTimeout(() => {
      this.#later = undefined;
      this.finish().catch(() => undefined);
    }, this.#takeOverAfter);
    this.#later.unref();
  }

  /** Resolves when the current slice has ended; none follows. */
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

  /** @returns whether slices are left. */
  #slice(): Promise<boolean> {
    return this.#writes.write((session, share) => propagateSlice(session, this.#index, share), {
      readsFirst: true,
    });
  }
}
