import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, WriteSession } from '../db/types.ts';
import { Allowance } from './allowance.ts';
import { readMarks, removeEndedMarks, writeMarks } from './marks-store.ts';
import type { RateLimited, RateLimitOptions, RateLimitService } from './types.ts';

/** Most limits that a process knows at the same time; it forgets the one that it has known longest. */
const maximumKnown = 10_000;
/** Most limits in one transaction. */
const batchSize = 200;
/** Milliseconds between two transactions of a process. */
const pause = 50;
/** Marks that have ended are kept so long (ms), because clocks differ. */
const keptFor = 60_000;

type Grants = ReadonlyMap<Allowance, { readonly count: number; readonly end: number }>;

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
  #taking: Promise<void> | undefined;

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
    allowance.use(now, allowance.slice);
    return undefined;
  }

  #admitWaiting(allowance: Allowance, now: number): Promise<void> | undefined {
    if (!allowance.isEmpty(now)) {
      allowance.use(now, 0);
      return undefined;
    }
    return this.#take([allowance]).then(() => allowance.use(this.#now(), 0));
  }

  #allowanceOf(by: RateLimited, name: string, rate: number): Allowance {
    const id = `${by} ${name}`;
    const known = this.#allowances.get(id);
    if (known !== undefined) return known;
    const [oldest] = this.#allowances.keys();
    if (this.#allowances.size >= maximumKnown && oldest !== undefined) this.#allowances.delete(oldest);
    const mark = createHmac('sha256', this.#options.key).update(id).digest('hex').slice(0, 32);
    const free = Math.max(1, Math.round(rate * this.#options.burstSeconds));
    const allowance = new Allowance({ mark, free, interval: 1000 / rate }, by);
    this.#allowances.set(id, allowance);
    return allowance;
  }

  #want(allowance: Allowance): void {
    this.#wanted.add(allowance);
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined;
    });
  }

  async #takeAll(): Promise<void> {
    while (this.#wanted.size > 0) {
      const batch = [...this.#wanted].slice(0, batchSize);
      await this.#take(batch);
      for (const allowance of batch) this.#wanted.delete(allowance);
      await sleep(pause, undefined, { ref: false });
    }
  }

  /** Takes a slice of each limit. A database that does not answer limits nobody: the process counts alone meanwhile. */
  async #take(batch: readonly Allowance[]): Promise<void> {
    try {
      const work = (session: WriteSession): Promise<Grants> => this.#grant(session, batch);
      const grants = await this.#db.write(work, { readsFirst: true });
      for (const [allowance, grant] of grants) allowance.add(grant, this.#now());
    } catch {
      for (const allowance of batch) allowance.addAlone(this.#now());
    }
  }

  async #grant(session: WriteSession, batch: readonly Allowance[]): Promise<Grants> {
    const ends = await readMarks(
      session,
      batch.map(({ limit }) => limit.mark),
    );
    const now = this.#now();
    const grants = new Map(
      batch.map((allowance) => [allowance, allowance.grantOf(ends.get(allowance.limit.mark) ?? 0, now)]),
    );
    const changed = [...grants].filter(([, { count }]) => count > 0);
    if (changed.length > 0) {
      session.send(removeEndedMarks(session, now - keptFor));
      session.send(writeMarks(session, new Map(changed.map(([{ limit }, { end }]) => [limit.mark, end]))));
    }
    return grants;
  }
}
