import type { Dialect } from '../db/dialects/dialect.ts';
import type { Replacements } from '../db/types.ts';
import type { SearchTermKind } from '../xapi/search-terms.ts';
import { anyFingerprint } from './fingerprint.ts';
import { foreignMark } from './foreign-mark.ts';
import { hasRecentKey } from './search-index.ts';
import type { KeyedTerm, SearchKey } from './search-key.ts';
import type { Position } from './types.ts';

/** One filter: a statement passes when it is found by any of these. Never empty. */
export type KeyFilter = readonly KeyedTerm[];

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
  /** Of the database that is asked. */
  readonly dialect: Pick<Dialect, 'collectsIndexEntries' | 'lazyWith'>;
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
 * The rows of a page, in no particular order. It walks the range of one filter, the first, and looks at the others by
 * position: with one filter it reads no more than the page, with several no more than the first one's range.
 */
export function pageQuery(page: PageRange): SqlQuery {
  const { names, replacements } = nameTerms(page);
  const [driver, ...others] = names;
  const rows =
    driver === undefined ? allPositions(page) : rowsAt(walks(driver, others, page).map(inParentheses), page);
  return { sql: `SELECT ${rowColumns} FROM ${rows}`, replacements };
}

/**
 * The same, but of the index entries of each of the first filter's terms it looks at no more than so many. Each row also
 * tells how far that reaches, `reached`: where the last of them lies, the nearest one of the terms', but for a term that has
 * given a whole page; null when there are fewer.
 */
export function scanQuery(page: PageRange, entries: number): SqlQuery {
  const {
    names: [driver = [], ...others],
    replacements,
  } = nameTerms(page);
  const walked = walks(driver, others, page, firstInRange);
  const bound = { ...replacements, entries, skipped: entries - 1 };
  if (!page.dialect.lazyWith) {
    const rows = rowsAt(walked.map(inParentheses), page);
    return {
      sql: `SELECT ${reached(driver, page)} AS reached, ${rowColumns} FROM ${rows}`,
      replacements: bound,
    };
  }
  const names = walked.map((_, index) => `walk${index}`);
  const tables = walked.map((walk, index) => `${names[index]} AS (${walk})`);
  // Most pages are full, and then nobody needs to know.
  const depths = driver.map(
    (term, index) =>
      `SELECT CASE WHEN (SELECT COUNT(*) FROM ${names[index]}) < :rows THEN (${depth(term, page)}) END AS position`,
  );
  return {
    sql: `WITH ${tables.join(', ')}
      SELECT ${nearest(depths, page)} AS reached, ${rowColumns} FROM ${rowsAt(names, page)}`,
    replacements: bound,
  };
}

function inParentheses(query: string): string {
  return `(${query})`;
}

/** One row that tells for each filter, in order, where the last of this many of its entries lies, or null when there are fewer. */
export function probeQuery(page: PageRange, stride: number): SqlQuery {
  const names = placed(page.filters);
  const columns = names.map((terms, index) => `${reached(terms, page)} AS filter${index}`);
  const { after, through } = page;
  return {
    sql: `SELECT ${columns.join(', ')}`,
    replacements: { ...keyBytesOf(names.flat()), after, through, skipped: stride - 1 },
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
  const ends = range.filters.map((filter, index) => {
    const position = probe[`filter${index}`] ?? null;
    const distance = position === null ? Number.POSITIVE_INFINITY : ascending ? position : -position;
    return { filter, position, distance };
  });
  ends.sort((a, b) => (a.distance < b.distance ? 1 : -1));
  const filters = ends.map(({ filter }) => filter);
  const end = ends[0]?.position ?? null;
  if (end === null) return { part: { ...range, filters } };
  const bound = ascending ? { through: end } : { after: end - 1 };
  return { part: { ...range, filters, ...bound }, rest: { range: beyond(range, end), end } };
}

/** What is left of a range that was searched up to a position. */
export function beyond(range: PageRange, end: Position): PageRange {
  return range.ascending ? { ...range, after: end } : { ...range, through: end - 1 };
}

const rowColumns = `s.position, OCTET_LENGTH(s.payload) AS bytes,
  CASE WHEN OCTET_LENGTH(s.payload) <= :inlineBytes THEN s.payload END AS text`;

function allPositions({ ascending }: PageRange): string {
  return `statement s
      WHERE s.voided = 0 AND s.position > :after AND s.position <= :through
      ORDER BY s.position ${direction(ascending)} LIMIT :rows`;
}

/** The index, and the entries that are collected apart. */
type Table = 'statement_key' | 'statement_recent';

/** A term of a filter, and the end of the names in SQL that stand for what there is to say about it. */
interface Term extends KeyedTerm {
  readonly place: string;
}

/**
 * The positions that pass every filter, no more of each than belong on a page: for each driving key those of its entries in the
 * index, in their order, and at last those whose entries are still collected apart.
 * @param scanned what is looked at for a driving key in the index, if not all of its entries.
 */
function walks(
  driver: readonly Term[],
  others: readonly (readonly Term[])[],
  { ascending, dialect, onlyOwn }: PageRange,
  scanned: (term: Term, ascending: boolean) => string = inRange,
): string[] {
  const passing = (table: Table): string =>
    [
      ...(onlyOwn ? [`(${holdsOnlyOwn} OR ${isOwn(table, driver)})`] : []),
      ...others.map((terms) => passes(table, terms, onlyOwn)),
    ]
      .map((condition) => ` AND ${condition}`)
      .join('');
  const ranges = driver.map((term) => `${scanned(term, ascending)}${passing('statement_key')}`);
  if (dialect.collectsIndexEntries) ranges.push(`${recentInRange(driver)}${passing('statement_recent')}`);
  return ranges.map((range) => `SELECT k.position FROM ${range} ${inWalkOrder(ascending)} LIMIT :rows`);
}

/** The rows at the first of the positions that several walks give. */
function rowsAt([only = '', ...more]: readonly string[], { ascending }: PageRange): string {
  const alternatives = [only, ...more].map((source) => `SELECT * FROM ${source} alternative`);
  const merged =
    more.length === 0 ? only : `(${alternatives.join(' UNION ')} ${inWalkOrder(ascending)} LIMIT :rows)`;
  return `${merged} p JOIN statement s ON s.position = p.position`;
}

function inWalkOrder(ascending: boolean): string {
  return `ORDER BY position ${direction(ascending)}`;
}

/** The entries for a term within the page's bounds; conditions may follow. */
function inRange(term: Term): string {
  return `statement_key k WHERE ${isInRange(term)}`;
}

/** The same of statements whose entries are collected apart; the fingerprint spares most of them the look at their keys. */
function recentInRange(terms: readonly Term[]): string {
  const held = terms.map(
    ({ place }) =>
      `(k.fingerprint = ${anyFingerprint} OR (k.fingerprint & :mask${place}) = :bits${place}) AND ${hasRecentKey(`:key${place}`)}`,
  );
  return `statement_recent k WHERE (${held.join(' OR ')}) AND ${withinBounds}`;
}

const withinBounds = 'position > :after AND position <= :through';

function isInRange(term: Term): string {
  return `search_key = ${keyName(term)} AND ${withinBounds}`;
}

/** So many of them, the first in the order of the walk. */
function firstInRange(term: Term, ascending: boolean): string {
  return `(SELECT position, fingerprint FROM statement_key n WHERE ${isInRange(term)}
    ${inWalkOrder(ascending)} LIMIT :entries) k WHERE 1 = 1`;
}

/** Where the last of so many index entries of a filter lies: the nearest one of its terms'. */
function reached(terms: readonly Term[], page: PageRange): string {
  return nearest(
    terms.map((term) => depth(term, page)),
    page,
  );
}

/** Selects where the last of so many index entries of a term lies; nothing when there are fewer. */
function depth(term: Term, { ascending }: PageRange): string {
  return `SELECT position FROM statement_key n WHERE ${isInRange(term)}
    ${inWalkOrder(ascending)} LIMIT 1 OFFSET :skipped`;
}

/** The nearest of the positions that these select. */
function nearest(selects: readonly string[], { ascending }: PageRange): string {
  const all = selects.map((select, index) => `SELECT position FROM (${select}) d${index}`);
  return `(SELECT ${ascending ? 'MIN' : 'MAX'}(position) FROM (${all.join(' UNION ALL ')}) d)`;
}

/** A fingerprint that rules something out belongs to a statement that has nothing through another one. */
const holdsOnlyOwn = `k.fingerprint <> ${anyFingerprint}`;

/** The columns of a statement's row that hold the whole of what a statement itself is found by. */
const valueColumns: Partial<Record<SearchTermKind, string>> = { verb: 'verb', activity: 'object' };

/**
 * Whether the position passes a filter. Its fingerprint rules most of them out; where it rules nothing out, the statement
 * may have entries through another, and only they tell.
 */
function passes(table: Table, terms: readonly Term[], onlyOwn: boolean): string {
  const listed = onlyOwn ? isOwn(table, terms) : hasEntry(table, terms.map(keyName));
  const checked = terms.map((term) => {
    const column = valueColumns[term.kind];
    const sure =
      column === undefined
        ? hasEntry(table, [keyName(term)])
        : `EXISTS (SELECT 1 FROM statement c WHERE c.position = k.position AND c.${column} = :value${term.place})`;
    return `(k.fingerprint & :mask${term.place}) = :bits${term.place} AND ${sure}`;
  });
  return `CASE WHEN ${holdsOnlyOwn} THEN ${checked.join(' OR ')} ELSE ${listed} END`;
}

/** Whether the position has an entry for one of the terms that no mark takes away. */
function isOwn(table: Table, terms: readonly Term[]): string {
  const own = terms.map((term) => {
    const isForeign = hasEntry(table, [`:mark${term.place}`]);
    return `${hasEntry(table, [keyName(term)])} AND NOT ${isForeign}`;
  });
  return `(${own.join(' OR ')})`;
}

/** Whether the position has an entry for one of the keys. What is collected apart has all of a statement in its row. */
function hasEntry(table: Table, keys: readonly string[]): string {
  if (table === 'statement_recent') return `(${keys.map(hasRecentKey).join(' OR ')})`;
  return `EXISTS (SELECT 1 FROM statement_key o WHERE o.${isAmong(keys)} AND o.position = k.position)`;
}

function isAmong([only, ...more]: readonly string[]): string {
  return more.length === 0 ? `search_key = ${only}` : `search_key IN (${[only, ...more].join(', ')})`;
}

function keyName({ place }: Term): string {
  return `:key${place}`;
}

function direction(ascending: boolean): string {
  return ascending ? 'ASC' : 'DESC';
}

/** The terms of the page's filters, and what all names stand for that stand in a query for its rows. */
function nameTerms({ filters, onlyOwn, dialect, after, through, rows, inlineBytes }: PageRange) {
  const names = placed(filters);
  const [driver = [], ...others] = names;
  const replacements: Replacements = {
    ...keyBytesOf(names.flat()),
    ...(dialect.collectsIndexEntries && fingerprintsOf(driver)),
    ...fingerprintsOf(others.flat()),
    ...valuesOf(others.flat()),
    ...(onlyOwn && marksOf(names.flat())),
    ...{ after, through, rows, inlineBytes },
  };
  return { names, replacements };
}

function placed(filters: readonly KeyFilter[]): Term[][] {
  return filters.map((filter, index) =>
    filter.map((term, alternative) => ({ ...term, place: `${index}_${alternative}` })),
  );
}

function keyBytesOf(terms: readonly Term[]): Replacements {
  return Object.fromEntries(terms.map(({ key, place }) => [`key${place}`, bytesOf(key)]));
}

/** What the fingerprint of a statement is compared with. */
function fingerprintsOf(terms: readonly Term[]): Replacements {
  return Object.fromEntries(
    terms.flatMap(({ mask, bits, place }): [string, number][] => [
      [`mask${place}`, mask],
      [`bits${place}`, bits],
    ]),
  );
}

/** What the row of a statement is compared with. */
function valuesOf(terms: readonly Term[]): Replacements {
  return Object.fromEntries(
    terms.flatMap(({ kind, value, place }): [string, string][] =>
      valueColumns[kind] === undefined ? [] : [[`value${place}`, value]],
    ),
  );
}

/** Who reads only own statements does not find them by what such a mark stands beside. */
function marksOf(terms: readonly Term[]): Replacements {
  return Object.fromEntries(terms.map(({ key, place }) => [`mark${place}`, bytesOf(foreignMark(key))]));
}

function bytesOf(key: SearchKey): Buffer {
  return Buffer.from(key, 'hex');
}
