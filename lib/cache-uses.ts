/** How often a cache was asked: with a value as the answer, and without. */
export interface CacheUse {
  hits: number;
  misses: number;
}

/**
 * The use of the caches of this process. It is counted whether or not metrics are enabled: an addition costs no more than the
 * question whether they are.
 */
export const cacheUses = {
  /** Who a key pair belongs to. */
  keyPairs: { hits: 0, misses: 0 },
  /** Hashes of the values that filters may ask for. */
  searchKeys: { hits: 0, misses: 0 },
  /** Agents that are known to be stored. */
  agents: { hits: 0, misses: 0 },
} satisfies Readonly<Record<string, CacheUse>>;

/** @returns the value that a cache has found, unchanged. */
export function counted<Value>(use: CacheUse | undefined, found: Value): Value {
  if (use !== undefined) {
    if (found === undefined) use.misses += 1;
    else use.hits += 1;
  }
  return found;
}
