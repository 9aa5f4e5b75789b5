import { cacheUses, counted } from '../../cache-uses.ts';
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

/** The key in the index for a value of a filter. */
export type SearchKey = Key;

/** A value by which a statement is found, with its key and its part of the fingerprint. */
export interface KeyedTerm extends SearchTerm, KindOfKey, FingerprintPart {}

export interface StatementKeys {
  /** Keys that statements which refer to this one inherit (xAPI 1.0.3 Communication 2.1.3). */
  readonly inheritable: readonly SearchKey[];
  /** The key of the authority, which is not inherited. */
  readonly ownOnly: readonly SearchKey[];
  /** The fingerprint of all these keys. */
  readonly fingerprint: Fingerprint;
}

/**
 * The keys of a statement's own values, and of its authority.
 * @param trees cache what is computed from shared parts.
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
  // Copies have no spare capacity; a large batch keeps two lists for each statement.
  return { inheritable: inheritable.slice(), ownOnly: ownOnly.slice(), fingerprint: fingerprintOf(terms) };
}

export function keyedTerm(kind: SearchTermKind, value: string): KeyedTerm {
  const cache = cacheOf(kind);
  const known = counted(cacheUses.searchKeys, cache.get(value));
  if (known !== undefined) return known;
  const key = keyOf(`${kind} ${value}`);
  const term = { kind, value, key, ...fingerprintPart({ kind, key }) };
  if (value.length <= cachedLength && (kind !== 'registration' || comesAgain(key))) cache.set(value, term);
  return term;
}

const seenRegistrations = new SeenMarks(4096);

/** Whether a registration has come before; most come once, and caching them would be expensive. */
function comesAgain(key: SearchKey): boolean {
  return seenRegistrations.comesAgain(Number.parseInt(key.slice(0, 8), 16) | 0);
}

export function searchKey(kind: SearchTermKind, value: string): SearchKey {
  return keyedTerm(kind, value).key;
}

/** The key of an identifier by which an Agent or Group is found as actor. */
export const actorKey = (identifier: string): SearchKey => searchKey('agent', identifier);

/** New index entries: keys, each with the position and the fingerprint of the statement at the same place of the lists. */
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

  /** The same entries sorted by key; those of one key keep their order. */
  sorted(): KeyedNumbers {
    // By key: first its number of entries, then the place of its next one.
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

/** The length of a key in bytes. */
export const keyBytes = 16;

/** Concatenates the bytes of several keys, and splits them again. */
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

/** The values of a kind per cache generation. */
const generationSize = 4_000;
const cachedLength = 300;

/** Values repeat, so recent keys are cached, by kind. */
const caches: { [kind in SearchTermKind]?: GenerationalCache<KeyedTerm> } = {};

function cacheOf(kind: SearchTermKind): GenerationalCache<KeyedTerm> {
  caches[kind] ??= new GenerationalCache(generationSize);
  return caches[kind];
}
