import { join, type Sql, sql } from '../db/sql.ts';
import type { ReadSession } from '../db/types.ts';
import type { DocumentKind } from '../documents/types.ts';
import { keyAfter, type ListedRow, pageOf } from './page.ts';
import { identifierIn, searchIn } from './search.ts';
import type { DocumentListQuery, KnownDocument, ListPage } from './types.ts';

interface DocumentRow {
  readonly kind: DocumentKind;
  readonly activity: string | null;
  readonly agent: string | null;
  readonly registration: string | null;
  readonly id: string;
  readonly content_type: string;
  readonly length: number;
  readonly etag: string;
  readonly updated: number;
}

/** A page of the documents that pass all filters, in the order of their keys. */
export async function readDocuments(
  session: ReadSession,
  query: DocumentListQuery,
): Promise<ListPage<KnownDocument>> {
  const { entries, next } = pageOf(await selectKeys(session, query), query.limit);
  const rows = await session.select<DocumentRow>(
    `SELECT kind, activity, agent, registration, id, content_type, LENGTH(content) AS length, etag, updated
     FROM document WHERE document_key IN (:keys) ORDER BY document_key`,
    { keys: entries.map(({ id }) => id) },
  );
  const documents = rows.map(({ content_type: contentType, ...row }) => ({ ...row, contentType }));
  return { entries: documents, next };
}

function selectKeys(session: ReadSession, query: DocumentListQuery): Promise<ListedRow[]> {
  const searched = [{ text: sql`document.id` }, { text: sql`activity` }, identifierIn(sql`agent`)];
  const found = searchIn(session.dialect, searched, query.search);
  const conditions = [sql`document_key > ${keyAfter(query.after)}`, ...filtersOf(query), found];
  const { text, values } = sql`SELECT document_key AS id, LENGTH(document.id) + LENGTH(content_type)
      + COALESCE(LENGTH(activity), 0) + COALESCE(LENGTH(agent), 0) AS size
    FROM document WHERE ${join(conditions, ' AND ')} ORDER BY document_key LIMIT ${query.limit + 1}`;
  return session.select<ListedRow>(text, values);
}

/** For an Agent or an Activity the kind is wrapped, because SQLite takes the index of kinds first, although many are of one. */
function filtersOf({ kind, agent, activity }: DocumentListQuery): Sql[] {
  const isOwned = agent !== undefined || activity !== undefined;
  return [
    { column: isOwned ? sql`COALESCE(kind, '')` : sql`kind`, value: kind },
    { column: sql`agent`, value: agent },
    { column: sql`activity`, value: activity },
  ].flatMap(({ column, value }) => (value === undefined ? [] : [sql`${column} = ${value}`]));
}
