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
  const filters = filtersOf(query);
  const texts = [{ sql: 'document.id' }, { sql: 'activity' }, identifierIn('agent')];
  const { found, values } = searchIn(session.dialect, texts, query.search);
  return session.select<ListedRow>(
    `SELECT document_key AS id, LENGTH(document.id) + LENGTH(content_type)
       + COALESCE(LENGTH(activity), 0) + COALESCE(LENGTH(agent), 0) AS size
     FROM document WHERE ${['document_key > :after', ...filters.conditions, found].join(' AND ')}
     ORDER BY document_key LIMIT :rows`,
    { after: keyAfter(query.after), rows: query.limit + 1, ...filters.values, ...values },
  );
}

/** For an Agent or an Activity the kind is wrapped, because SQLite takes the index of kinds first, although many are of one. */
function filtersOf({ kind, agent, activity }: DocumentListQuery) {
  const isOwned = agent !== undefined || activity !== undefined;
  const filters = [
    { name: 'kind', column: isOwned ? "COALESCE(kind, '')" : 'kind', value: kind },
    { name: 'agent', column: 'agent', value: agent },
    { name: 'activity', column: 'activity', value: activity },
  ].flatMap(({ value, ...rest }) => (value === undefined ? [] : [{ ...rest, value }]));
  return {
    conditions: filters.map(({ name, column }) => `${column} = :${name}`),
    values: Object.fromEntries(filters.map(({ name, value }) => [name, value])),
  };
}
