import { type Key, keyOf } from '../db/key.ts';
import { type SearchTermKind, searchTerms } from '../xapi/search-terms.ts';
import type { Statement } from '../xapi/types.ts';

/** What stands in the index for a value that a filter may ask for. */
export type SearchKey = Key;

export interface StatementKeys {
  /** What statements that refer to this one are found by too (xAPI 1.0.3 Communication 2.1.3). */
  readonly inheritable: readonly SearchKey[];
  /** Who vouches for a statement says nothing about those that refer to it. */
  readonly ownOnly: readonly SearchKey[];
}

/** The keys of a statement's own values. */
export function keysOf(statement: Statement): StatementKeys {
  const inheritable: SearchKey[] = [];
  const ownOnly: SearchKey[] = [];
  for (const { kind, value } of searchTerms(statement)) {
    (kind === 'authority' ? ownOnly : inheritable).push(searchKey(kind, value));
  }
  return { inheritable, ownOnly };
}

export function searchKey(kind: SearchTermKind, value: string): SearchKey {
  const term = `${kind} ${value}`;
  const known = recent.get(term) ?? older.get(term);
  const key = known ?? keyOf(term);
  if (term.length <= rememberedLength) remember(term, key);
  return key;
}

/** Index entries to be: the positions of statements by the keys that they are found by. */
export class KeyPositions {
  readonly byKey = new Map<SearchKey, number[]>();

  add(key: SearchKey, position: number): void {
    const positions = this.byKey.get(key);
    if (positions) positions.push(position);
    else this.byKey.set(key, [position]);
  }

  addAll(keys: Iterable<SearchKey>, position: number): void {
    for (const key of keys) this.add(key, position);
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

const generationSize = 20_000;
const rememberedLength = 300;

/** Values repeat, so the keys of recent ones are kept: those used in this or the last generation. */
let recent = new Map<string, SearchKey>();
let older = new Map<string, SearchKey>();

function remember(term: string, key: SearchKey): void {
  recent.set(term, key);
  if (recent.size < generationSize) return;
  older = recent;
  recent = new Map();
}
