/**
 * SQL conditions on the search index. It has one or two parts: its main table, and on some engines a write buffer. All
 * entries of a statement are in the same part, so a search walks each part on its own and combines the positions.
 *
 * Example: the positions of a key between two bounds are, with a buffer, the rows of
 *   `statement_key k WHERE search_key = :key0_0 AND position > :after AND position <= :through`
 * and those of the buffer which hold the key within the same bounds.
 */
import type { Dialect } from '../../db/dialects/dialect.ts';
import { anyFingerprint } from './fingerprint.ts';
import { bufferTable, hasBuffer, hasBufferedKey } from './index-buffer.ts';
import type { KeyedTerm } from './search-key.ts';

/** A term of a filter, and the suffix of the names that its values are bound to: `:key0_1`, `:mask0_1`, `:bits0_1` … */
export interface Term extends KeyedTerm {
  readonly place: string;
}

/** How a range of entries is walked. */
export interface Walk {
  readonly ascending: boolean;
  /** Whether only the first `:entries` entries of each term are looked at; the buffer is small and always searched whole. */
  readonly isLimited: boolean;
}

/** A part of the index. */
export interface IndexPart {
  /** Whether entries are compared by fingerprint when they are walked. */
  readonly comparesFingerprints: boolean;
  /** Its entries `k` with the key that a name is bound to: a table and its conditions, to which others may be appended. */
  withKey(name: string): string;
  /** The same within `:after` and `:through`, for terms of which one must match; each source is walked on its own. */
  inRange(terms: readonly Term[], walk: Walk): string[];
  /** A condition: the statement of the entry `k` has an entry for one of the keys. */
  hasEntry(names: readonly string[]): string;
}

/** The parts that the index has on an engine. */
export function indexParts(dialect: Pick<Dialect, 'collectsIndexEntries'>): readonly IndexPart[] {
  return hasBuffer(dialect) ? [mainPart, bufferPart] : [mainPart];
}

const withinBounds = 'position > :after AND position <= :through';

const mainPart: IndexPart = {
  comparesFingerprints: false,
  withKey: (name) => `statement_key k WHERE search_key = ${name}`,
  inRange: (terms, { ascending, isLimited }) =>
    terms.map((term) =>
      isLimited
        ? `(SELECT position, fingerprint FROM statement_key n WHERE ${isInRange(term)}
    ${inWalkOrder(ascending)} LIMIT :entries) k WHERE 1 = 1`
        : `statement_key k WHERE ${isInRange(term)}`,
    ),
  hasEntry: (names) =>
    `EXISTS (SELECT 1 FROM statement_key o WHERE o.${isAmong(names)} AND o.position = k.position)`,
};

const bufferPart: IndexPart = {
  comparesFingerprints: true,
  withKey: (name) => `${bufferTable.name} k WHERE ${hasBufferedKey(name)}`,
  inRange(terms) {
    // The fingerprint saves most rows the search through their keys.
    const held = terms.map(
      ({ place }) =>
        `(k.fingerprint = ${anyFingerprint} OR (k.fingerprint & :mask${place}) = :bits${place}) AND ${hasBufferedKey(`:key${place}`)}`,
    );
    return [`${bufferTable.name} k WHERE (${held.join(' OR ')}) AND ${withinBounds}`];
  },
  // A row of the buffer has all keys of its statement.
  hasEntry: (names) => `(${names.map(hasBufferedKey).join(' OR ')})`,
};

/**
 * Selects the position of the last of so many entries of a term in the main table, in the order of the walk; nothing when
 * there are fewer.
 */
export function depth(term: Term, { ascending }: Pick<Walk, 'ascending'>): string {
  return `SELECT position FROM statement_key n WHERE ${isInRange(term)}
    ${inWalkOrder(ascending)} LIMIT 1 OFFSET :skipped`;
}

export function inWalkOrder(ascending: boolean): string {
  return `ORDER BY position ${ascending ? 'ASC' : 'DESC'}`;
}

/** The name that the key of a term is bound to. */
export function keyName({ place }: Term): string {
  return `:key${place}`;
}

function isInRange(term: Term): string {
  return `search_key = ${keyName(term)} AND ${withinBounds}`;
}

function isAmong([only, ...more]: readonly string[]): string {
  return more.length === 0 ? `search_key = ${only}` : `search_key IN (${[only, ...more].join(', ')})`;
}
