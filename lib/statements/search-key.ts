import { type Key, keyOf } from '../db/key.ts';
import type { KeyedNumbers } from '../db/types.ts';
import { type SearchTerm, type SearchTermKind, searchTerms } from '../xapi/search-terms.ts';
import type { Statement } from '../xapi/types.ts';
import { anyFingerprint, type Fingerprint, fingerprintOf, type KindOfKey } from './fingerprint.ts';
import type { Position } from './types.ts';

/** What stands in the index for a value that a filter may ask for. */
export type SearchKey = Key;

/** Something that a statement may be found by, and its key. */
export interface KeyedTerm extends SearchTerm, KindOfKey {}

export interface StatementKeys {
  /** What statements that refer to this one are found by too (xAPI 1.0.3 Communication 2.1.3). */
  readonly inheritable: readonly SearchKey[];
  /** Who vouches for a statement says nothing about those that refer to it. */
  readonly ownOnly: readonly SearchKey[];
  /** Of all these keys. */
  readonly fingerprint: Fingerprint;
}

/** The keys of a statement's own values, and of who vouches for it. */
export function keysOf(statement: Statement, authority = statement.authority): StatementKeys {
  const inheritable: SearchKey[] = [];
  const ownOnly: SearchKey[] = [];
  const keys = searchTerms(statement, authority).map(({ kind, value }) => keyedTerm(kind, value));
  for (const { kind, key } of keys) (kind === 'authority' ? ownOnly : inheritable).push(key);
  // Lists that grew have room to grow on, and a large batch waits with two for each statement; copies have none.
  return { inheritable: inheritable.slice(), ownOnly: ownOnly.slice(), fingerprint: fingerprintOf(keys) };
}

export function keyedTerm(kind: SearchTermKind, value: string): KeyedTerm {
  return { kind, value, key: searchKey(kind, value) };
}

export function searchKey(kind: SearchTermKind, value: string): SearchKey {
  const { recent, older } = memories[kind];
  const known = recent.get(value);
  if (known !== undefined) return known;
  const key = older.get(value) ?? keyOf(`${kind} ${value}`);
  if (value.length <= rememberedLength) remember(kind, value, key);
  return key;
}

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
  sorted(): KeyPositions {
    const places = new Map<SearchKey, number[]>();
    for (const [place, key] of this.keys.entries()) {
      const known = places.get(key);
      if (known) known.push(place);
      else places.set(key, [place]);
    }
    const sorted = new KeyPositions();
    for (const key of [...places.keys()].sort()) {
      for (const place of places.get(key) ?? []) {
        sorted.add(key, this.numbers[place] ?? 0, this.masks[place] ?? anyFingerprint);
      }
    }
    return sorted;
  }
}

/** The bytes of several keys, and back. */
export function keysToBytes(keys: Iterable<SearchKey>): string {
  return [...keys].join('');
}

export function keysFromBytes(bytes: Buffer): SearchKey[] {
  const hex = bytes.toString('hex');
  return Array.from({ length: bytes.length / 16 }, (_, index) => hex.slice(index * 32, index * 32 + 32));
}

/** How many values of a kind are remembered at least. */
const generationSize = 4_000;
const rememberedLength = 300;

interface Memory {
  readonly recent: Map<string, SearchKey>;
  readonly older: ReadonlyMap<string, SearchKey>;
}

/** Values repeat, so the keys of recent ones are kept, by kind: those asked for in this or the last generation. */
const memories: Record<SearchTermKind, Memory> = {
  agent: newMemory(),
  'related-agent': newMemory(),
  verb: newMemory(),
  activity: newMemory(),
  'related-activity': newMemory(),
  registration: newMemory(),
  authority: newMemory(),
};

function remember(kind: SearchTermKind, value: string, key: SearchKey): void {
  const { recent } = memories[kind];
  recent.set(value, key);
  if (recent.size >= generationSize) memories[kind] = newMemory(recent);
}

function newMemory(older: ReadonlyMap<string, SearchKey> = new Map()): Memory {
  return { recent: new Map(), older };
}
