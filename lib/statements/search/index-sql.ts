/**
 * SQL conditions on the search index. It has one or two parts: its main table, and on some engines a write buffer. All
 * entries of a statement are in the same part, so a search walks each part on its own and combines the positions.
 *
 * Example: the positions of a key between two bounds are, with a buffer, the rows of
 *   `statement_key k WHERE search_key = ${key} AND position > ${after} AND position <= ${through}`
 * and those of the buffer which hold the key within the same bounds.
 */
import type { Dialect } from '../../db/dialects/dialect.ts';
import { join, raw, type Sql, sql } from '../../db/sql.ts';
import { anyFingerprint } from './fingerprint.ts';
import { bufferTable, hasBuffer, hasBufferedKey } from './index-buffer.ts';
import type { PageRange } from './plan.ts';
import type { KeyedTerm, SearchKey } from './search-key.ts';

/** A term of a filter with its key in the database's format. */
export interface Term extends KeyedTerm {
  readonly bytes: Buffer;
  /** The key of its foreign mark, if only own statements are read. */
  readonly marks: readonly Buffer[];
}

/** The range of positions of a scan, and its direction. */
export type Scan = Pick<PageRange, 'after' | 'through' | 'ascending'>;

/** A part of the index. */
export interface IndexPart {
  /** Its entries `k` with the key: a table and its conditions, to which others may be appended. */
  withKey(key: Buffer): Sql;
  /**
   * The same within the range of a scan, for terms of which one must match; each source is scanned separately.
   * @param entries the most entries of each term that are read; the buffer is small and always searched completely.
   */
  inRange(terms: readonly Term[], scan: Scan, entries: number | undefined): Sql[];
  /** A condition: the statement of the entry `k` has an entry for one of the keys. */
  hasEntry(keys: readonly Buffer[]): Sql;
}

/** The parts of the index on an engine. */
export function indexParts(dialect: Pick<Dialect, 'collectsIndexEntries'>): readonly IndexPart[] {
  return hasBuffer(dialect) ? [mainPart, bufferPart] : [mainPart];
}

const bufferName = raw(bufferTable.name);
const unknownFingerprint = raw(String(anyFingerprint));

const mainPart: IndexPart = {
  withKey: (key) => sql`statement_key k WHERE search_key = ${key}`,
  inRange: (terms, scan, entries) =>
    terms.map((term) =>
      entries === undefined
        ? sql`statement_key k WHERE ${isInRange(term, scan)}`
        : sql`(SELECT position, fingerprint FROM statement_key n WHERE ${isInRange(term, scan)}
    ${inScanOrder(scan)} LIMIT ${entries}) k WHERE 1 = 1`,
    ),
  hasEntry: (keys) =>
    sql`EXISTS (SELECT 1 FROM statement_key o WHERE o.${isAmong(keys)} AND o.position = k.position)`,
};

const bufferPart: IndexPart = {
  withKey: (key) => sql`${bufferName} k WHERE ${hasBufferedKey(key)}`,
  inRange(terms, scan) {
    // The fingerprint avoids searching the keys of most rows.
    const held = terms.map(
      ({ bytes, mask, bits }) =>
        sql`(k.fingerprint = ${unknownFingerprint} OR (k.fingerprint & ${mask}) = ${bits}) AND ${hasBufferedKey(bytes)}`,
    );
    return [sql`${bufferName} k WHERE (${join(held, ' OR ')}) AND ${withinBounds(scan)}`];
  },
  // A row of the buffer contains all keys of its statement.
  hasEntry: (keys) => sql`(${join(keys.map(hasBufferedKey), ' OR ')})`,
};

/**
 * Selects the position of the n-th entry of a term in the main table, in the direction of the scan; nothing when there are
 * fewer.
 */
export function depth(term: Term, scan: Scan, entries: number): Sql {
  return sql`SELECT position FROM statement_key n WHERE ${isInRange(term, scan)}
    ${inScanOrder(scan)} LIMIT 1 OFFSET ${entries - 1}`;
}

const [oldestFirst, newestFirst] = [sql`ORDER BY position ASC`, sql`ORDER BY position DESC`];

export function inScanOrder({ ascending }: Pick<Scan, 'ascending'>): Sql {
  return ascending ? oldestFirst : newestFirst;
}

/** A key in the database's format. */
export function bytesOf(key: SearchKey): Buffer {
  return Buffer.from(key, 'hex');
}

function withinBounds({ after, through }: Scan): Sql {
  return sql`position > ${after} AND position <= ${through}`;
}

function isInRange({ bytes }: Term, scan: Scan): Sql {
  return sql`search_key = ${bytes} AND ${withinBounds(scan)}`;
}

function isAmong(keys: readonly Buffer[]): Sql {
  const [only] = keys;
  if (only !== undefined && keys.length === 1) return sql`search_key = ${only}`;
  return sql`search_key IN (${join(
    keys.map((key) => sql`${key}`),
    ', ',
  )})`;
}
