import { hash, randomBytes } from 'node:crypto';
import { cacheUses } from '../cache-uses.ts';
import type { Principal } from './types.ts';

type Found = Promise<Principal | undefined>;

interface Entry {
  readonly found: Found;
  /** The same, once it is there. */
  principal: Principal | undefined;
  /** When it was looked up, by the clock. */
  readonly at: number;
}

/** A change made by another process is seen after this time (docs/operation.md promises it). */
const lifeMs = 1000;
const maximumEntries = 1000;

/**
 * Remembers for a moment whom a key pair belongs to, because every request asks. Pairs are kept as keyed hashes, never in
 * clear. Requests that ask for a pair while it is looked up share the answer; that it belongs to nobody is not remembered.
 */
export class VerifiedPairs {
  readonly #salt = randomBytes(32).toString('hex');
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  /**
   * @param now milliseconds on a clock that also goes on while the process is frozen, as functions are between two requests;
   *   a clock that is set back makes what is remembered count no more.
   */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get(apiKey: string, secretKey: string, lookUp: () => Found): Principal | Found {
    const pair = hash('sha256', `${this.#salt}${apiKey.length}:${apiKey}${secretKey}`, 'base64');
    const now = this.#now();
    const known = this.#entries.get(pair);
    if (known && now >= known.at && now < known.at + lifeMs) {
      cacheUses.keyPairs.hits += 1;
      return known.principal ?? known.found;
    }
    cacheUses.keyPairs.misses += 1;
    return this.#keep(pair, { found: lookUp(), principal: undefined, at: now });
  }

  /** To be called once a change of credentials is committed: what was looked up before counts no more. */
  forget(): void {
    this.#entries.clear();
  }

  #keep(pair: string, entry: Entry): Found {
    this.#entries.delete(pair);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= maximumEntries && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(pair, entry);
    const drop = (): void => {
      if (this.#entries.get(pair) === entry) this.#entries.delete(pair);
    };
    entry.found.then((principal) => {
      entry.principal = principal;
      if (principal === undefined) drop();
    }, drop);
    return entry.found;
  }
}
