import type { BusyTime } from '../busy-time.ts';
import type { Database } from '../db/types.ts';
import { UnavailableError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Position } from '../statements/types.ts';
import type { ConsumerRow } from './consumer-store.ts';
import { type RunUntil, runHandler, TurnEndedError } from './handler-turn.ts';
import { type Batch, type BatchLimits, readBatch } from './item-reader.ts';
import { ConsumerLease, LeaseLostError, type LeaseOptions } from './lease.ts';
import type { RecentStatements } from './recent-statements.ts';
import { type FeedEffect, type FeedHandler, FeedTurnAborted } from './types.ts';

export interface RunnerOptions extends LeaseOptions {
  readonly limits: BatchLimits;
  readonly recent: RecentStatements;
  readonly logger: Logger;
  /** When clients of this process wait for their statements to be stored. */
  readonly storing: BusyTime;
  /** Called when an effect has been committed. */
  readonly onCommitted: () => void;
}

/** How long (ms) the database may not know of items that are done without an effect in it. */
const storeAfter = 1000;
/** A lease that ends before this (ms) may end before the next look, and with it what is known of such items. */
const shortLease = 2 * storeAfter;
/**
 * How long (ms) after a look for new items the next one is made at the earliest, so that many small commits are looked at
 * together: where the last one has found something to do, and where it has not.
 */
const pauses = { busy: 400, idle: 100 } as const;
/**
 * A consumer leaves the process and the write lock to clients: it works for as much of the time as none of them waits for
 * statements to be stored, but at least for this share.
 */
const leastShare = 1 / 10;
/**
 * How long (ms) it rests behind a turn during which a client has waited: long enough to tell how much of the time they do, and
 * if nothing is left to do no longer than a pause.
 */
const rests = { shortest: 20, longest: 5000 } as const;
/** How often a turn may be taken again at once. */
const mostRepetitions = 10;

/** Works for one consumer in this process, one batch after the other. */
export class ConsumerRunner {
  readonly name: string;
  readonly #db: Database;
  readonly #handler: FeedHandler;
  readonly #options: RunnerOptions;
  readonly #lease: ConsumerLease;
  #running: Promise<boolean> | undefined;
  /** Whether something was committed since the last look began. */
  #again = false;
  #nextLook = Number.NEGATIVE_INFINITY;
  #cancelLook: (() => void) | undefined;
  #repetitions = 0;
  /** When the last turn ended, and how long clients had waited until then (ms). */
  #turnEnd = { at: Number.NEGATIVE_INFINITY, storing: 0 };

  constructor(db: Database, name: string, handler: FeedHandler, options: RunnerOptions) {
    this.name = name;
    this.#db = db;
    this.#handler = handler;
    this.#options = options;
    this.#lease = new ConsumerLease(db, name, options);
  }

  /** Items up to here are done, as far as this process knows; undefined while another one may know better. */
  get position(): Position | undefined {
    return this.#lease.isHeld ? this.#lease.position : undefined;
  }

  /** Learns from its row who else works for the consumer. @param now microseconds since the epoch. */
  observe(row: ConsumerRow, now: number): void {
    this.#lease.observe(row, now);
  }

  /** Something was committed: looks for it, unless that is of no use. */
  wake(until: RunUntil): void {
    this.#again = true;
    if (this.#lease.isOpen) this.look(until);
  }

  /** Looks for new items at once or, soon after the last look or while it rests, a moment later. */
  look(until: RunUntil): void {
    if (this.#running !== undefined || this.#cancelLook !== undefined) return;
    const { clock } = this.#options;
    const wait = this.#nextLook - clock.monotonic();
    if (wait <= 0) {
      this.run(until);
      return;
    }
    this.#cancelLook = clock.after(wait, () => {
      this.#cancelLook = undefined;
      if (!until.signal.aborted) this.run(until);
    });
  }

  /**
   * Works until nothing is left.
   * @returns whether nothing is; it never fails, because failures are noted.
   */
  run(until: RunUntil): Promise<boolean> {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#running ??= this.#work(until);
    return this.#running;
  }

  async #work(until: RunUntil): Promise<boolean> {
    let finished = false;
    do {
      this.#again = false;
      finished = await this.#attempt(() => this.#catchUp(until));
    } while (this.#again && finished && !until.paced);
    this.#running = undefined;
    if (this.#again && finished && !until.signal.aborted) this.wake(until);
    return finished;
  }

  /** Stores how far the consumer has come, if the database has not known for a second. */
  async store(until: RunUntil): Promise<void> {
    if (this.#running !== undefined || !this.#lease.isHeld || this.#lease.unstoredFor < storeAfter) return;
    this.#again = false;
    this.#running = this.#attempt(() => this.#lease.store());
    await this.#running;
    this.#running = undefined;
    if (this.#again) this.wake(until);
  }

  /** Ends what is under way, and lets other processes take over at once. */
  async release(): Promise<void> {
    this.#again = false;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    await this.#running;
    await this.#attempt(() => this.#lease.release());
  }

  /** @returns whether nothing is left to do, or to be done before a rest. */
  async #catchUp(until: RunUntil): Promise<boolean> {
    const { clock, limits, recent, storing } = this.#options;
    for (let more = true; more; ) {
      if (!this.#lease.isHeld && !(await this.#lease.claim())) return false;
      if (until.signal.aborted || clock.date() >= until.deadline) return false;
      const turn = { begun: clock.monotonic(), storing: storing.milliseconds };
      this.#nextLook = turn.begun + pauses.idle;
      const after = this.#lease.position;
      const batch = await readBatch(this.#db, { after, limits, recent, handler: this.#handler });
      if (batch.through === after) return true;
      if (batch.items.length > 0) this.#nextLook += pauses.busy - pauses.idle;
      const through = await this.#workOn(batch, until);
      if (through === undefined) return true;
      more = batch.more || through < batch.through;
      const rest = this.#restAfter(turn, more);
      if (rest === 0 || !until.paced) continue;
      this.#nextLook = Math.max(this.#nextLook, clock.monotonic() + rest);
      if (more) this.#again = true;
      return true;
    }
    return true;
  }

  /**
   * How long (ms) to rest after a turn: not at all when no client has waited meanwhile.
   * @param turn when it began, and how long clients had waited until then (ms).
   * @param more whether something is left to do.
   */
  #restAfter(turn: { readonly begun: number; readonly storing: number }, more: boolean): number {
    const { clock, storing } = this.#options;
    const before = this.#turnEnd;
    this.#turnEnd = { at: clock.monotonic(), storing: storing.milliseconds };
    if (this.#turnEnd.storing === turn.storing) return 0;
    // Clients wait longer beside a turn, so what counts is how long they did before it.
    const waited = (turn.storing - before.storing) / Math.max(1, turn.begun - before.at);
    const share = Math.max(leastShare, 1 - waited);
    const rest = (this.#turnEnd.at - turn.begun) * (1 / share - 1);
    return Math.min(Math.max(rests.shortest, rest), more ? rests.longest : pauses.busy);
  }

  /** @returns up to where items are done; undefined when the consumer is at its end. */
  async #workOn(batch: Batch, until: RunUntil): Promise<Position | undefined> {
    try {
      const effect = await this.#effectOf(batch, until);
      const last = batch.items.at(-1)?.position ?? batch.through;
      const taken = effect.through >= last ? batch.through : effect.through;
      const through = Math.max(this.#lease.position, taken);
      await this.#settle(through, effect);
      this.#repetitions = 0;
      return effect.done ? undefined : through;
    } catch (error) {
      this.#repetitions += 1;
      if (!(error instanceof FeedTurnAborted) || this.#repetitions > mostRepetitions) throw error;
      return this.#lease.position;
    }
  }

  async #effectOf({ items, through }: Batch, until: RunUntil): Promise<FeedEffect> {
    if (items.length === 0) return { through };
    const { name: consumer } = this;
    return runHandler(items, {
      consumer,
      handler: this.#handler,
      lease: this.#lease,
      until,
      options: this.#options,
    });
  }

  async #settle(through: Position, effect: FeedEffect): Promise<void> {
    if (effect.write !== undefined || effect.done) {
      for (const part of effect.parts ?? []) await this.#lease.commitPart(part);
      await this.#lease.commit(through, effect);
      // The effect may consist of statements.
      if (!effect.done) this.#again = true;
      this.#options.onCommitted();
      return;
    }
    this.#lease.advance(through);
    const { unstoredFor, remaining, hasFailed } = this.#lease;
    if (unstoredFor >= storeAfter || remaining < shortLease || hasFailed) await this.#lease.store();
  }

  /** Notes what the work fails for. @returns whether it has succeeded, and has not said otherwise. */
  async #attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      return (await work()) !== false;
    } catch (error) {
      if (error instanceof LeaseLostError || error instanceof TurnEndedError) return false;
      this.#repetitions = 0;
      if (error instanceof UnavailableError) this.#lease.drop();
      else await this.#noteFailure(error);
      return false;
    }
  }

  async #noteFailure(error: unknown): Promise<void> {
    const { logger } = this.#options;
    logger.warn({ err: error, consumer: this.name }, 'an attempt to work for a consumer of the feed failed');
    // Where that can't be noted either, it is not: the next look tries again.
    await this.#lease.fail(error).catch(() => this.#lease.drop());
  }
}
