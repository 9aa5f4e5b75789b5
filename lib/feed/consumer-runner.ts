import type { BusyTime } from '../busy-time.ts';
import type { Gate } from '../db/gate.ts';
import { readingFromReplicas } from '../db/replica-reads.ts';
import type { Database } from '../db/types.ts';
import type { Logger } from '../logger.ts';
import type { Position } from '../statements/types.ts';
import type { ConsumerRow } from './consumer-store.ts';
import { type RunUntil, runHandler, TurnEndedError } from './handler-turn.ts';
import { type Batch, type BatchLimits, partOf, readBatch } from './item-reader.ts';
import { ConsumerLease, LeaseLostError, type LeaseOptions } from './lease.ts';
import { Outages } from './outages.ts';
import type { RecentStatements } from './recent-statements.ts';
import { isOutage, isTooLong, NotWrittenError } from './turn-errors.ts';
import { type FeedEffect, type FeedHandler, FeedTurnAborted } from './types.ts';

export interface RunnerOptions extends LeaseOptions {
  readonly limits: BatchLimits;
  readonly recent: RecentStatements;
  readonly logger: Logger;
  /** Measures the time during which clients of this process wait for their statements to be stored. */
  readonly storing: BusyTime;
  /**
   * The consumers of this process that have items left, and whether they work in the background: they share the time that clients
   * leave.
   */
  readonly behind: Map<string, boolean>;
  /** Held by the consumer of this process that works in the background. */
  readonly background: Gate;
  /** Called after an effect is committed. */
  readonly onCommitted: () => void;
}

/** The longest time (ms) for which progress without an effect is not stored in the database. */
const storeAfter = 1000;
/** A lease with less time left (ms) may end before the next poll, so unsaved progress is stored before. */
const shortLease = 2 * storeAfter;
/**
 * The shortest time (ms) between two polls for new items, so that many small commits are handled together: after a poll
 * that found items, and after one that did not.
 */
const pauses = { busy: 400, idle: 100 } as const;
/**
 * Consumers yield the CPU and the write lock to clients: they work while no client waits for statements to be stored, but
 * at least for this fraction of the time, all of a process together.
 */
const leastShare = 1 / 20;
/** The rest (ms) after a turn during which a client has waited: long enough to measure how much clients wait. */
const rests = { shortest: 20, longest: 5000 } as const;
/** The number of times that a turn may be repeated at once. */
const mostRepetitions = 10;
/** So many leave one item of the largest batch. */
const mostHalvings = 12;

/** Works for one consumer in this process, one batch after another. */
export class ConsumerRunner {
  readonly name: string;
  readonly outages: Outages;
  readonly #db: Database;
  readonly #handler: FeedHandler;
  readonly #options: RunnerOptions;
  readonly #lease: ConsumerLease;
  #running: Promise<boolean> | undefined;
  /** Whether something was committed since the last poll began. */
  #again = false;
  /** Whether the next turn is for the handler also where there are no items. */
  #isIdleTurn = false;
  #nextPoll = Number.NEGATIVE_INFINITY;
  #cancelPoll: (() => void) | undefined;
  #repetitions = 0;
  /**
   * A turn gets all items of a batch, half of them, a quarter and so on: fewer after each turn that was repeated or has taken
   * too long, and more again after one that was not.
   */
  #halvings = 0;
  /** How many rows the next batch looks at. */
  #rows: number;
  /** How many turns in a row have ended when they were to be written, because the database seemed to be out of reach. */
  #unwritten = 0;
  /** The end of the last turn, and the total time (ms) that clients had waited until then. */
  #turnEnd = { at: Number.NEGATIVE_INFINITY, storing: 0 };

  constructor(db: Database, name: string, handler: FeedHandler, options: RunnerOptions) {
    this.name = name;
    this.#db = db;
    this.#handler = handler;
    this.#options = options;
    this.#rows = options.limits.statements;
    this.#lease = new ConsumerLease(db, name, options);
    this.outages = new Outages(options.clock);
  }

  /** Items up to this position are done, as far as this process knows; undefined while another process may know better. */
  get position(): Position | undefined {
    return this.#lease.isHeld ? this.#lease.position : undefined;
  }

  /**
   * Updates the lease from the consumer's row.
   * @param now microseconds since the epoch.
   */
  observe(row: ConsumerRow, now: number): void {
    this.#lease.observe(row, now);
  }

  /** For a consumer without items for which this process may work. @returns whether a poll is to give it a turn. */
  offerIdleTurn(): boolean {
    this.#isIdleTurn = this.#running === undefined && (this.#handler.wantsIdleTurn?.(this.name) ?? false);
    return this.#isIdleTurn;
  }

  /** Something was committed: schedules a poll, unless another process works for the consumer. */
  wake(until: RunUntil): void {
    this.#again = true;
    if (this.#lease.isOpen) this.poll(until);
  }

  /** Polls for new items: at once, or shortly after the last poll or after the rest. */
  poll(until: RunUntil): void {
    if (this.#running !== undefined || this.#cancelPoll !== undefined) return;
    const { clock } = this.#options;
    const wait = Math.max(this.#nextPoll - clock.monotonic(), this.outages.pause);
    if (wait <= 0) {
      this.run(until);
      return;
    }
    this.#cancelPoll = clock.after(wait, () => {
      this.#cancelPoll = undefined;
      if (!until.signal.aborted) this.run(until);
    });
  }

  /**
   * Works until no items are left.
   * @returns whether none is left; it never fails, because failures are recorded.
   */
  run(until: RunUntil): Promise<boolean> {
    this.#cancelPoll?.();
    this.#cancelPoll = undefined;
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

  /** Stores the consumer's progress if that was not done for a second. */
  async store(until: RunUntil): Promise<void> {
    if (this.#running !== undefined || !this.#lease.isHeld || this.#lease.unstoredFor < storeAfter) return;
    this.#again = false;
    this.#running = this.#attempt(() => this.#lease.store());
    await this.#running;
    this.#running = undefined;
    if (this.#again) this.wake(until);
  }

  /** Ends the current work and lets other processes take over at once. */
  async release(): Promise<void> {
    this.#again = false;
    this.#cancelPoll?.();
    this.#cancelPoll = undefined;
    await this.#running;
    this.#options.behind.delete(this.name);
    await this.#attempt(() => this.#lease.release());
  }

  /** @returns whether no items are left, or none before a rest. */
  async #catchUp(until: RunUntil): Promise<boolean> {
    for (;;) {
      const next = await this.#inTurn(() => this.#takeTurn(until));
      if (next !== 'again') return next === 'rest';
    }
  }

  /**
   * Consumers in the background work one after another: if many of them shared the time that is left for it, no turn would end
   * before it has taken too long.
   */
  async #inTurn<T>(turn: () => Promise<T>): Promise<T> {
    if (!this.#handler.inBackground) return turn();
    const { background } = this.#options;
    // The lease may end before it is this one's turn.
    if (!background.isFree && this.#lease.isHeld && !this.#lease.isStored) await this.#lease.store();
    return background.exclusive(turn);
  }

  /** @returns `rest` when no items are left, or none before a rest, and `stop` when this process must not work for the consumer. */
  async #takeTurn(until: RunUntil): Promise<'again' | 'rest' | 'stop'> {
    const { clock, limits, recent, storing } = this.#options;
    if (!this.#lease.isHeld && !(await this.#lease.claim())) return 'stop';
    if (until.signal.aborted || clock.date() >= until.deadline) return 'stop';
    const turn = { begun: clock.monotonic(), storing: storing.milliseconds };
    this.#nextPoll = turn.begun + pauses.idle;
    const after = this.#lease.position;
    const query = { after, limits, rows: this.#rows, recent, handler: this.#handler, consumer: this.name };
    const batch = await readBatch(readingFromReplicas(this.#db), query);
    this.#rows = batch.nextRows;
    const isIdle = this.#isIdleTurn;
    this.#isIdleTurn = false;
    if (batch.through === after && !isIdle) return 'rest';
    if (batch.items.length > 0) this.#nextPoll += pauses.busy - pauses.idle;
    const through = await this.#workOn(batch, until);
    if (through === undefined) return 'rest';
    const more = batch.more || through < batch.through;
    const rest = this.#restAfter(turn, more);
    if (rest === 0 || !until.paced) return more ? 'again' : 'rest';
    this.#nextPoll = Math.max(this.#nextPoll, clock.monotonic() + rest);
    if (more) this.#again = true;
    return 'rest';
  }

  /**
   * The rest (ms) after a turn; 0 when no client has waited.
   * @param turn when it began, and how long clients had waited until then (ms).
   * @param more whether items are left.
   */
  #restAfter(turn: { readonly begun: number; readonly storing: number }, more: boolean): number {
    const { clock, storing, behind } = this.#options;
    const { inBackground = false } = this.#handler;
    if (more) behind.set(this.name, inBackground);
    else behind.delete(this.name);
    const before = this.#turnEnd;
    this.#turnEnd = { at: clock.monotonic(), storing: storing.milliseconds };
    if (this.#turnEnd.storing === turn.storing) return 0;
    // A turn makes clients wait longer, so the time before the turn counts.
    const waited = (turn.storing - before.storing) / Math.max(1, turn.begun - before.at);
    const sharing = [...behind.values()].filter((isBehindOthers) => inBackground || !isBehindOthers);
    const share = Math.max(leastShare, 1 - waited) / Math.max(1, sharing.length);
    const rest = (this.#turnEnd.at - turn.begun) * (1 / share - 1);
    return Math.min(Math.max(rests.shortest, rest), rests.longest);
  }

  /** @returns the position up to which items are done; undefined when the consumer has reached its end. */
  async #workOn(batch: Batch, until: RunUntil): Promise<Position | undefined> {
    const some = partOf(batch, this.#halvings);
    let effect: FeedEffect | undefined;
    try {
      effect = await this.#effectOf(some, until);
      const last = some.items.at(-1)?.position ?? some.through;
      const taken = effect.through >= last ? some.through : effect.through;
      const through = Math.max(this.#lease.position, taken);
      await this.#settle(through, effect, until);
      this.#repetitions = 0;
      this.#unwritten = 0;
      this.outages.end();
      this.#halvings = Math.max(0, this.#halvings - 1);
      return effect.done ? undefined : through;
    } catch (error) {
      const isAborted = error instanceof FeedTurnAborted;
      // What is to be written may be too much for a transaction, which then ends as if the database were out of reach.
      const isUnwritten = effect !== undefined && isOutage(error);
      if (isAborted || isUnwritten || isTooLong(error))
        this.#halvings = Math.min(this.#halvings + 1, mostHalvings);
      this.#unwritten = isUnwritten ? this.#unwritten + 1 : 0;
      if (this.#unwritten > mostRepetitions) throw new NotWrittenError(this.#unwritten, error);
      if (!isAborted || !error.mayRecur) this.#repetitions += 1;
      if (!isAborted || this.#repetitions > mostRepetitions) throw error;
      return this.#lease.position;
    } finally {
      effect?.release?.();
    }
  }

  async #effectOf({ items, through }: Batch, until: RunUntil): Promise<FeedEffect> {
    if (items.length === 0 && through !== this.#lease.position) return { through };
    const turn = { consumer: this.name, handler: this.#handler, lease: this.#lease, until };
    return runHandler(items, { ...turn, options: this.#options });
  }

  async #settle(through: Position, effect: FeedEffect, until: RunUntil): Promise<void> {
    if (effect.write !== undefined || effect.done) {
      for (const part of effect.parts ?? []) {
        this.#requireTime(until);
        await this.#lease.commitPart(part);
      }
      this.#requireTime(until);
      await this.#lease.commit(through, effect);
      // The effect may contain statements.
      if (!effect.done) this.#again = true;
      this.#options.onCommitted();
      return;
    }
    this.#lease.advance(through);
    const { unstoredFor, remaining, hasFailed } = this.#lease;
    if (unstoredFor >= storeAfter || remaining < shortLease || hasFailed) await this.#lease.store();
  }

  /** @throws TurnEndedError when the time is over: what is not written is done again. */
  #requireTime({ deadline }: RunUntil): void {
    if (this.#options.clock.date() >= deadline) throw new TurnEndedError('The time is over.');
  }

  /**
   * Records the error when the work fails.
   * @returns whether it succeeded and did not report otherwise.
   */
  async #attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      const result = await work();
      this.outages.end();
      return result !== false;
    } catch (error) {
      // It works no more for a while, or another process does.
      this.#options.behind.delete(this.name);
      if (error instanceof LeaseLostError || error instanceof TurnEndedError) return false;
      this.#repetitions = 0;
      if (isOutage(error)) {
        this.#lease.drop();
        this.outages.note();
      } else await this.#noteFailure(error);
      return false;
    }
  }

  async #noteFailure(error: unknown): Promise<void> {
    const { logger } = this.#options;
    logger.warn({ err: error, consumer: this.name }, 'an attempt to work for a consumer of the feed failed');
    // If that fails too, the next poll tries again.
    await this.#lease.fail(error).catch(() => this.#lease.drop());
  }
}
