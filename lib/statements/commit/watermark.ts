import type { Database } from '../../db/types.ts';
import type { PositionClock } from '../../position.ts';
import { newestOf, type ReadingRow, readingSql } from '../newest-position.ts';
import type { Position } from '../types.ts';

/** For how many milliseconds an answer is given again. */
const fresh = 20;

/**
 * Up to where the store is complete. Positions rise in the order of commits, so that is the newest one which is committed; and
 * the present, if nobody writes: whoever takes the write lock after that takes later positions.
 */
export class Watermark {
  readonly #db: Database;
  readonly #clock: PositionClock;
  #position: Position = 0;
  #freshUntil = 0;
  #asking: Promise<void> | undefined;

  constructor(db: Database, clock: PositionClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** A transaction of this process is committed, up to which the store is complete. */
  advance(position: Position): void {
    this.#position = Math.max(this.#position, position);
    this.#freshUntil = performance.now() + fresh;
  }

  /** What is known without a question; 0 when nothing is. */
  get known(): Position {
    return this.#position;
  }

  /** It waits for the database, and never for the write lock. */
  async current(): Promise<Position> {
    if (performance.now() >= this.#freshUntil) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
    }
    return this.#position;
  }

  async #ask(): Promise<void> {
    const before = this.#clock.now();
    const { row, unlocked } = await this.#db.tryLockRead<ReadingRow>(readingSql(this.#db));
    const newest = newestOf(row);
    const now = this.#clock.timeOf(before, row?.now ?? null);
    this.advance(unlocked ? this.#clock.watermark(newest, now) : newest);
  }
}
