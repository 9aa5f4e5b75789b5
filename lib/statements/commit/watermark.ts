import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, WriteSession } from '../../db/types.ts';
import { UnavailableError } from '../../errors.ts';
import type { PositionClock, TakingTime } from '../../position.ts';
import { newestOf, type ReadingRow, readingSql } from '../newest-position.ts';
import type { Position } from '../types.ts';

/** Milliseconds for which a watermark is reused. */
const fresh = 50;

/** Microseconds that a stored watermark may be behind the clock before a reader stores the next one. */
const storedEvery = 1_000_000;

/** How long (ms) a reader waits for that. */
const storePatience = 250;

/**
 * The consistent-through watermark. Positions rise in commit order, so it is the newest committed position, or the current
 * time when nobody holds the write lock, because a later holder uses later positions.
 *
 * Where servers replicate each other, the clock of the one that takes over may be behind. There a time becomes the watermark
 * only once it is stored as a position, which costs idle stores with readers a small transaction a second.
 */
export class Watermark {
  readonly #db: Database;
  readonly #clock: PositionClock;
  #position: Position = 0;
  #freshUntil = 0;
  /** Whether somebody has asked for it since the database was asked. */
  #isWanted = false;
  #asking: Promise<void> | undefined;
  #storing: Promise<void> | undefined;
  /** Whether the last one could not be stored in time, as while no standby confirms commits. Then no reader waits. */
  #storesLate = false;

  constructor(db: Database, clock: PositionClock) {
    this.#db = db;
    this.#clock = clock;
    // Refreshed with each question to the primary: reads from replicas wait for its answer anyway, and then find a fresh one.
    db.replicas?.onQuestion(() => {
      if (this.#isWanted && performance.now() > this.#freshUntil - fresh / 2) this.#refresh().catch(() => {});
    });
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

  /** At once where a fresh one is known; otherwise it asks the database, but never waits for the write lock. */
  current(): Position | Promise<Position> {
    this.#isWanted = true;
    if (performance.now() < this.#freshUntil) return this.#position;
    return this.#refresh().then(() => this.#position);
  }

  #refresh(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    this.#isWanted = false;
    const before = this.#clock.now();
    const { row, unlocked } = await this.#db.tryLockRead<ReadingRow>(readingSql(this.#db));
    const newest = newestOf(row);
    const now = this.#clock.timeOf(before, row?.now ?? null);
    if (unlocked) return this.advance(this.#clock.watermark(newest, now));
    if (this.#db.dialect.isReplicated && now - newest > storedEvery) await this.#storeInTime();
    this.advance(newest);
  }

  /** Until the next watermark is stored, the one before stays true. */
  async #storeInTime(): Promise<void> {
    this.#storing ??= this.#store().finally(() => {
      this.#storing = undefined;
    });
    this.#storing.catch(() => {});
    if (this.#storesLate) return;
    const inTime = new AbortController();
    const late = sleep(storePatience, undefined, { signal: inTime.signal }).then(
      () => {
        this.#storesLate = true;
      },
      () => {},
    );
    await Promise.race([this.#storing, late]).finally(() => inTime.abort());
  }

  async #store(): Promise<void> {
    const before = this.#clock.now();
    try {
      const stored = await this.#db.write(
        async (session) => {
          const [row] = await session.select<ReadingRow>(readingSql(session));
          const now = this.#clock.timeOf(before, row?.now ?? null);
          return storeWatermark(session, this.#clock, { now, newest: newestOf(row) });
        },
        { readsFirst: true },
      );
      this.advance(stored);
      this.#storesLate = false;
    } catch (error) {
      this.#storesLate = true;
      if (!(error instanceof UnavailableError)) throw error;
    }
  }
}

/**
 * The watermark that holds once a transaction that stores statements is committed.
 * @param onlyFound whether it has stored nothing, because others had stored the same. A standby has to have what the response
 *   says is stored, even if the commit of those others was interrupted: it has when it has a later write.
 */
export async function watermarkWithin(
  session: WriteSession,
  clock: PositionClock,
  time: TakingTime,
  onlyFound: boolean,
): Promise<Position> {
  if (onlyFound && session.dialect.isReplicated) return storeWatermark(session, clock, time);
  return clock.watermark(time.newest, time.now);
}

/** Makes the current time a position after which all later ones are. @returns the watermark that holds once the transaction is committed. */
async function storeWatermark(
  session: WriteSession,
  clock: PositionClock,
  time: TakingTime,
): Promise<Position> {
  const watermark = clock.take(1, time);
  await session.execute('UPDATE write_lock SET watermark = :watermark', { watermark });
  return watermark;
}
