import type { ListPage } from './types.ts';

/** How many characters of texts a page lists before it ends early: they are of any length. */
const longestPage = 1_000_000;

/** Before every key. */
const firstKey = '00';

/** A row of a list, by its key and by how many characters it brings to a page. */
export interface ListedRow {
  readonly id: Buffer;
  readonly size: number;
}

/** The key that the rows of a page come behind. */
export function keyAfter(after: string | undefined): Buffer {
  return Buffer.from(after ?? firstKey, 'hex');
}

/** @param rows one more than the limit when there are more. */
export function pageOf<Row extends ListedRow>(rows: readonly Row[], limit: number): ListPage<Row> {
  const entries: Row[] = [];
  let size = 0;
  for (const row of rows.slice(0, limit)) {
    size += Number(row.size);
    if (entries.length > 0 && size > longestPage) break;
    entries.push(row);
  }
  const next = entries.length < rows.length ? entries.at(-1)?.id.toString('hex') : undefined;
  return { entries, next };
}
