import { slicesOf } from '../slices.ts';
import type { ReadSession } from './types.ts';

/** How many ids one query has at most. */
const idsAtOnce = 500;

/**
 * The rows that a SELECT has for any number of ids, by one query for each 500 of them.
 * @param sql has `IN (:ids)` as its only value.
 * @param ids each is asked for once.
 */
export async function selectByIds<Row extends object>(
  session: ReadSession,
  sql: string,
  ids: Iterable<string>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const some of slicesOf([...new Set(ids)], idsAtOnce)) {
    for (const row of await session.select<Row>(sql, { ids: some })) rows.push(row);
  }
  return rows;
}
