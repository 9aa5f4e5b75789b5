import { epochSql } from '../db/cache-epoch.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import {
  type BatchCheck,
  type Database,
  type InsertRow,
  type ReadSession,
  type RowSession,
  smallContentBytes,
  type WriteSession,
} from '../db/types.ts';
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

const metadata = 'document_key, content_type, etag, updated';
const columns = `${metadata}, content`;
/** The content is null if it has more bytes. */
function smallColumns(contentBytes: number): Sql {
  return sql`${raw(metadata)}, CASE WHEN LENGTH(content) <= ${contentBytes} THEN content END AS content`;
}

/**
 * One document; undefined where none is.
 * @param reserve told the length of a large content before it is loaded; what it throws ends the call.
 */
export async function findDocument(
  db: Database,
  key: DocumentKey,
  reserve: (bytes: number) => void = () => {},
): Promise<StoredDocument | undefined> {
  const isIt = sql`document_key = ${Buffer.from(key, 'hex')}`;
  const { text, values } = sql`SELECT ${smallColumns(smallContentBytes)}, LENGTH(content) AS length
    FROM document WHERE ${isIt}`;
  const [found] = await db.read(
    (session) => session.select<SmallRow & { readonly length: number }>(text, values),
    { byKey: true },
  );
  if (found === undefined) return undefined;
  const { content } = found;
  if (content !== null) return storedIn({ ...found, content });
  reserve(Number(found.length));
  const whole = sql`SELECT ${raw(columns)} FROM document WHERE ${isIt}`;
  const [row] = await db.read((session) => session.select<Row>(whole.text, whole.values), { large: true });
  return row && storedIn(row);
}

/** A document that is there, without its content if that is large. */
export interface FoundDocument extends Omit<StoredDocument, 'content'> {
  readonly content: Buffer | undefined;
}

/** What a transaction that writes has to know, read under the write lock. */
export interface Before {
  /** The documents with the keys that were asked for; those that are not there are left out. */
  readonly stored: ReadonlyMap<DocumentKey, FoundDocument>;
  /** The epoch of the rows of Agents. */
  readonly agentsEpoch: number | null;
}

/**
 * All of it in one SELECT, of which each other would cost a round trip.
 * @param keys of the documents; contents of more than `contentBytes` are not read.
 */
export async function findBefore(
  session: ReadSession,
  { keys, contentBytes }: { readonly keys: ReadonlySet<DocumentKey>; readonly contentBytes: number },
): Promise<Before> {
  const epoch = raw(`SELECT ${epochSql('agents')} AS epoch`);
  const { text, values } =
    keys.size === 0
      ? sql`${epoch}, NULL AS document_key`
      : sql`SELECT epoch, ${smallColumns(contentBytes)}
          FROM (${epoch}) e LEFT JOIN document ON document_key IN (${bytesOf(keys)})`;
  const rows = await session.select<FoundRow>(text, values);
  const found = rows.filter((row) => row.document_key !== null);
  return {
    stored: new Map(
      found.map((row) => [
        row.document_key.toString('hex'),
        { ...storedIn(row), content: row.content ?? undefined },
      ]),
    ),
    agentsEpoch: rows[0]?.epoch ?? null,
  };
}

type SmallRow = Omit<Row, 'content'> & { readonly content: Buffer | null };
type FoundRow = { readonly epoch: number | null } & (SmallRow | { readonly document_key: null });

function storedIn<Content>({
  content_type: contentType,
  etag,
  updated,
  content,
}: Omit<Row, 'content'> & { readonly content: Content }) {
  return { contentType, etag, updated, content };
}

/** The row of the check of a batch of documents. */
export interface EpochRow {
  /** The epoch of the rows of Agents. */
  readonly epoch: number | null;
}

/** For a batch whose documents are put whatever is stored. @param epochs those of Agents in which it counts; undefined: in any. */
export function epochCheckOf(epochs: readonly number[] | undefined): BatchCheck {
  return {
    sql: `SELECT ${epochSql('agents')} AS epoch`,
    fits: epochs === undefined ? 'true' : 'epoch IN (:epochs)',
    // Nothing counts from it.
    first: '1',
    replacements: () => (epochs === undefined ? {} : { epochs }),
  };
}

/** Puts each document in the place of the one with its key; the commit waits for it. */
export function putDocuments(session: RowSession, writes: ReadonlyMap<DocumentKey, DocumentWrite>): void {
  const rows: InsertRow[] = [];
  for (const [key, { address, document }] of writes) {
    if (document !== undefined) rows.push(rowOf(key, address, document));
  }
  session.send(session.upsert(documentTable, rows, ['content_type', 'etag', 'updated', 'content']));
}

/** Removes the documents that are to be nothing; the commit waits for it. */
export function removeDocuments(
  session: WriteSession,
  writes: ReadonlyMap<DocumentKey, DocumentWrite>,
): void {
  const keys = [...writes].filter(([, { document }]) => document === undefined).map(([key]) => key);
  if (keys.length === 0) return;
  session.send(
    session.execute('DELETE FROM document WHERE document_key IN (:keys)', { keys: bytesOf(keys) }),
  );
}

/** A document in a list. */
export interface ListedDocument {
  readonly id: string;
  /** Microseconds since the epoch. */
  readonly updated: number;
}

/** Some of the documents of a collection, those of every registration if none is given. */
export interface CollectionPart {
  readonly collection: DocumentCollection;
  /** Only those that were updated after this moment. */
  readonly since: number;
  /** So many of them at most. */
  readonly rows: number;
}

/** @param idBytes the id is null if it has more. */
export function listDocuments(
  session: ReadSession,
  part: CollectionPart,
  idBytes?: number,
): Promise<{ readonly id: string | null; readonly updated: number }[]> {
  const id =
    idBytes === undefined ? sql`id` : sql`CASE WHEN OCTET_LENGTH(id) <= ${idBytes} THEN id END AS id`;
  const { text, values } = select(sql`${id}, updated`, part);
  return session.select(text, values);
}

/** How many documents there are in the part, and how many bytes their ids have. */
export async function measureDocuments(
  session: ReadSession,
  part: CollectionPart,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const { text, values } = sql`SELECT COUNT(*) AS documents, COALESCE(SUM(bytes), 0) AS bytes
    FROM (${select(sql`OCTET_LENGTH(id) AS bytes`, part)}) part`;
  const [row] = await session.select<{ documents: number; bytes: number }>(text, values);
  return { count: Number(row?.documents ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** How many documents one transaction removes at most: each may have megabytes, which takes every engine its time. */
export const removedAtOnce = 50;

/**
 * Removes documents of a collection, those of every registration if none is given, as many as one transaction should.
 * @param until only those that were updated until this moment.
 * @returns whether there may be more.
 */
export async function deleteSome(
  session: WriteSession,
  collection: DocumentCollection,
  until: number,
): Promise<boolean> {
  const { text, values } = sql`SELECT document_key FROM document
    WHERE ${within(collection)} AND updated <= ${until} LIMIT ${removedAtOnce}`;
  const rows = await session.select<{ document_key: Buffer }>(text, values);
  const keys = rows.map(({ document_key }) => document_key);
  if (keys.length > 0) await session.execute('DELETE FROM document WHERE document_key IN (:keys)', { keys });
  return keys.length === removedAtOnce;
}

function select(columns: Sql, { collection, since, rows }: CollectionPart): Sql {
  return sql`SELECT ${columns} FROM document WHERE ${within(collection)} AND updated > ${since} LIMIT ${rows}`;
}

function within(collection: DocumentCollection): Sql {
  const isIn = sql`collection_key = ${Buffer.from(collectionKey(collection), 'hex')}`;
  const { registration } = collection;
  return registration === undefined ? isIn : sql`${isIn} AND registration = ${registration}`;
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
