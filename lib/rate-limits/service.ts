import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, WriteSession } from '../db/types.ts';
import { Allowance, type Grant } from './allowance.ts';
import { keptFor, readMarks, removeEndedMarks, writeMarks } from './marks-store.ts';
import type { RateLimited, RateLimitOptions, RateLimitService } from './types.ts';

/** Most limits that a process knows at the same time; it forgets the one that was not used for the longest time. */
const maximumKnown = 10_000;
/** Most limits in one transaction. */
const batchSize = 200;
/** Most limits that wait for a slice; the process limits further ones alone, so that none waits long. */
const mostWanted = 2 * batchSize;
/** Milliseconds after which a process goes on alone, because the database is busy or out of reach. */
const patience = 250;
/** How often a request of a server waits for a slice: one that is being taken when it comes does not include it. */
const mostWaits = 3;
/**
 * Milliseconds after which a server refuses a request: who sends as fast as refusals come would otherwise keep the process busy with
 * them. A connection that waits has no other request.
 */
const refusalDelay = 100;
/** Milliseconds between two transactions of a process. */
const pause = 50;

type Grants = ReadonlyMap<Allowance, Grant>;

/** @returns undefined when no limit is set. */
export function createRateLimits(db: Database, options: RateLimitOptions): RateLimitService | undefined {
  const { keyPair, address } = options.rates;
  return keyPair === undefined && address === undefined ? undefined : new SharedRateLimits(db, options);
}

/** Those of a store beside others: its key pairs count there, addresses in all stores together. */
export function sharingAddresses(
  own: RateLimitService | undefined,
  shared: RateLimitService | undefined,
): RateLimitService | undefined {
  if (shared === undefined) return own;
  return { admit: (by, name) => (by === 'address' ? shared : own)?.admit(by, name) };
}

/** Takes slices of each limit from the database and admits requests by itself (docs/decisions/0066). */
class SharedRateLimits implements RateLimitService {
  readonly #db: Database;
  readonly #options: RateLimitOptions;
  readonly #now: () => number;
  readonly #allowances = new Map<string, Allowance>();
  readonly #wanted = new Set<Allowance>();
  #isTaking = false;
  /** Whether a transaction of this process lasts too long; meanwhile it limits alone. */
  #isLate = false;

  constructor(db: Database, options: RateLimitOptions) {
    this.#db = db;
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  admit(by: RateLimited, name: string): Promise<void> | undefined {
    const rate = this.#options.rates[by];
    if (rate === undefined) return undefined;
    const allowance = this.#allowanceOf(by, name, rate);
    const now = this.#now();
    if (this.#options.waits) return this.#admitWaiting(allowance, now);
    if (allowance.isLow(now)) this.#want(allowance);
    try {
      return allowance.use(now, allowance.slice) ? undefined : this.#admitAfterSlice(allowance);
    } catch (error) {
      return refuseLater(error);
    }
  }

  #admitWaiting(allowance: Allowance, now: number): Promise<void> | undefined {
    return allowance.use(now, 0) ? undefined : this.#admitAfterTaking(allowance);
  }

  async #admitAfterTaking(allowance: Allowance): Promise<void> {
    this.#settle([allowance], await this.#grants([allowance]));
    const now = this.#now();
    if (!allowance.use(now, 0)) throw allowance.refusal(now);
  }

  async #admitAfterSlice(allowance: Allowance): Promise<void> {
    for (let waits = 0; waits < mostWaits; waits += 1) {
      const next = allowance.nextSlice(this.#now());
      this.#want(allowance);
      await next;
      if (allowance.use(this.#now(), 0)) return;
    }
    throw allowance.refusal(this.#now());
  }

  #allowanceOf(by: RateLimited, name: string, rate: number): Allowance {
    const id = `${by} ${name}`;
    const known = this.#allowances.get(id);
    if (known !== undefined) {
      // They are in the order of their last use.
      this.#allowances.delete(id);
      this.#allowances.set(id, known);
      return known;
    }
    const [unused] = this.#allowances.keys();
    if (this.#allowances.size >= maximumKnown && unused !== undefined) this.#allowances.delete(unused);
    const mark = createHmac('sha256', this.#options.key).update(id).digest('hex').slice(0, 32);
    const free = Math.max(1, Math.round(rate * this.#options.burstSeconds));
    const allowance = new Allowance({ mark, free, interval: 1000 / rate }, by);
    this.#allowances.set(id, allowance);
    return allowance;
  }

  #want(allowance: Allowance): void {
    if (this.#wanted.has(allowance)) return;
    if (this.#isLate || this.#wanted.size >= mostWanted) {
      allowance.addAlone(this.#now());
      return;
    }
    this.#wanted.add(allowance);
    if (!this.#isTaking) void this.#takeAll();
  }

  async #takeAll(): Promise<void> {
    this.#isTaking = true;
    while (this.#wanted.size > 0) {
      await this.#takeInTime([...this.#wanted].slice(0, batchSize));
      await sleep(pause, undefined, { ref: false });
    }
    this.#isTaking = false;
  }

  async #takeInTime(batch: readonly Allowance[]): Promise<void> {
    const timer = new AbortController();
    const late = sleep(patience, 'late' as const, { ref: false, signal: timer.signal }).catch(
      () => 'late' as const,
    );
    const grants = this.#grants(batch);
    const outcome = await Promise.race([grants, late]);
    timer.abort();
    if (outcome !== 'late') {
      this.#settle(batch, outcome);
      return;
    }
    this.#isLate = true;
    void grants.then((granted) => {
      this.#isLate = false;
      for (const [allowance, grant] of granted ?? []) allowance.addLate(grant);
    });
    this.#settle([...this.#wanted], undefined);
  }

  /** Adds slices that were taken; without any, the process counts alone: a database that does not answer limits nobody. */
  #settle(batch: readonly Allowance[], grants: Grants | undefined): void {
    const now = this.#now();
    for (const allowance of batch) {
      const grant = grants?.get(allowance);
      this.#wanted.delete(allowance);
      if (grant === undefined) allowance.addAlone(now);
      else allowance.add(grant, now);
    }
  }

  /** Takes a slice of each limit. @returns undefined when the database does not answer. */
  async #grants(batch: readonly Allowance[]): Promise<Grants | undefined> {
    try {
      return await this.#db.write((session) => this.#grant(session, batch), { readsFirst: true });
    } catch {
      return undefined;
    }
  }

  async #grant(session: WriteSession, batch: readonly Allowance[]): Promise<Grants> {
    const names = batch.map(({ limit }) => limit.mark);
    const { ends, now: there } = await readMarks(session, names, this.#options.now);
    const now = this.#now();
    // Between the clock of the server, by which ends are stored, and that of this process.
    const difference = there - now;
    const grants = new Map(
      batch.map((allowance) => {
        const known = ends.get(allowance.limit.mark);
        return [allowance, allowance.grantOf(known === undefined ? 0 : known - difference, now)];
      }),
    );
    const changed = [...grants].filter(([, { count }]) => count > 0);
    if (changed.length > 0) {
      session.send(removeEndedMarks(session, there - keptFor));
      const written = changed.map(([{ limit }, { end }]) => [limit.mark, end + difference] as const);
      session.send(writeMarks(session, new Map(written)));
    }
    return grants;
  }
}

async function refuseLater(error: unknown): Promise<never> {
  await sleep(refusalDelay);
  throw error;
}
