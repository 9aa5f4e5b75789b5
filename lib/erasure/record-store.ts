import { startEpoch } from '../db/cache-epoch.ts';
import { keyOf } from '../db/key.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';
import { collectionKey } from '../documents/keys.ts';
import { removedAtOnce } from '../documents/store.ts';
import type { DocumentKind } from '../documents/types.ts';
import type { Position } from '../statements/types.ts';

/** How many rows are looked at in one stretch. */
const stretch = 500;

/** When the newest name of the actor was first seen; undefined when it has none. */
export async function newestNameSeen(
  session: ReadSession,
  identifier: string,
): Promise<Position | undefined> {
  const [row] = await session.select<{ seen: Position | null }>(
    'SELECT MAX(first_seen) AS seen FROM agent_name WHERE agent_key = :key',
    keyIn(identifier),
  );
  const seen = row?.seen ?? undefined;
  return seen === undefined ? undefined : Number(seen);
}

/** Names of the actor that were first seen at a position or before: their keys, and whether there may be more. */
export async function selectNameKeys(
  session: ReadSession,
  identifier: string,
  through: Position,
): Promise<{ readonly keys: readonly Buffer[]; readonly more: boolean }> {
  const rows = await session.select<{ name_key: Buffer }>(
    'SELECT name_key FROM agent_name WHERE agent_key = :key AND first_seen <= :through LIMIT :rows',
    { ...keyIn(identifier), through, rows: stretch },
  );
  return { keys: rows.map(({ name_key }) => name_key), more: rows.length === stretch };
}

export async function countNames(session: ReadSession, identifier: string): Promise<number> {
  const [row] = await session.select<{ names: number }>(
    'SELECT COUNT(*) AS names FROM agent_name WHERE agent_key = :key',
    keyIn(identifier),
  );
  return Number(row?.names ?? 0);
}

export async function deleteNames(session: WriteSession, keys: readonly Buffer[]): Promise<void> {
  await session.execute('DELETE FROM agent_name WHERE name_key IN (:keys)', { keys });
  startEpoch(session, 'agents');
}

/** How many rows say that there is the actor: one or none. */
export async function countAgent(session: ReadSession, identifier: string): Promise<number> {
  return (await session.select('SELECT agent_key FROM agent WHERE agent_key = :key', keyIn(identifier)))
    .length;
}

export async function deleteAgent(session: WriteSession, identifier: string): Promise<void> {
  await session.execute('DELETE FROM agent WHERE agent_key = :key', keyIn(identifier));
  startEpoch(session, 'agents');
}

function keyIn(identifier: string): { readonly key: Buffer } {
  return { key: Buffer.from(keyOf(identifier), 'hex') };
}

/** Where a walk through all documents begins: before every key. */
export const firstKey = '00';

/** Part of a walk through all documents: the keys of the actor's, as many as one transaction removes, and where to go on; undefined at the end. */
export interface DocumentStretch {
  readonly keys: readonly Buffer[];
  /** Hexadecimal. */
  readonly next: string | undefined;
}

/** The documents of the actor, State and Agent Profiles, behind a key. Nothing but their keys is in the order of a table. */
export async function documentsAfter(
  session: ReadSession,
  identifier: string,
  after: string,
): Promise<DocumentStretch> {
  const rows = await session.select<DocumentRow>(
    `SELECT document_key, collection_key, kind, activity FROM document WHERE document_key > :after
     ORDER BY document_key LIMIT :rows`,
    { after: Buffer.from(after, 'hex'), rows: stretch },
  );
  const all = rows.filter((row) => isOf(row, identifier)).map(({ document_key }) => document_key);
  const keys = all.slice(0, removedAtOnce);
  const end = rows.length < stretch ? undefined : rows.at(-1)?.document_key;
  const next = keys.length < all.length ? keys.at(-1) : end;
  return { keys, next: next?.toString('hex') };
}

interface DocumentRow {
  readonly document_key: Buffer;
  readonly collection_key: Buffer;
  readonly kind: DocumentKind;
  readonly activity: string | null;
}

/** Whether there is a document of the actor. */
export async function hasDocuments(session: ReadSession, identifier: string): Promise<boolean> {
  const rows = await session.select<DocumentRow>(
    'SELECT document_key, collection_key, kind, activity FROM document WHERE agent = :identifier LIMIT :rows',
    { identifier, rows: stretch },
  );
  return rows.some((row) => isOf(row, identifier));
}

/** By the key, because the column has other characters for half a surrogate pair in an identifier. */
function isOf({ collection_key, kind, activity }: DocumentRow, identifier: string): boolean {
  const collection = { kind, activity: activity ?? undefined, agent: identifier, registration: undefined };
  return collection_key.toString('hex') === collectionKey(collection);
}

export async function deleteDocumentRows(session: WriteSession, keys: readonly Buffer[]): Promise<void> {
  if (keys.length > 0) await session.execute('DELETE FROM document WHERE document_key IN (:keys)', { keys });
}
