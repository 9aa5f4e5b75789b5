import { attachmentObject } from '../db/tables/statements.ts';
import { rowsOf } from '../db/tables/table.ts';
import type { RowSession } from '../db/types.ts';

const objectTable = rowsOf(attachmentObject);

interface PlacedObject {
  readonly sha2: string;
  readonly objectId: string;
  /** Bytes. */
  readonly length: number;
  readonly sentAlong?: boolean;
}

/**
 * Notes where contents lie; of two objects with one content the first stays, and the other is removed as unused. A content
 * that has once come with a statement stays one that did.
 */
export async function insertObjects(session: RowSession, contents: readonly PlacedObject[]): Promise<void> {
  const rowsOf = (sentAlong: boolean) =>
    contents
      .filter((content) => (content.sentAlong ?? false) === sentAlong)
      .map(({ sha2, objectId, length }) => [sha2, objectId, length, sentAlong ? 1 : 0]);
  const [sent, uploaded] = [rowsOf(true), rowsOf(false)];
  if (uploaded.length > 0) await session.insert(objectTable, uploaded, { skipTaken: true });
  if (sent.length > 0) await session.upsert(objectTable, sent, ['sent_along']);
}
