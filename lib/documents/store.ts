import { epochSql } from '../db/cache-epoch.ts';
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

const columns = 'document_key, content_type, etag, updated, content';

/** One document; undefined where none is. */
export async function findDocument(
  session: ReadSession,
  key: DocumentKey,
): Promise<StoredDocument | undefined> {
  const [row] = await session.select<Row>(`SELECT ${columns} FROM document WHERE document_key IN (:keys)`, {
    keys: bytesOf([key]),
  });
  return row && storedIn(row);
}

/** What a transaction that writes has to know, read under the write lock. */
export interface Before {
  /** The documents with the keys that were asked for; those that are not there are left out. */
  readonly stored: ReadonlyMap<DocumentKey, StoredDocument>;
  /** The epoch of the rows of Agents. */
  readonly agentsEpoch: number | null;
}

/** All of it in one SELECT, of which each other would cost a round trip. */
export async function findBefore(session: ReadSession, keys: ReadonlySet<DocumentKey>): Promise<Before> {
  const epoch = `SELECT ${epochSql('agents')} AS epoch`;
  const rows =
    keys.size === 0
      ? await session.select<FoundRow>(`${epoch}, NULL AS document_key`)
      : await session.select<FoundRow>(
          `SELECT epoch, ${columns} FROM (${epoch}) e LEFT JOIN document ON document_key IN (:keys)`,
          { keys: bytesOf(keys) },
        );
  const found = rows.filter((row) => row.document_key !== null);
  return {
    stored: new Map(found.map((row) => [row.document_key.toString('hex'), storedIn(row)])),
    agentsEpoch: rows[0]?.epoch ?? null,
  };
}

type FoundRow = { readonly epoch: number | null } & (Row | { readonly document_key: null });

function storedIn({ content_type: contentType, etag, updated, content }: Row): StoredDocument {
  return { contentType, etag, updated, content };
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
