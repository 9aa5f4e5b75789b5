import { CommitOutcomeUnknownError } from '../db/commit-outcome.ts';
import type { Database, WriteSession } from '../db/types.ts';
import type { PositionClock } from '../position.ts';
import type { Position } from '../statements/types.ts';
import type { FeedClock } from './clock.ts';
import {
  type ConsumerRow,
  deleteConsumer,
  noFailure,
  selectConsumer,
  updateOutcome,
  updateProgress,
} from './consumer-store.ts';
import { outcomeOf } from './failure.ts';
import type { FeedEffect } from './types.ts';

export interface LeaseOptions {
  /** Identifies this process. */
  readonly owner: string;
  readonly milliseconds: number;
  readonly clock: FeedClock;
  /** Of the clock that all processes share. */
  readonly positions: PositionClock;
}

/** The lease is lost: another process works for the consumer, or it was paused or removed. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/**
 * The lease of one consumer, and its cursor. Every transaction verifies under the write lock that this process still has
 * the lease and that the cursor has not moved.
 */
export class ConsumerLease {
  readonly #db: Database;
  readonly #name: string;
  readonly #options: LeaseOptions;
  /** As stored in the database. */
  #stored: Position = 0;
  #position: Position = 0;
  /** In monotonic time. */
  #end = Number.NEGATIVE_INFINITY;
  #storedAt = Number.NEGATIVE_INFINITY;
  /** The end of another process's lease, or of a pause after a failure, in monotonic time, as far as it is known. */
  #openAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;

  constructor(db: Database, name: string, options: LeaseOptions) {
    this.#db = db;
    this.#name = name;
    this.#options = options;
  }

  /** The position up to which items are done. */
  get position(): Position {
    return this.#position;
  }

  get isHeld(): boolean {
    return this.remaining > 0;
  }

  /** Milliseconds for which this process certainly keeps the lease. */
  get remaining(): number {
    return this.#end - this.#options.clock.monotonic();
  }

  /** Whether this process has the lease or may try to take it. */
  get isOpen(): boolean {
    return this.isHeld || this.#openAt <= this.#options.clock.monotonic();
  }

  /** Whether the previous attempt failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Whether all progress is stored in the database. */
  get isStored(): boolean {
    return this.#position === this.#stored;
  }

  /** The age (ms) of progress that is not stored in the database; 0 when there is none. */
  get unstoredFor(): number {
    return this.isStored ? 0 : this.#options.clock.monotonic() - this.#storedAt;
  }

  /**
   * Updates the lease from the consumer's row.
   * @param now microseconds since the epoch.
   */
  observe({ state, lease_owner, lease_until, next_attempt }: ConsumerRow, now: number): void {
    const { owner, clock } = this.#options;
    const taken = lease_owner === null || lease_owner === owner ? 0 : lease_until;
    const wait = (Math.max(taken, next_attempt) - now) / 1000;
    this.#openAt = state === 'paused' ? Number.POSITIVE_INFINITY : clock.monotonic() + wait;
  }

  /**
   * Takes or renews the lease.
   * @returns false when this process must not work for the consumer now.
   */
  async claim(): Promise<boolean> {
    const { owner } = this.#options;
    const row = await this.#transact(async (session, before) => {
      const found = await selectConsumer(session, this.#name);
      if (found === undefined) return undefined;
      const now = this.#time(found, before);
      this.observe(found, now);
      if (!isDue(found, owner, now)) return undefined;
      this.#extend(session, found.position, now);
      return found;
    });
    if (row === undefined) return false;
    this.#stored = row.position;
    this.#position = row.position;
    this.#hasFailed = row.attempts > 0;
    return true;
  }

  /** Items up to this position are done without an effect; the database learns of it later. */
  advance(through: Position): void {
    if (this.#position === this.#stored) this.#storedAt = this.#options.clock.monotonic();
    this.#position = through;
  }

  /**
   * Writes a part of an effect, without moving the cursor.
   * @throws LeaseLostError, and the errors of `write`.
   */
  async commitPart(write: (session: WriteSession) => Promise<void>): Promise<void> {
    const position = this.#position;
    await this.#verified(async (session, _, now) => {
      await write(session);
      this.#extend(session, position, now);
    });
    this.#stored = position;
  }

  /**
   * Writes an effect and moves the cursor.
   * @throws LeaseLostError, and the errors of `write`.
   */
  async commit(through: Position, { write, done = false }: FeedEffect): Promise<void> {
    const before = this.#stored;
    try {
      await this.#verified(async (session, row, now) => {
        await write?.(session);
        if (done) await deleteConsumer(session, this.#name);
        else await this.#noteSuccess(session, row, { through, now });
      });
    } catch (error) {
      const moved = through > before || done;
      if (!(error instanceof CommitOutcomeUnknownError && moved && (await this.#hasCome(through, done)))) {
        throw error;
      }
    }
    this.#adopt(through);
    if (done) this.drop();
  }

  /**
   * Stores the cursor and renews the lease.
   * @throws LeaseLostError
   */
  async store(): Promise<void> {
    const through = this.#position;
    await this.#verified((session, row, now) => this.#noteSuccess(session, row, { through, now }));
    this.#adopt(through);
  }

  /**
   * Renews the lease during an attempt.
   * @throws LeaseLostError
   */
  async renew(): Promise<void> {
    await this.commitPart(async () => {});
  }

  /** Records a failed attempt and ends the lease: after the pause any process may try again. */
  async fail(error: unknown): Promise<void> {
    await this.#verified(async (session, row, now) => {
      await updateProgress(session, this.#name, { position: this.#position, owner: null, until: 0 });
      await updateOutcome(session, this.#name, outcomeOf(error, row.attempts + 1, now));
    });
    this.drop();
  }

  /** Lets other processes take over at once. */
  async release(): Promise<void> {
    if (!this.isHeld) return;
    await this.#verified((session) =>
      updateProgress(session, this.#name, { position: this.#position, owner: null, until: 0 }),
    );
    this.drop();
  }

  /** Forgets the lease without telling the database. */
  drop(): void {
    this.#end = Number.NEGATIVE_INFINITY;
  }

  #time(row: ConsumerRow, before: number): number {
    return this.#options.positions.timeOf(before, row.now);
  }

  /** The last write of a transaction. */
  #extend(session: WriteSession, position: Position, now: number): void {
    const { owner, milliseconds } = this.#options;
    const until = now + milliseconds * 1000;
    session.send(updateProgress(session, this.#name, { position, owner, until }));
  }

  async #noteSuccess(
    session: WriteSession,
    row: ConsumerRow,
    { through, now }: { readonly through: Position; readonly now: number },
  ): Promise<void> {
    if (row.attempts > 0) await updateOutcome(session, this.#name, noFailure);
    this.#extend(session, through, now);
  }

  #adopt(through: Position): void {
    this.#stored = through;
    this.#position = through;
    this.#hasFailed = false;
  }

  /** Whether a transaction with an unknown outcome has moved the cursor. */
  async #hasCome(through: Position, done: boolean): Promise<boolean> {
    const row = await this.#db.read((session) => selectConsumer(session, this.#name));
    return row === undefined ? done : row.position === through && row.lease_owner === this.#options.owner;
  }

  /** @param work receives the time, in microseconds since the epoch. */
  async #verified(
    work: (session: WriteSession, row: ConsumerRow, now: number) => Promise<unknown>,
  ): Promise<void> {
    const { owner } = this.#options;
    const held = await this.#transact(async (session, before) => {
      const row = await selectConsumer(session, this.#name);
      if (row === undefined || row.position !== this.#stored) return undefined;
      const now = this.#time(row, before);
      if (!isHeldBy(row, owner, now)) return undefined;
      await work(session, row, now);
      return true;
    });
    if (held) return;
    this.drop();
    throw new LeaseLostError('The lease of the consumer has ended.');
  }

  /** The lease is counted from before the transaction began, so it ends here before it ends for others. */
  async #transact<T>(
    work: (session: WriteSession, before: number) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { clock, milliseconds, positions } = this.#options;
    let begun = clock.monotonic();
    const result = await this.#db.write(
      (session) => {
        begun = clock.monotonic();
        return work(session, positions.now());
      },
      { readsFirst: true },
    );
    if (result !== undefined) this.#end = begun + milliseconds;
    return result;
  }
}

/** Whether a process may begin to work for the consumer. @param now microseconds since the epoch, as the times of the row. */
export function isDue(row: ConsumerRow, owner: string, now: number): boolean {
  if (row.state === 'paused' || row.next_attempt > now) return false;
  return row.lease_owner === null || row.lease_owner === owner || row.lease_until <= now;
}

/** Whether another process works for the consumer. @param now as above. */
export function isHeldByAnother(row: ConsumerRow, owner: string, now: number): boolean {
  return row.lease_owner !== null && row.lease_owner !== owner && isHeldBy(row, row.lease_owner, now);
}

function isHeldBy(row: ConsumerRow, owner: string, now: number): boolean {
  return row.state !== 'paused' && row.lease_owner === owner && row.lease_until > now;
}
