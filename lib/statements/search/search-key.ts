import { type Key, keyOf } from '../../db/key.ts';
import type { KeyedNumbers } from '../../db/types.ts';
import { GenerationalCache, SeenMarks } from '../../generational-cache.ts';
import type { SharedTrees } from '../../json/shared-trees.ts';
import { type SearchTerm, type SearchTermKind, searchTerms } from '../../xapi/search-terms.ts';
import type { Statement } from '../../xapi/types.ts';
import type { Position } from '../types.ts';
import {
  anyFingerprint,
  type Fingerprint,
  type FingerprintPart,
  fingerprintOf,
  fingerprintPart,
  type KindOfKey,
} from './fingerprint.ts';

/** What stands in the index for a value that a filter may ask for. */
export type SearchKey = Key;

/** Something that a statement may be found by, its key, and what that has in the fingerprint. */
export interface KeyedTerm extends SearchTerm, KindOfKey, FingerprintPart {}

export interface StatementKeys {
  /** What statements that refer to this one are found by too (xAPI 1.0.3 Communication 2.1.3). */
  readonly inheritable: readonly SearchKey[];
  /** The authority of a statement says nothing about those that refer to it. */
  readonly ownOnly: readonly SearchKey[];
  /** Of all these keys. */
  readonly fingerprint: Fingerprint;
}

/**
 * The keys of a statement's own values, and of its authority.
 * @param trees keep what is computed from shared parts.
 */
export function keysOf(
  statement: Statement,
  authority = statement.authority,
  trees?: SharedTrees,
): StatementKeys {
  const inheritable: SearchKey[] = [];
  const ownOnly: SearchKey[] = [];
  const terms = searchTerms(statement, authority, trees).map(({ kind, value }) => keyedTerm(kind, value));
  for (const { kind, key } of terms) (kind === 'authority' ? ownOnly : inheritable).push(key);
  // Lists that grew have room to grow on, and a large batch waits with two for each statement; copies have none.
  return { inheritable: inheritable.slice(), ownOnly: ownOnly.slice(), fingerprint: fingerprintOf(terms) };
}

export function keyedTerm(kind: SearchTermKind, value: string): KeyedTerm {
  const memory = memories[kind];
  const known = memory.get(value);
  if (known !== undefined) return known;
  const key = keyOf(`${kind} ${value}`);
  const term = { kind, value, key, ...fingerprintPart({ kind, key }) };
  if (value.length <= rememberedLength && (kind !== 'registration' || comesAgain(key)))
    memory.set(value, term);
  return term;
}

const seenRegistrations = new SeenMarks(4096);

/** Whether a key has come before; most registrations come once, and what is kept for long is dear to keep. */
function comesAgain(key: SearchKey): boolean {
  return seenRegistrations.comesAgain(Number.parseInt(key.slice(0, 8), 16) | 0);
}

export function searchKey(kind: SearchTermKind, value: string): SearchKey {
  return keyedTerm(kind, value).key;
}

/** The key of an identifier by which an Agent or Group is found as actor. */
export const actorKey = (identifier: string): SearchKey => searchKey('agent', identifier);

/**
 * Index entries to be: keys that statements are found by, each with the position and the fingerprint of the statement at the
 * same place.
 */
export class KeyPositions implements KeyedNumbers {
  readonly keys: SearchKey[] = [];
  readonly numbers: Position[] = [];
  readonly masks: Fingerprint[] = [];

  add(key: SearchKey, position: Position, fingerprint: Fingerprint): void {
    this.keys.push(key);
    this.numbers.push(position);
    this.masks.push(fingerprint);
  }

  addAll(keys: Iterable<SearchKey>, position: Position, fingerprint: Fingerprint): void {
    for (const key of keys) this.add(key, position, fingerprint);
  }

  /** The same entries in the order of their keys, those of one key in the order in which they came. */
  sorted(): KeyedNumbers {
    // By key, first how many entries it has, then where its next one goes.
    const next = new Map<SearchKey, number>();
    for (const key of this.keys) next.set(key, (next.get(key) ?? 0) + 1);
    let start = 0;
    for (const key of [...next.keys()].sort()) {
      const count = next.get(key) ?? 0;
      next.set(key, start);
      start += count;
    }
    const sorted = { keys: [...this.keys], numbers: [...this.numbers], masks: [...this.masks] };
    for (const [from, key] of this.keys.entries()) {
      const to = next.get(key) ?? 0;
      next.set(key, to + 1);
      sorted.keys[to] = key;
      sorted.numbers[to] = this.numbers[from] ?? 0;
      sorted.masks[to] = this.masks[from] ?? anyFingerprint;
    }
    return sorted;
  }
}

/** How long each is. */
export const keyBytes = 16;

/** The bytes of several keys, and back. */
export function keysToBytes(keys: Iterable<SearchKey>): string {
  return [...keys].join('');
}

export function keysFromBytes(bytes: Buffer): SearchKey[] {
  const hex = bytes.toString('hex');
  const digits = 2 * keyBytes;
  return Array.from({ length: hex.length / digits }, (_, index) =>
    hex.slice(index * digits, (index + 1) * digits),
  );
}

/** How many values of a kind a generation holds. */
const generationSize = 4_000;
const rememberedLength = 300;

/** Values repeat, so the keys of recent ones are kept, by kind. */
const memories: Record<SearchTermKind, GenerationalCache<KeyedTerm>> = {
  agent: new GenerationalCache(generationSize),
  'related-agent': new GenerationalCache(generationSize),
  verb: new GenerationalCache(generationSize),
  activity: new GenerationalCache(generationSize),
  'related-activity': new GenerationalCache(generationSize),
  registration: new GenerationalCache(generationSize),
  authority: new GenerationalCache(generationSize),
};
