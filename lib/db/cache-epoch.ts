import { randomInt } from 'node:crypto';
import { type CacheLimits, ExpiringCache } from '../expiring-cache.ts';
import { cacheEpoch } from './tables/mentions.ts';
import { rowsOf } from './tables/table.ts';
import type { RowSession } from './types.ts';

/** What processes cache of the database in order to write less; see docs/decisions/0029-in-process-caches.md. */
export type CachedRows = 'agents' | 'definitions' | 'reactions';

/** `randomInt` gives no larger range. */
const epochRange = 2 ** 48 - 1;

const epochTable = rowsOf(cacheEpoch);

/** An expression for the epoch of these rows; null in a database that has none. */
export function epochSql(rows: CachedRows): string {
  return `(SELECT epoch FROM cache_epoch WHERE name = '${rows}')`;
}

/**
 * Starts a new epoch with this transaction: whatever any process has cached of these rows before counts no more. To be
 * called by whoever deletes or changes such rows. A random number, so that two transactions never start the same one.
 */
export function startEpoch(session: RowSession, rows: CachedRows): number {
  const epoch = randomInt(1, epochRange);
  session.send(session.upsert(epochTable, [[rows, epoch]], ['epoch']));
  return epoch;
}

/**
 * What is known of rows in the database, by key, as long as no other process deletes or changes such rows. Whoever relies on
 * it reads the epoch in the same transaction, under the write lock, and calls `adopt`.
 */
export class EpochCache<Value> {
  readonly #limits: CacheLimits;
  /** Epochs that transactions of this process start. Their effects are in the cache already. */
  readonly #own = new Set<number>();
  #epoch: number | null | undefined;
  #facts: ExpiringCache<Value>;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
    this.#facts = new ExpiringCache(limits);
  }

  /**
   * What counts in the present epoch. A transaction keeps hold of it for what it may add once it is committed: if the cache
   * is dropped meanwhile, that goes nowhere.
   */
  get facts(): ExpiringCache<Value> {
    return this.#facts;
  }

  /** The epochs in which what is cached counts; undefined while nothing is. */
  get epochs(): readonly number[] | undefined {
    if (this.#epoch === undefined) return undefined;
    return this.#epoch === null ? [...this.#own] : [this.#epoch, ...this.#own];
  }

  /**
   * Drops what is cached unless it counts in this epoch.
   * @param epoch as read under the write lock.
   * @returns whether it does, so that what was decided by it was right.
   */
  adopt(epoch: number | null | undefined): boolean {
    const counts = this.#epoch === undefined || (epoch != null && this.#isKnown(epoch));
    if (!counts) this.#facts = new ExpiringCache(this.#limits);
    this.#epoch = epoch ?? null;
    return counts;
  }

  /** This process is about to start the epoch, and the cache holds nothing any more that does not count in it. */
  expect(epoch: number): void {
    this.#own.add(epoch);
  }

  /** Own epochs come in order: those before one that was seen are over, or their transactions were rolled back. */
  #isKnown(epoch: number): boolean {
    if (epoch === this.#epoch) return true;
    if (!this.#own.has(epoch)) return false;
    for (const own of this.#own) {
      this.#own.delete(own);
      if (own === epoch) break;
    }
    return true;
  }
}
