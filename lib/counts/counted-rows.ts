import { slicesByLength } from '../db/sorted-slices.ts';
import type { InsertRow, TableShape, WriteSession } from '../db/types.ts';

/** A change of a count. */
export interface Adjustment {
  /** A number, or a key as hexadecimal text. */
  readonly id: number | string;
  /** What stands between the first and the last column. */
  readonly labels: readonly string[];
  readonly amount: number;
}

export interface Adjusted {
  /** By how many rows there are more than before. */
  readonly more: number;
  /** The counts of all rows that were to change, by id as text; 0 where nothing is left. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Adds to the last column of the rows with these ids, their first column; rows come when there is something to count and go
 * when there is nothing left.
 */
export async function adjust(
  session: WriteSession,
  table: TableShape,
  changes: readonly Adjustment[],
): Promise<Adjusted> {
  const counts = new Map<string, number>();
  if (changes.length === 0) return { more: 0, counts };
  const [column = ''] = Object.keys(table.columns);
  const stored = await session.select<{ id: number | Buffer; statements: number }>(
    `SELECT ${column} AS id, statements FROM ${table.name} WHERE ${column} IN (:ids)`,
    { ids: inSql(changes.map(({ id }) => id)) },
  );
  const before = new Map(stored.map(({ id, statements }) => [printed(id), statements]));
  const kept: InsertRow[] = [];
  const gone: (number | string)[] = [];
  for (const { id, labels, amount } of changes) {
    const count = Math.max((before.get(printed(id)) ?? 0) + amount, 0);
    counts.set(printed(id), count);
    if (count > 0) kept.push([id, ...labels, count]);
    else if (before.has(printed(id))) gone.push(id);
  }
  for (const slice of slicesByLength(kept)) await session.upsert(table, slice, ['statements']);
  if (gone.length > 0) {
    await session.execute(`DELETE FROM ${table.name} WHERE ${column} IN (:gone)`, { gone: inSql(gone) });
  }
  return { more: kept.length - stored.length, counts };
}

/** The ids as values of SQL: numbers, or bytes. */
function inSql(ids: readonly (number | string)[]): number[] | Buffer[] {
  const numbers = ids.filter((id) => typeof id === 'number');
  return numbers.length === ids.length ? numbers : ids.map((id) => Buffer.from(String(id), 'hex'));
}

function printed(id: number | string | Buffer): string {
  return Buffer.isBuffer(id) ? id.toString('hex') : String(id);
}
