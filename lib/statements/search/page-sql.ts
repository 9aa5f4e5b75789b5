/**
 * The SQL of a page, and of what its plan asks for: how far each filter reaches.
 *
 * Example: the newest statements with a verb and an agent, led by the agent, on an engine without a write buffer:
 *   SELECT s.position, … FROM (
 *     SELECT k.position FROM statement_key k
 *     WHERE search_key = ${agent's key} AND position > ${after} AND position <= ${through}
 *       AND CASE WHEN k.fingerprint <> -1 THEN (k.fingerprint & ${verb's mask}) = ${bits} AND EXISTS (… c.verb = ${verb})
 *                ELSE EXISTS (… o.search_key = ${verb's key} …) END
 *     ORDER BY position DESC LIMIT ${rows}
 *   ) p JOIN statement s ON s.position = p.position
 */
import { join, raw, type Sql, sql } from '../../db/sql.ts';
import type { SearchTermKind } from '../../xapi/search-terms.ts';
import { anyFingerprint } from './fingerprint.ts';
import { foreignMark } from './foreign-mark.ts';
import { bytesOf, depth, type IndexPart, indexParts, inScanOrder, type Term } from './index-sql.ts';
import type { KeyFilter, PageRange } from './plan.ts';

/**
 * The rows of a page, in no particular order. It scans the range of the leading filter and probes the others by position:
 * with one filter it reads no more than the page, with several no more than the leading filter's range.
 */
export function pageQuery(page: PageRange): Sql {
  const [leading, ...others] = termsOf(page.filters, page);
  const rows =
    leading === undefined
      ? allPositions(page)
      : rowsAt(scansOf(leading, others, page).map(inParentheses), page);
  return sql`SELECT ${rowColumns(page)} FROM ${rows}`;
}

/**
 * The same as one row, for an engine that `joinsTexts`: the positions and lengths of the rows, which are null where there is no
 * row, and the texts that came along as one value of bytes, with a comma between two.
 * @param start, end what stands before and after the texts.
 */
export function joinedQuery(page: PageRange, { start, end }: { start: string; end: string }): Sql {
  return sql`SELECT group_concat(position) AS positions, group_concat(bytes) AS lengths,
      CAST(${start} || COALESCE(group_concat(text), '') || ${end} AS BLOB) AS result FROM (${pageQuery(page)})`;
}

/**
 * The same as `pageQuery`, but it reads at most this many index entries of each term of the leading filter. `reached` of each row is the
 * position up to which the scan is complete: that of the last entry read, the nearest one of all terms, except of a term
 * that filled the page; null when all entries were read.
 */
export function scanQuery(page: PageRange, entries: number): Sql {
  const [leading = [], ...others] = termsOf(page.filters, page);
  const scans = scansOf(leading, others, page, entries);
  if (!page.dialect.lazyWith) {
    const rows = rowsAt(scans.map(inParentheses), page);
    return sql`SELECT ${reached(leading, page, entries)} AS reached, ${rowColumns(page)} FROM ${rows}`;
  }
  const names = scans.map((_, index) => raw(`scan${index}`));
  const tables = scans.map((scan, index) => sql`${raw(`scan${index}`)} AS (${scan})`);
  // Most pages are full, and then `reached` is not needed.
  const depths = leading.map(
    (term, index) =>
      sql`SELECT CASE WHEN (SELECT COUNT(*) FROM ${raw(`scan${index}`)}) < ${page.rows} THEN (${depth(term, page, entries)}) END AS position`,
  );
  return sql`WITH ${join(tables, ', ')}
      SELECT ${nearest(depths, page)} AS reached, ${rowColumns(page)} FROM ${rowsAt(names, page)}`;
}

function inParentheses(query: Sql): Sql {
  return sql`(${query})`;
}

/** One row with the position of the n-th entry of each filter, in order, or null when there are fewer. */
export function reachQuery(page: PageRange, size: number): Sql {
  const columns = termsOf(page.filters, { onlyOwn: false }).map(
    (terms, index) => sql`${reached(terms, page, size)} AS ${raw(`filter${index}`)}`,
  );
  return sql`SELECT ${join(columns, ', ')}`;
}

/** The columns of a `PageRow`, of a statement `s`. */
export function rowColumns({ inlineBytes }: Pick<PageRange, 'inlineBytes'>): Sql {
  return sql`s.position, OCTET_LENGTH(s.payload) AS bytes,
  CASE WHEN OCTET_LENGTH(s.payload) <= ${inlineBytes} THEN s.payload END AS text`;
}

function allPositions(page: PageRange): Sql {
  const { after, through, rows } = page;
  return sql`statement s
      WHERE s.voided = 0 AND s.position > ${after} AND s.position <= ${through}
      ORDER BY s.position ${page.ascending ? sql`ASC` : sql`DESC`} LIMIT ${rows}`;
}

/**
 * The positions that pass every filter. Each scan returns at most a page: one scan for each term of the leading filter in
 * the main table of the index, and one in its write buffer if it has one.
 */
function scansOf(
  leading: readonly Term[],
  others: readonly (readonly Term[])[],
  page: PageRange,
  entries?: number,
): Sql[] {
  const { dialect, onlyOwn, rows } = page;
  return indexParts(dialect).flatMap((part) => {
    const own = onlyOwn ? [sql`(${holdsOnlyOwn} OR ${isOwn(part, leading)})`] : [];
    const passing = [...own, ...others.map((terms) => passes(part, terms, onlyOwn))];
    return part
      .inRange(leading, page, entries)
      .map(
        (range) =>
          sql`SELECT k.position FROM ${join([range, ...passing], ' AND ')} ${inScanOrder(page)} LIMIT ${rows}`,
      );
  });
}

/** The rows at the first positions of all scans together. */
function rowsAt(sources: readonly Sql[], page: PageRange): Sql {
  const alternatives = sources.map((source) => sql`SELECT * FROM ${source} alternative`);
  const [only] = sources;
  const merged =
    only !== undefined && sources.length === 1
      ? only
      : sql`(${join(alternatives, ' UNION ')} ${inScanOrder(page)} LIMIT ${page.rows})`;
  return sql`${merged} p JOIN statement s ON s.position = p.position`;
}

/** The position of the n-th entry of a filter: the nearest one of its terms. */
function reached(terms: readonly Term[], page: PageRange, entries: number): Sql {
  return nearest(
    terms.map((term) => depth(term, page, entries)),
    page,
  );
}

/** The nearest of the selected positions. */
function nearest(selects: readonly Sql[], { ascending }: PageRange): Sql {
  const all = selects.map((select, index) => sql`SELECT position FROM (${select}) ${raw(`d${index}`)}`);
  return sql`(SELECT ${ascending ? sql`MIN` : sql`MAX`}(position) FROM (${join(all, ' UNION ALL ')}) d)`;
}

/** A fingerprint that rules something out belongs to a statement without inherited keys. */
const holdsOnlyOwn = raw(`k.fingerprint <> ${anyFingerprint}`);

/** Columns that alone decide whether the statement itself passes a filter of the kind. */
const valueColumns: Partial<Record<SearchTermKind, Sql>> = { verb: sql`verb`, activity: sql`object` };

/**
 * Whether the position passes a filter. The fingerprint rules most statements out; where it does not, the statement may
 * have inherited keys, which only its entries show.
 */
function passes(part: IndexPart, terms: readonly Term[], onlyOwn: boolean): Sql {
  const listed = onlyOwn ? isOwn(part, terms) : part.hasEntry(terms.map(({ bytes }) => bytes));
  const checked = terms.map(({ kind, value, bytes, mask, bits }) => {
    const column = valueColumns[kind];
    const sure =
      column === undefined
        ? part.hasEntry([bytes])
        : sql`EXISTS (SELECT 1 FROM statement c WHERE c.position = k.position AND c.${column} = ${value})`;
    return sql`(k.fingerprint & ${mask}) = ${bits} AND ${sure}`;
  });
  return sql`CASE WHEN ${holdsOnlyOwn} THEN ${join(checked, ' OR ')} ELSE ${listed} END`;
}

/** Whether the position has an entry for one of the terms without a foreign mark. */
function isOwn(part: IndexPart, terms: readonly Term[]): Sql {
  const own = terms.map(({ bytes, marks }) => sql`${part.hasEntry([bytes])} AND NOT ${part.hasEntry(marks)}`);
  return sql`(${join(own, ' OR ')})`;
}

/** With `onlyOwn`, an entry with a foreign mark does not count. */
function termsOf(filters: readonly KeyFilter[], { onlyOwn }: Pick<PageRange, 'onlyOwn'>): Term[][] {
  return filters.map((terms) =>
    terms.map((term) => ({
      ...term,
      bytes: bytesOf(term.key),
      marks: onlyOwn ? [bytesOf(foreignMark(term.key))] : [],
    })),
  );
}
