import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { BusyTime } from '../busy-time.ts';
import { Gate } from '../db/gate.ts';
import type { Database, WriteSession } from '../db/types.ts';
import { UnavailableError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { PositionClock } from '../position.ts';
import type { CommittedStatements } from '../statements/types.ts';
import { type FeedClock, systemClock } from './clock.ts';
import { ConsumerRunner, type RunnerOptions } from './consumer-runner.ts';
import {
  type ConsumerRow,
  cursorOf,
  deleteConsumer,
  insertConsumer,
  noFailure,
  pauseConsumer,
  selectConsumers,
  updateOutcome,
} from './consumer-store.ts';
import { pruneEvents } from './event-store.ts';
import type { RunUntil } from './handler-turn.ts';
import type { BatchLimits } from './item-reader.ts';
import { isDue, isHeldByAnother } from './lease.ts';
import { RecentStatements } from './recent-statements.ts';
import { listConsumers } from './status-reader.ts';
import type { ConsumerStatus, Feed, FeedHandler, NewConsumer } from './types.ts';

export interface FeedOptions {
  readonly logger: Logger;
  readonly limits: BatchLimits;
  /** The lease of a process: how long it may be unresponsive before another one takes over. */
  readonly leaseSeconds: number;
  /** Measures the time during which clients of this process wait for their statements to be stored; undefined: never. */
  readonly storing?: BusyTime;
  /** For tests. */
  readonly clock?: FeedClock;
  /** Microseconds since the epoch, in place of the clock of the database's server or of this machine; for tests. */
  readonly now?: () => number;
}

/**
 * The interval (ms) between polls for commits of other processes: usually, and after a poll that found items, because more
 * are likely.
 */
const pollEvery = { idle: 1000, busy: 250 } as const;
/** The interval (ms) between looks for leases of others that have ended. */
const heldPause = 50;

export function createFeed(db: Database, options: FeedOptions): Feed {
  return new ServedFeed(db, options);
}

/** What `start` has started. */
interface Service {
  readonly until: RunUntil;
  readonly end: () => void;
  cancelPoll: () => void;
  polling: Promise<void>;
}

class ServedFeed implements Feed {
  readonly #db: Database;
  readonly #handlers = new Map<string, FeedHandler>();
  /** By the name of the consumer. */
  readonly #runners = new Map<string, ConsumerRunner>();
  readonly #options: RunnerOptions;
  #service: Service | undefined;

  constructor(
    db: Database,
    { logger, leaseSeconds, limits, storing = new BusyTime(), clock = systemClock, now }: FeedOptions,
  ) {
    this.#db = db;
    this.#options = {
      owner: randomUUID(),
      milliseconds: leaseSeconds * 1000,
      clock,
      positions: new PositionClock(now),
      limits,
      recent: new RecentStatements(limits.statements),
      storing,
      behind: new Map(),
      background: new Gate(),
      logger,
      onCommitted: () => this.wake(),
    };
  }

  register(kind: string, handler: FeedHandler): void {
    if (this.#handlers.has(kind)) {
      throw new Error(`There is a handler for consumers of the kind ${kind} already.`);
    }
    this.#handlers.set(kind, handler);
  }

  async ensureConsumer(consumer: NewConsumer, session?: WriteSession): Promise<void> {
    const { name } = consumer;
    const known = await (session
      ? cursorOf(session, name)
      : this.#db.read((reader) => cursorOf(reader, name)));
    if (known !== undefined) return;
    await this.#change((writer) => insertConsumer(writer, consumer), session);
  }

  removeConsumer(name: string, session?: WriteSession): Promise<void> {
    return this.#change((writer) => deleteConsumer(writer, name), session);
  }

  pause(name: string): Promise<void> {
    return this.#change((session) => pauseConsumer(session, name));
  }

  resume(name: string): Promise<void> {
    return this.#change((session) => updateOutcome(session, name, noFailure));
  }

  list(): Promise<ConsumerStatus[]> {
    return listConsumers(this.#db, this.#options.positions);
  }

  wake(committed?: CommittedStatements): void {
    if (this.#service === undefined) return;
    if (committed !== undefined) this.#options.recent.note(committed);
    for (const runner of this.#runners.values()) runner.wake(this.#service.until);
  }

  start(): void {
    if (this.#handlers.size === 0 || this.#service !== undefined) return;
    const abort = new AbortController();
    // Each consumer at work listens to it.
    setMaxListeners(0, abort.signal);
    const until = { deadline: Number.POSITIVE_INFINITY, signal: abort.signal, paced: true };
    this.#service = { until, end: () => abort.abort(), cancelPoll: () => {}, polling: Promise.resolve() };
    this.#pollAfter(0);
  }

  async stop(): Promise<void> {
    const service = this.#service;
    if (service === undefined) return;
    this.#service = undefined;
    service.cancelPoll();
    service.end();
    await service.polling;
    await Promise.all([...this.#runners.values()].map((runner) => runner.release()));
  }

  async runUntil(deadline: number, { waits = false } = {}): Promise<boolean> {
    if (this.#handlers.size === 0) return true;
    const until = { deadline, signal: new AbortController().signal, paced: false };
    const served = new Set<ConsumerRunner>();
    const unfinished = new Set<ConsumerRunner>();
    try {
      for (;;) {
        const { due, held } = await this.#selectDue();
        const isOver = this.#options.clock.date() >= deadline;
        if (due.length === 0 && (held === 0 || !waits)) return unfinished.size === 0;
        if (isOver) return false;
        if (due.length === 0) await sleep(heldPause);
        for (const runner of due) {
          served.add(runner);
          unfinished.add(runner);
        }
        await Promise.all(
          due.map(async (runner) => {
            if (await runner.run(until)) unfinished.delete(runner);
          }),
        );
        if (unfinished.size > 0 && !waits) return false;
        const pause = Math.max(0, ...[...unfinished].map(({ outages }) => outages.pause));
        if (pause > 0) await sleep(Math.min(pause, Math.max(0, deadline - this.#options.clock.date())));
      }
    } finally {
      if (this.#service === undefined) await Promise.all([...served].map((runner) => runner.release()));
    }
  }

  async #change(work: (session: WriteSession) => Promise<void>, session?: WriteSession): Promise<void> {
    if (session !== undefined) return work(session);
    await this.#db.write(work);
    this.#pollAfter(0);
  }

  #pollAfter(milliseconds: number): void {
    const service = this.#service;
    if (service === undefined) return;
    service.cancelPoll();
    service.cancelPoll = this.#options.clock.after(milliseconds, () => {
      // One after another, so that `stop` waits for all.
      service.polling = service.polling.then(() => this.#pollOnce(service));
    });
  }

  async #pollOnce(service: Service): Promise<void> {
    if (this.#service !== service) return;
    const pause = await this.#poll(service.until);
    if (this.#service === service) this.#pollAfter(pause);
  }

  /** @returns the milliseconds until the next poll. */
  async #poll(until: RunUntil): Promise<number> {
    try {
      const { due } = await this.#selectDue();
      for (const runner of due) runner.poll(until);
      await Promise.all([...this.#runners.values()].map((runner) => runner.store(until)));
      return due.length > 0 ? pollEvery.busy : pollEvery.idle;
    } catch (error) {
      // Requests log an outage of the database.
      if (!(error instanceof UnavailableError)) {
        this.#options.logger.warn({ err: error }, 'the feed could not poll for new items');
      }
      return pollEvery.idle;
    }
  }

  /** The consumers that have something to do and for which this process may work, and how many others work for. */
  async #selectDue(): Promise<{ readonly due: readonly ConsumerRunner[]; readonly held: number }> {
    const { positions, owner } = this.#options;
    const before = positions.now();
    const rows = await this.#db.read(selectConsumers);
    const names = new Set(rows.map(({ name }) => name));
    for (const name of this.#runners.keys()) {
      if (names.has(name)) continue;
      this.#runners.delete(name);
      this.#options.behind.delete(name);
    }
    if (hasPassedEvents(rows)) await this.#db.write(pruneEvents);
    const due: ConsumerRunner[] = [];
    let held = 0;
    for (const row of rows) {
      const runner = this.#runnerOf(row);
      if (runner === undefined) continue;
      const now = positions.timeOf(before, row.now);
      runner.observe(row, now);
      const done = runner.position ?? row.position;
      const hasItems = Math.max(row.statement ?? 0, row.event ?? 0) > done;
      if (isDue(row, owner, now)) {
        if (hasItems || runner.offerIdleTurn()) due.push(runner);
      } else if (hasItems && isHeldByAnother(row, owner, now)) held += 1;
    }
    return { due, held };
  }

  #runnerOf({ name, kind }: ConsumerRow): ConsumerRunner | undefined {
    const handler = this.#handlers.get(kind);
    if (handler === undefined) return undefined;
    const runner = this.#runners.get(name) ?? new ConsumerRunner(this.#db, name, handler, this.#options);
    this.#runners.set(name, runner);
    return runner;
  }
}

/** Whether all consumers that need events have passed one that is not the newest. */
function hasPassedEvents(rows: readonly ConsumerRow[]): boolean {
  const { event = null, oldest_event: oldest = null } = rows[0] ?? {};
  if (event === null || oldest === null || oldest >= event) return false;
  return rows.every(({ position, takes_events }) => takes_events === 0 || position >= oldest);
}
