import type { ReadSession } from '../../db/types.ts';
import type { Position } from '../types.ts';
import { pageQuery, reachQuery, scanQuery } from './page-sql.ts';
import { nextRange, type PageRange, type Reach, restOf, type ScanSizes } from './plan.ts';

export interface PageRow {
  readonly position: Position;
  readonly bytes: number;
  /** Null when the text is too long to be read with the row. */
  readonly text: string | null;
}

export interface SearchResult {
  /** In the direction of the scan. */
  readonly rows: readonly PageRow[];
  /** The position at which the search ended although there may be more results; absent when it is complete. */
  readonly searchedTo?: Position;
}

/**
 * Searches a range for statements that pass its filters. With several filters it proceeds range by range. The filter that
 * is usually the rarest leads in the first range, and the one that actually is the rarest in each further range. So the
 * work is bounded, even if many statements pass each filter and hardly any passes all
 * (docs/decisions/0011-searches-are-bounded.md).
 */
export async function search(
  session: ReadSession,
  range: PageRange,
  scanSizes: ScanSizes,
): Promise<SearchResult> {
  if (range.filters.length < 2) return { rows: await selectRows(session, range) };
  const [firstSize, ...laterSizes] = scanSizes;
  const { rows, reached } = await scan(session, range, firstSize);
  if (reached === null || rows.length >= range.rows) return { rows };
  let left = restOf(range, reached);
  let searchedTo = reached;
  for (const size of laterSizes) {
    const { part, rest } = nextRange(left, await reachOf(session, left, size));
    rows.push(...(await selectRows(session, { ...part, rows: range.rows - rows.length })));
    if (rest === undefined || rows.length >= range.rows) return { rows };
    left = rest.range;
    searchedTo = rest.end;
  }
  return { rows, searchedTo };
}

/** The rows up to the last scanned entry of the leading filter, and that position unless the scan is complete. */
async function scan(
  session: ReadSession,
  range: PageRange,
  entries: number,
): Promise<{ readonly rows: PageRow[]; readonly reached: Position | null }> {
  const { text, values } = scanQuery(range, entries);
  const found = await session.select<PageRow & { readonly reached: Position | null }>(text, values);
  const leading = { ...range, filters: range.filters.slice(0, 1) };
  // Without rows there is no `reached`.
  const reached = found[0] ? found[0].reached : ((await reachOf(session, leading, entries)).filter0 ?? null);
  const isReached = ({ position }: PageRow) =>
    reached === null || (range.ascending ? position <= reached : position >= reached);
  return { rows: inOrder(found, range).filter(isReached), reached };
}

async function selectRows(session: ReadSession, range: PageRange): Promise<PageRow[]> {
  const { text, values } = pageQuery(range);
  return inOrder(await session.select<PageRow>(text, values), range);
}

function inOrder(rows: PageRow[], { ascending }: PageRange): PageRow[] {
  const sign = ascending ? 1 : -1;
  return rows.sort((a, b) => sign * (a.position - b.position));
}

async function reachOf(session: ReadSession, range: PageRange, size: number): Promise<Reach> {
  const { text, values } = reachQuery(range, size);
  const [row = {}] = await session.select<Record<string, Position | null>>(text, values);
  return row;
}
