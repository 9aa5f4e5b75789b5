import { sql } from '../db/sql.ts';
import type { ReadSession } from '../db/types.ts';
import { keyAfter, type ListedRow, pageOf } from './page.ts';
import { jsonIn, searchIn } from './search.ts';
import type { CountedListQuery, KnownActivity, ListPage, ListQuery } from './types.ts';

/** A page of the Activities that statements define or have as their Object, in the order of their keys. */
export async function readActivities(
  session: ReadSession,
  query: CountedListQuery,
): Promise<ListPage<KnownActivity>> {
  const defined = await selectDefined(session, query);
  const counted = await selectCounted(session, query);
  const { entries, next } = pageOf(together(defined, counted), query.limit);
  return { entries: await describe(session, entries), next };
}

/** The row of `activity` is that of an Object of a statement. */
const isObject = sql`EXISTS (SELECT 1 FROM statement_activity s WHERE s.activity_key = activity.activity_key)`;

function selectDefined(
  session: ReadSession,
  { limit, search, after, isCounted }: CountedListQuery,
): Promise<ListedRow[]> {
  const found = searchIn(session.dialect, [{ text: sql`activity.id` }, jsonIn(sql`definition`)], search);
  const query = sql`SELECT activity_key AS id, LENGTH(activity.id) + LENGTH(definition) AS size
    FROM activity WHERE activity_key > ${keyAfter(after)} AND ${found} AND ${isCounted ? isObject : sql`1 = 1`}
    ORDER BY activity_key LIMIT ${limit + 1}`;
  return session.select<ListedRow>(query.text, query.values);
}

function selectCounted(session: ReadSession, { limit, search, after }: ListQuery): Promise<ListedRow[]> {
  const found = searchIn(session.dialect, [{ text: sql`activity` }], search);
  const query = sql`SELECT activity_key AS id, LENGTH(activity) AS size FROM statement_activity
    WHERE activity_key > ${keyAfter(after)} AND ${found} ORDER BY activity_key LIMIT ${limit + 1}`;
  return session.select<ListedRow>(query.text, query.values);
}

/** Each key once, in order. */
function together(...lists: readonly ListedRow[][]): ListedRow[] {
  const rows = new Map<string, ListedRow>();
  for (const row of lists.flat()) {
    const key = row.id.toString('hex');
    if (!rows.has(key)) rows.set(key, row);
  }
  return [...rows.values()].sort((one, other) => Buffer.compare(one.id, other.id));
}

async function describe(session: ReadSession, rows: readonly ListedRow[]): Promise<KnownActivity[]> {
  const keys = rows.map(({ id }) => id);
  const defined = await session.select<{ row_key: Buffer; id: string; definition: string }>(
    'SELECT activity_key AS row_key, id, definition FROM activity WHERE activity_key IN (:keys)',
    { keys },
  );
  const counted = await session.select<{ row_key: Buffer; id: string; statements: number }>(
    `SELECT activity_key AS row_key, activity AS id, statements
     FROM statement_activity WHERE activity_key IN (:keys)`,
    { keys },
  );
  const definitions = byKey(defined);
  const counts = byKey(counted);
  return rows.flatMap((row) => {
    const key = row.id.toString('hex');
    const [definition, count] = [definitions.get(key), counts.get(key)];
    const id = definition?.id ?? count?.id;
    if (id === undefined) return [];
    return [{ id, definition: definition?.definition, statements: count?.statements }];
  });
}

function byKey<Row extends { readonly row_key: Buffer }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.row_key.toString('hex'), row]));
}
