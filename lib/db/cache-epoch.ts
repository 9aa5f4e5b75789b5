import { randomInt } from 'node:crypto';
import type { CacheUse } from '../cache-uses.ts';
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
 * Starts a new epoch with this transaction, which invalidates these rows in the caches of all processes. Call it when such
 * rows are deleted or changed. The number is random, so that two transactions never start the same epoch.
 */
export function startEpoch(session: RowSession, rows: CachedRows): number {
  const epoch = randomInt(1, epochRange);
  session.send(session.upsert(epochTable, [[rows, epoch]], ['epoch']));
  return epoch;
}

/**
 * Starts new epochs for all rows, in SQL of its own transaction: a server that has taken over may lack rows that processes have
 * cached, if replication is asynchronous.
 */
export const startEpochsSql = (): string => `UPDATE cache_epoch SET epoch = ${randomInt(1, epochRange)}`;

/**
 * A cache of database rows, by key, that is valid until another process deletes or changes such rows. A transaction that
 * uses it reads the epoch under the write lock and calls `adopt`.
 */
export class EpochCache<Value> {
  readonly #limits: CacheLimits;
  readonly #use: CacheUse | undefined;
  /** Epochs started by transactions of this process. The cache already contains their effects. */
  readonly #own = new Set<number>();
  #epoch: number | null | undefined;
  #facts: ExpiringCache<Value>;

  /** @param use counts how often it is asked. */
  constructor(limits: CacheLimits, use?: CacheUse) {
    this.#limits = limits;
    this.#use = use;
    this.#facts = this.#empty();
  }

  #empty(): ExpiringCache<Value> {
    return new ExpiringCache(this.#limits, Date.now, this.#use);
  }

  /**
   * The values of the current epoch. A transaction keeps this object for what it adds after its commit: if the cache is
   * cleared meanwhile, the additions are lost with the old object.
   */
  get facts(): ExpiringCache<Value> {
    return this.#facts;
  }

  /** The epochs in which the cached values are valid; undefined while nothing is cached. */
  get epochs(): readonly number[] | undefined {
    if (this.#epoch === undefined) return undefined;
    return this.#epoch === null ? [...this.#own] : [this.#epoch, ...this.#own];
  }

  /**
   * Clears the cache unless its values are valid in this epoch.
   * @param epoch as read under the write lock.
   * @returns whether they are, and decisions based on them were right.
   */
  adopt(epoch: number | null | undefined): boolean {
    const counts = this.#epoch === undefined || (epoch != null && this.#isKnown(epoch));
    if (!counts) this.#facts = this.#empty();
    this.#epoch = epoch ?? null;
    return counts;
  }

  /** This process is about to start the epoch, and the cache no longer contains values that are invalid in it. */
  expect(epoch: number): void {
    this.#own.add(epoch);
  }

  /** Epochs of this process are seen in order: earlier ones are over, or their transactions were rolled back. */
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
