import type { Replacements } from '../db/types.ts';
import { foreignMark } from './foreign-mark.ts';
import type { SearchKey } from './search-key.ts';
import type { Position } from './types.ts';

/** One filter: a statement passes when it has any of these keys. Never empty. */
export type KeyFilter = readonly SearchKey[];

/** What belongs on a page, but for its length in bytes. */
export interface PageRange {
  readonly filters: readonly KeyFilter[];
  /** Whether keys don't count that a statement has only through one that somebody else vouches for. */
  readonly onlyOwn: boolean;
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

/**
 * The rows of a page, in no particular order. It walks the range of one filter, the first, and looks the others up by
 * position: with one filter it reads no more than the page, with several no more than the first one's range.
 */
export function pageQuery(page: PageRange): SqlQuery {
  const { after, through, rows, inlineBytes } = page;
  const { names, replacements } = nameKeys(page.filters, page.onlyOwn);
  const [driver, ...others] = names;
  return {
    sql: `SELECT s.position, OCTET_LENGTH(s.payload) AS bytes,
        CASE WHEN OCTET_LENGTH(s.payload) <= :inlineBytes THEN s.payload END AS text
      FROM ${driver ? keyedPositions(driver, others, page) : allPositions(page)}`,
    replacements: { ...replacements, after, through, rows, inlineBytes },
  };
}

/** One row that tells for each filter, in order, where the last of this many of its entries lies, or null when there are fewer. */
export function probeQuery({ filters, after, through, ascending }: PageRange, stride: number): SqlQuery {
  const { names, replacements } = nameKeys(filters, false);
  const nearest = ascending ? 'MIN' : 'MAX';
  const probes = names.map((alternatives, index) => {
    const depths = alternatives.map(
      (alternative, place) =>
        `SELECT position FROM (${keyRange('statement_key', [alternative], [], ascending)}
          LIMIT 1 OFFSET :skipped) d${index}_${place}`,
    );
    return `(SELECT ${nearest}(position) FROM (${depths.join(' UNION ALL ')}) d${index}) AS filter${index}`;
  });
  return {
    sql: `SELECT ${probes.join(', ')}`,
    replacements: { ...replacements, after, through, skipped: stride - 1 },
  };
}

/** A part of a page's range that is searched at once, and what is left of the range after it. */
export interface Stretch {
  readonly part: PageRange;
  /** Absent when the part reaches the end. */
  readonly rest?: { readonly range: PageRange; readonly end: Position };
}

/**
 * The next part of the range, which ends where the first of a stride of entries of the rarest filter ends, according to
 * the row of `probeQuery`. That filter leads.
 */
export function nextStretch(range: PageRange, probe: Readonly<Record<string, Position | null>>): Stretch {
  const { ascending } = range;
  const reached = range.filters.map((filter, index) => {
    const position = probe[`filter${index}`] ?? null;
    const distance = position === null ? Number.POSITIVE_INFINITY : ascending ? position : -position;
    return { filter, position, distance };
  });
  reached.sort((a, b) => (a.distance < b.distance ? 1 : -1));
  const filters = reached.map(({ filter }) => filter);
  const end = reached[0]?.position ?? null;
  if (end === null) return { part: { ...range, filters } };
  return ascending
    ? { part: { ...range, filters, through: end }, rest: { range: { ...range, after: end }, end } }
    : { part: { ...range, filters, after: end - 1 }, rest: { range: { ...range, through: end - 1 }, end } };
}

function allPositions({ ascending }: PageRange): string {
  return `statement s
      WHERE s.voided = 0 AND s.position > :after AND s.position <= :through
      ORDER BY s.position ${direction(ascending)} LIMIT :rows`;
}

type Table = 'statement_key' | 'statement_key_recent';

/** A key in SQL, and the mark that takes away from a position what it says. */
interface Term {
  readonly key: string;
  readonly mark?: string;
}

/**
 * The positions that pass every filter: those of the index, each driving key's limited in itself so that only pages' worth
 * of them are merged, and those whose entries are still collected apart.
 */
function keyedPositions(
  driver: readonly Term[],
  others: readonly (readonly Term[])[],
  { ascending, recentEntries, onlyOwn }: PageRange,
): string {
  const conditions = onlyOwn ? [driver, ...others] : others;
  const ranges = driver.map((key) => keyRange('statement_key', [key], conditions, ascending));
  if (recentEntries) ranges.push(keyRange('statement_key_recent', driver, conditions, ascending));
  const [only, ...more] = ranges.map((range) => `${range} LIMIT :rows`);
  const merged =
    more.length === 0
      ? only
      : `${[only, ...more].map((range) => `SELECT * FROM (${range}) alternative`).join(' UNION ')}
         ORDER BY position ${direction(ascending)} LIMIT :rows`;
  return `(${merged}) p JOIN statement s ON s.position = p.position`;
}

/** The positions within the page's bounds that have an entry for one of the keys and pass the conditions. */
function keyRange(
  table: Table,
  keys: readonly Term[],
  conditions: readonly (readonly Term[])[],
  ascending: boolean,
): string {
  const passing = conditions.map((condition) => ` AND ${passes(table, condition)}`);
  return `SELECT ${keys.length > 1 ? 'DISTINCT ' : ''}k.position FROM ${table} k
    WHERE k.${oneOf(keys)} AND k.position > :after AND k.position <= :through${passing.join('')}
    ORDER BY k.position ${direction(ascending)}`;
}

/** Whether the position has an entry for one of the keys that no mark takes away. */
function passes(table: Table, terms: readonly Term[]): string {
  const has = (keys: readonly Term[]): string =>
    `EXISTS (SELECT 1 FROM ${table} o WHERE o.${oneOf(keys)} AND o.position = k.position)`;
  if (terms.every(({ mark }) => mark === undefined)) return has(terms);
  const alternatives = terms.map(({ key, mark }) =>
    mark === undefined ? has([{ key }]) : `${has([{ key }])} AND NOT ${has([{ key: mark }])}`,
  );
  return `(${alternatives.join(' OR ')})`;
}

function oneOf(terms: readonly Term[]): string {
  const [only, ...more] = terms.map(({ key }) => key);
  return more.length === 0 ? `search_key = ${only}` : `search_key IN (${[only, ...more].join(', ')})`;
}

function direction(ascending: boolean): string {
  return ascending ? 'ASC' : 'DESC';
}

/** A name in SQL for each key, by filter, and for its mark if marks count; and what the names stand for. */
function nameKeys(filters: readonly KeyFilter[], marked: boolean) {
  const replacements: Record<string, Buffer> = {};
  const named = (name: string, key: SearchKey): string => {
    replacements[name] = Buffer.from(key, 'hex');
    return `:${name}`;
  };
  const names = filters.map((filter, index) =>
    filter.map((key, alternative): Term => {
      const place = `${index}_${alternative}`;
      return {
        key: named(`key${place}`, key),
        ...(marked && { mark: named(`mark${place}`, foreignMark(key)) }),
      };
    }),
  );
  return { names, replacements };
}
