import type { ReadSession } from '../db/types.ts';
import { InvalidError } from '../errors.ts';
import { type ListedDocument, listDocuments, measureDocuments } from './store.ts';
import type { DocumentCollection, DocumentLimits, DocumentList } from './types.ts';

/** So many documents are listed without asking first how many there are: lists are nearly always shorter. */
const usualRows = 1000;

/**
 * The documents of a collection that were updated after a moment.
 * @throws InvalidError when there are more than the limits permit.
 */
export async function readList(
  session: ReadSession,
  { collection, since }: { readonly collection: DocumentCollection; readonly since: number },
  { maxIds, maxBytes }: DocumentLimits,
): Promise<ListedDocument[]> {
  const rows = Math.min(usualRows, maxIds + 1);
  const first = await listDocuments(session, { collection, since, rows });
  if (first.length < rows) return first;
  const all = { collection, since, rows: maxIds + 1 };
  const { count, characters } = await measureDocuments(session, all);
  const documents = count > maxIds || characters > maxBytes ? undefined : await listDocuments(session, all);
  if (documents !== undefined && documents.length <= maxIds) return documents;
  const reason =
    count > maxIds
      ? `more than the ${maxIds} documents that lrs.documentMaxIds (LRS_DOCUMENT_MAX_IDS) permits in one list`
      : `ids of more than the ${maxBytes} characters that lrs.documentMaxBytes (LRS_DOCUMENT_MAX_BYTES) permits`;
  throw new InvalidError(`There are ${reason}: name a registration, or a later time as since.`);
}

/** The list that a client gets: one id may be in use with several registrations. */
export function listOf(documents: readonly ListedDocument[]): DocumentList {
  const ids = [...new Set(documents.map(({ id }) => id))].sort();
  return documents.length === 0 ? { ids } : { ids, updated: latestOf(documents) };
}

/** When the latest of them was updated; 0 when there are none. */
export function latestOf(documents: readonly ListedDocument[]): number {
  return documents.reduce((latest, { updated }) => Math.max(latest, updated), 0);
}

/** The JSON text of a list of ids, which its ETag is taken of. */
export function textOf(ids: readonly string[]): string {
  return JSON.stringify(ids);
}
