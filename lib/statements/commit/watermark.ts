import type { Database } from '../../db/types.ts';
import type { PositionClock } from '../../position.ts';
import { newestOf, type ReadingRow, readingSql } from '../newest-position.ts';
import type { Position } from '../types.ts';

/** Milliseconds for which a watermark is reused. */
const fresh = 20;

/**
 * The consistent-through watermark. Positions rise in commit order, so it is the newest committed position, or the current
 * time when nobody holds the write lock, because a later holder uses later positions.
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

  /** To be called after a commit of this process, with the watermark of that transaction. */
  advance(position: Position): void {
    this.#position = Math.max(this.#position, position);
    this.#freshUntil = performance.now() + fresh;
  }

  /** The latest watermark known without asking the database; 0 when there is none. */
  get known(): Position {
    return this.#position;
  }

  /** Asks the database, but never waits for the write lock. */
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
