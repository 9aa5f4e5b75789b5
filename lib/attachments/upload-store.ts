import { attachmentUpload } from '../db/tables/statements.ts';
import { rowsOf } from '../db/tables/table.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';
import type { UploadedContent } from './types.ts';

/** Seconds since the epoch. */
export type Second = number;

export interface Upload extends UploadedContent {
  readonly expires: Second;
}

const uploadTable = rowsOf(attachmentUpload);

interface UploadRow {
  readonly object_id: string;
  readonly sha2: string;
  readonly length: number;
  readonly content_type: string;
  readonly expires: number;
}

const columns = 'object_id, sha2, length, content_type, expires';

const toUpload = ({ object_id, sha2, length, content_type, expires }: UploadRow): Upload => ({
  objectId: object_id,
  sha2,
  length: Number(length),
  contentType: content_type,
  expires: Number(expires),
});

/** The open uploads of an owner, of these contents: one for each description of a content. */
export async function selectUploads(
  session: ReadSession,
  owner: string,
  { hashes, now }: { readonly hashes: readonly string[]; readonly now: Second },
): Promise<Upload[]> {
  const rows = await session.select<UploadRow>(
    `SELECT ${columns} FROM attachment_upload WHERE owner = :owner AND sha2 IN (:hashes) AND expires > :now`,
    { owner, hashes, now },
  );
  return rows.map(toUpload);
}

export async function countUploads(session: ReadSession, owner: string, now: Second): Promise<number> {
  const [row] = await session.select<{ n: number }>(
    'SELECT COUNT(*) AS n FROM attachment_upload WHERE owner = :owner AND expires > :now',
    { owner, now },
  );
  return Number(row?.n ?? 0);
}

/** @param owner empty for what the LRS itself puts into the bucket. */
export async function insertUploads(
  session: WriteSession,
  owner: string,
  uploads: readonly Upload[],
): Promise<void> {
  await session.insert(
    uploadTable,
    uploads.map(({ objectId, sha2, length, contentType, expires }) => [
      objectId,
      owner,
      sha2,
      length,
      contentType,
      expires,
    ]),
  );
}

/** The same content may be announced again. */
export async function prolongUpload(session: WriteSession, objectId: string, expires: Second): Promise<void> {
  await session.execute('UPDATE attachment_upload SET expires = :expires WHERE object_id = :objectId', {
    objectId,
    expires,
  });
}

/** Objects whose uploads ended before a time, with whether a statement carries them, the oldest first. */
export async function selectEnded(
  session: ReadSession,
  before: Second,
  limit: number,
): Promise<{ readonly objectId: string; readonly isUsed: boolean }[]> {
  const rows = await session.select<{ object_id: string; used: string | null }>(
    `SELECT u.object_id, o.sha2 AS used FROM attachment_upload u
     LEFT JOIN attachment_object o ON o.object_id = u.object_id
     WHERE u.expires < :before ORDER BY u.expires LIMIT ${limit}`,
    { before },
  );
  return rows.map(({ object_id, used }) => ({ objectId: object_id, isUsed: used !== null }));
}

export async function deleteUploads(session: WriteSession, objectIds: readonly string[]): Promise<void> {
  if (objectIds.length === 0) return;
  await session.execute('DELETE FROM attachment_upload WHERE object_id IN (:objectIds)', { objectIds });
}

/**
 * Takes the objects of contents that no statement carries any more out of use. Those whose uploads are still open are removed
 * when nobody can go on with them, the others at once.
 */
export async function abandonObjects(
  session: WriteSession,
  hashes: readonly string[],
  now: Second,
): Promise<void> {
  const rows = await session.select<{ object_id: string; open: string | null }>(
    `SELECT o.object_id, u.object_id AS open FROM attachment_object o
     LEFT JOIN attachment_upload u ON u.object_id = o.object_id WHERE o.sha2 IN (:hashes)`,
    { hashes },
  );
  if (rows.length === 0) return;
  const open = rows.filter((row) => row.open !== null).map(({ object_id }) => object_id);
  const closed = rows.filter((row) => row.open === null);
  if (open.length > 0) {
    await session.execute(
      'UPDATE attachment_upload SET expires = :now WHERE object_id IN (:open) AND expires > :now',
      { open, now },
    );
  }
  await session.insert(
    uploadTable,
    closed.map(({ object_id }) => [object_id, '', '', 0, '', 0]),
  );
  await session.execute('DELETE FROM attachment_object WHERE sha2 IN (:hashes)', { hashes });
}
