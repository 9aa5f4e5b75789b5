import type { ReadSession } from '../db/types.ts';
import { keyAfter, type ListedRow, pageOf } from './page.ts';
import { jsonIn, searchIn } from './search.ts';
import type { KnownActivity, ListPage, ListQuery } from './types.ts';

/** A page of the Activities that statements define, in the order of their keys. */
export async function readActivities(
  session: ReadSession,
  query: ListQuery,
): Promise<ListPage<KnownActivity>> {
  const { entries, next } = pageOf(await selectKeys(session, query), query.limit);
  const rows = await session.select<{ readonly id: string; readonly definition: string }>(
    'SELECT id, definition FROM activity WHERE activity_key IN (:keys) ORDER BY activity_key',
    { keys: entries.map(({ id }) => id) },
  );
  return { entries: rows, next };
}

function selectKeys(session: ReadSession, { limit, search, after }: ListQuery): Promise<ListedRow[]> {
  const texts = [{ sql: 'activity.id' }, jsonIn('definition')];
  const { found, values } = searchIn(session.dialect, texts, search);
  return session.select<ListedRow>(
    `SELECT activity_key AS id, LENGTH(activity.id) + LENGTH(definition) AS size
     FROM activity WHERE activity_key > :after AND ${found} ORDER BY activity_key LIMIT :rows`,
    { after: keyAfter(after), rows: limit + 1, ...values },
  );
}
