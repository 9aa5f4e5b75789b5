/**
 * The SQL of a page and of the probes of its plan.
 *
 * Example: the newest statements with a verb and an agent, led by the agent, on an engine without a write buffer:
 *   SELECT s.position, … FROM (
 *     SELECT k.position FROM statement_key k
 *     WHERE search_key = :key0_0 AND position > :after AND position <= :through
 *       AND CASE WHEN k.fingerprint <> -1 THEN (k.fingerprint & :mask1_0) = :bits1_0 AND EXISTS (… c.verb = :value1_0)
 *                ELSE EXISTS (… o.search_key = :key1_0 …) END
 *     ORDER BY position DESC LIMIT :rows
 *   ) p JOIN statement s ON s.position = p.position
 */
import type { Replacements } from '../../db/types.ts';
import type { SearchTermKind } from '../../xapi/search-terms.ts';
import { anyFingerprint } from './fingerprint.ts';
import { foreignMark } from './foreign-mark.ts';
import { depth, type IndexPart, indexParts, inWalkOrder, keyName, type Term } from './index-sql.ts';
import type { KeyFilter, PageRange } from './plan.ts';
import type { SearchKey } from './search-key.ts';

export interface SqlQuery {
  readonly sql: string;
  readonly replacements: Replacements;
}

/**
 * The rows of a page, in no particular order. It walks the range of the leading filter and checks the others by position: with
 * one filter it reads no more than the page, with several no more than the leading one's range.
 */
export function pageQuery(page: PageRange): SqlQuery {
  const { names, replacements } = nameTerms(page);
  const [leading, ...others] = names;
  const rows =
    leading === undefined
      ? allPositions(page)
      : rowsAt(walks(leading, others, page, { isLimited: false }).map(inParentheses), page);
  return { sql: `SELECT ${rowColumns} FROM ${rows}`, replacements };
}

/**
 * The same, but it looks at no more than so many index entries of each of the leading filter's terms. Each row also tells how
 * far that reaches, `reached`: the position of the last of them, the nearest one of all terms, except of a term that has given a
 * whole page; null when there are fewer entries.
 */
export function scanQuery(page: PageRange, entries: number): SqlQuery {
  const {
    names: [leading = [], ...others],
    replacements,
  } = nameTerms(page);
  const walked = walks(leading, others, page, { isLimited: true });
  const bound = { ...replacements, entries, skipped: entries - 1 };
  if (!page.dialect.lazyWith) {
    const rows = rowsAt(walked.map(inParentheses), page);
    return {
      sql: `SELECT ${reached(leading, page)} AS reached, ${rowColumns} FROM ${rows}`,
      replacements: bound,
    };
  }
  const names = walked.map((_, index) => `walk${index}`);
  const tables = walked.map((walk, index) => `${names[index]} AS (${walk})`);
  // Most pages are full, and then nobody needs to know.
  const depths = leading.map(
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

const rowColumns = `s.position, OCTET_LENGTH(s.payload) AS bytes,
  CASE WHEN OCTET_LENGTH(s.payload) <= :inlineBytes THEN s.payload END AS text`;

function allPositions({ ascending }: PageRange): string {
  return `statement s
      WHERE s.voided = 0 AND s.position > :after AND s.position <= :through
      ORDER BY s.position ${ascending ? 'ASC' : 'DESC'} LIMIT :rows`;
}

/**
 * The positions that pass every filter, from each walk no more than belong on a page: one walk for each leading term in the
 * main table of the index, then one in its write buffer if it has one.
 */
function walks(
  leading: readonly Term[],
  others: readonly (readonly Term[])[],
  { ascending, dialect, onlyOwn }: PageRange,
  { isLimited }: { readonly isLimited: boolean },
): string[] {
  return indexParts(dialect).flatMap((part) => {
    const passing = [
      ...(onlyOwn ? [`(${holdsOnlyOwn} OR ${isOwn(part, leading)})`] : []),
      ...others.map((terms) => passes(part, terms, onlyOwn)),
    ]
      .map((condition) => ` AND ${condition}`)
      .join('');
    return part
      .inRange(leading, { ascending, isLimited })
      .map((range) => `SELECT k.position FROM ${range}${passing} ${inWalkOrder(ascending)} LIMIT :rows`);
  });
}

/** The rows at the first of the positions that several walks give. */
function rowsAt([only = '', ...more]: readonly string[], { ascending }: PageRange): string {
  const alternatives = [only, ...more].map((source) => `SELECT * FROM ${source} alternative`);
  const merged =
    more.length === 0 ? only : `(${alternatives.join(' UNION ')} ${inWalkOrder(ascending)} LIMIT :rows)`;
  return `${merged} p JOIN statement s ON s.position = p.position`;
}

/** Where the last of so many index entries of a filter lies: the nearest one of its terms. */
function reached(terms: readonly Term[], page: PageRange): string {
  return nearest(
    terms.map((term) => depth(term, page)),
    page,
  );
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
function passes(part: IndexPart, terms: readonly Term[], onlyOwn: boolean): string {
  const listed = onlyOwn ? isOwn(part, terms) : part.hasEntry(terms.map(keyName));
  const checked = terms.map((term) => {
    const column = valueColumns[term.kind];
    const sure =
      column === undefined
        ? part.hasEntry([keyName(term)])
        : `EXISTS (SELECT 1 FROM statement c WHERE c.position = k.position AND c.${column} = :value${term.place})`;
    return `(k.fingerprint & :mask${term.place}) = :bits${term.place} AND ${sure}`;
  });
  return `CASE WHEN ${holdsOnlyOwn} THEN ${checked.join(' OR ')} ELSE ${listed} END`;
}

/** Whether the position has an entry for one of the terms that no mark takes away. */
function isOwn(part: IndexPart, terms: readonly Term[]): string {
  const own = terms.map((term) => {
    const isForeign = part.hasEntry([`:mark${term.place}`]);
    return `${part.hasEntry([keyName(term)])} AND NOT ${isForeign}`;
  });
  return `(${own.join(' OR ')})`;
}

/** The terms of the page's filters, and the values of all names in a query for its rows. */
function nameTerms({ filters, onlyOwn, dialect, after, through, rows, inlineBytes }: PageRange) {
  const names = placed(filters);
  const [leading = [], ...others] = names;
  const comparesLeading = indexParts(dialect).some(({ comparesFingerprints }) => comparesFingerprints);
  const replacements: Replacements = {
    ...keyBytesOf(names.flat()),
    ...(comparesLeading && fingerprintsOf(leading)),
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
