import type { InsertRow, ReadSession, WriteSession } from '../db/types.ts';
import type { DocumentWrite } from './changes.ts';
import { collectionKey, type DocumentKey } from './keys.ts';
import { documentTable } from './table.ts';
import type { DocumentCollection, StoredDocument } from './types.ts';

interface Row {
  readonly document_key: Buffer;
  readonly content_type: string;
  readonly etag: string;
  readonly updated: number;
  readonly content: Buffer;
}

/** The documents with these keys; those that are not there are left out. */
export async function findDocuments(
  session: ReadSession,
  keys: ReadonlySet<DocumentKey>,
): Promise<Map<DocumentKey, StoredDocument>> {
  if (keys.size === 0) return new Map();
  const rows = await session.select<Row>(
    'SELECT document_key, content_type, etag, updated, content FROM document WHERE document_key IN (:keys)',
    { keys: bytesOf(keys) },
  );
  return new Map(
    rows.map(({ document_key, content_type, ...rest }) => [
      document_key.toString('hex'),
      { ...rest, contentType: content_type },
    ]),
  );
}

/** Puts each document in the place of the one with its key, or removes that one; the commit waits for it. */
export function writeDocuments(session: WriteSession, writes: ReadonlyMap<DocumentKey, DocumentWrite>): void {
  const rows: InsertRow[] = [];
  const removed: DocumentKey[] = [];
  for (const [key, { address, document }] of writes) {
    if (document === undefined) removed.push(key);
    else rows.push(rowOf(key, address, document));
  }
  if (removed.length > 0) {
    session.commitBehind(
      session.execute('DELETE FROM document WHERE document_key IN (:keys)', { keys: bytesOf(removed) }),
    );
  }
  session.commitBehind(session.upsert(documentTable, rows, ['content_type', 'etag', 'updated', 'content']));
}

/** Id and time of the documents of a collection that were updated after a moment, those of every registration if none is given. */
export function listDocuments(
  session: ReadSession,
  collection: DocumentCollection,
  since: number,
): Promise<{ readonly id: string; readonly updated: number }[]> {
  const { condition, values } = within(collection);
  return session.select(`SELECT id, updated FROM document WHERE ${condition} AND updated > :since`, {
    ...values,
    since,
  });
}

/** Removes the documents of a collection, those of every registration if none is given. */
export async function deleteDocuments(session: WriteSession, collection: DocumentCollection): Promise<void> {
  const { condition, values } = within(collection);
  await session.execute(`DELETE FROM document WHERE ${condition}`, values);
}

function within(collection: DocumentCollection) {
  const values = { collection: Buffer.from(collectionKey(collection), 'hex') };
  const { registration } = collection;
  return registration === undefined
    ? { condition: 'collection_key = :collection', values }
    : {
        condition: 'collection_key = :collection AND registration = :registration',
        values: { ...values, registration },
      };
}

function rowOf(key: DocumentKey, address: DocumentWrite['address'], document: StoredDocument): InsertRow {
  const { kind, activity = null, agent = null, registration = null, id } = address;
  const { contentType, etag, updated, content } = document;
  const keys = [key, collectionKey(address)];
  return [...keys, kind, activity, agent, registration, id, contentType, etag, updated, content];
}

function bytesOf(keys: Iterable<DocumentKey>): Buffer[] {
  return Array.from(keys, (key) => Buffer.from(key, 'hex'));
}
