import type { Replacements } from '../db/types.ts';
import type { SearchKey } from './search-key.ts';
import type { Position } from './types.ts';

/** One filter: a statement passes when it has any of these keys. Never empty. */
export type KeyFilter = readonly SearchKey[];

/** What belongs on a page, but for its length in bytes. */
export interface PageRange {
  readonly filters: readonly KeyFilter[];
  /** Strictly after this position … */
  readonly after: Position;
  /** … and at or before this one. */
  readonly through: Position;
  readonly ascending: boolean;
  /** Whether entries may still be collected apart from the index. */
  readonly recentEntries: boolean;
  /** How many rows at most. */
  readonly rows: number;
  /** Texts of at most this many bytes come with their row, longer ones not. */
  readonly inlineBytes: number;
}

export interface SqlQuery {
  readonly sql: string;
  readonly replacements: Replacements;
}

/** How far into each range `probeQuery` looks. */
const probeDepth = 64;

/**
 * The rows of a page, in no particular order. It walks the range of one filter, the first, and looks the others up by
 * position: with one filter it reads no more than the page, with several no more than the first one's range.
 */
export function pageQuery(page: PageRange): SqlQuery {
  const { after, through, rows, inlineBytes } = page;
  const { names, replacements } = nameKeys(page.filters);
  const [driver, ...others] = names;
  return {
    sql: `SELECT s.position, OCTET_LENGTH(s.payload) AS bytes,
        CASE WHEN OCTET_LENGTH(s.payload) <= :inlineBytes THEN s.payload END AS text
      FROM ${driver ? keyedPositions(driver, others, page) : allPositions(page)}`,
    replacements: { ...replacements, after, through, rows, inlineBytes },
  };
}

/** One row that tells for each filter, in order, how near its entries lie: where the 64th is, or null when there are fewer. */
export function probeQuery({ filters, after, through, ascending }: PageRange): SqlQuery {
  const { names, replacements } = nameKeys(filters);
  const nearest = ascending ? 'MIN' : 'MAX';
  const probes = names.map((keys, index) => {
    const depths = keys.map(
      (key) =>
        `SELECT * FROM (${keyRange('statement_key', [key], [], ascending)} LIMIT 1 OFFSET ${probeDepth - 1})`,
    );
    return `(SELECT ${nearest}(position) FROM (${depths.join(' UNION ALL ')}) d${index}) AS filter${index}`;
  });
  return { sql: `SELECT ${probes.join(', ')}`, replacements: { ...replacements, after, through } };
}

/** The filters, the one first whose entries lie farthest apart according to the row of `probeQuery`. */
export function rarestFirst(
  { filters, ascending }: PageRange,
  probe: Readonly<Record<string, Position | null>>,
): KeyFilter[] {
  const distances = filters.map((filter, index) => {
    const position = probe[`filter${index}`] ?? null;
    if (position === null) return { filter, distance: Number.POSITIVE_INFINITY };
    return { filter, distance: ascending ? position : -position };
  });
  return distances.sort((a, b) => (a.distance < b.distance ? 1 : -1)).map(({ filter }) => filter);
}

function allPositions({ ascending }: PageRange): string {
  return `statement s
      WHERE s.voided = 0 AND s.position > :after AND s.position <= :through
      ORDER BY s.position ${direction(ascending)} LIMIT :rows`;
}

/**
 * The positions that pass every filter: those of the index, each driving key's limited in itself so that only pages' worth
 * of them are merged, and those whose entries are still collected apart.
 */
function keyedPositions(
  driver: readonly string[],
  others: readonly (readonly string[])[],
  { ascending, recentEntries }: PageRange,
): string {
  const ranges = driver.map((key) => keyRange('statement_key', [key], others, ascending));
  if (recentEntries) ranges.push(keyRange('statement_key_recent', driver, others, ascending));
  const [only, ...more] = ranges.map((range) => `${range} LIMIT :rows`);
  const merged =
    more.length === 0
      ? only
      : `${[only, ...more].map((range) => `SELECT * FROM (${range}) alternative`).join(' UNION ')}
         ORDER BY position ${direction(ascending)} LIMIT :rows`;
  return `(${merged}) p JOIN statement s ON s.position = p.position`;
}

/** The positions within the page's bounds that have an entry for one of the keys and one for each other filter. */
function keyRange(
  table: 'statement_key' | 'statement_key_recent',
  keys: readonly string[],
  others: readonly (readonly string[])[],
  ascending: boolean,
): string {
  const conditions = others.map(
    (other) => ` AND EXISTS (SELECT 1 FROM ${table} o WHERE o.${oneOf(other)} AND o.position = k.position)`,
  );
  return `SELECT ${keys.length > 1 ? 'DISTINCT ' : ''}k.position FROM ${table} k
    WHERE k.${oneOf(keys)} AND k.position > :after AND k.position <= :through${conditions.join('')}
    ORDER BY k.position ${direction(ascending)}`;
}

function oneOf(keys: readonly string[]): string {
  return keys.length === 1 ? `search_key = ${keys[0]}` : `search_key IN (${keys.join(', ')})`;
}

function direction(ascending: boolean): string {
  return ascending ? 'ASC' : 'DESC';
}

/** A name in SQL for each key, by filter, and what the names stand for. */
function nameKeys(filters: readonly KeyFilter[]) {
  const replacements: Record<string, Buffer> = {};
  const names = filters.map((filter, index) =>
    filter.map((key, alternative) => {
      const name = `key${index}_${alternative}`;
      replacements[name] = Buffer.from(key, 'hex');
      return `:${name}`;
    }),
  );
  return { names, replacements };
}
