import type { ReadSession } from '../db/types.ts';
import { InvalidError } from '../errors.ts';
import { TextSet } from '../text-map.ts';
import { type CollectionPart, type ListedDocument, listDocuments, measureDocuments } from './store.ts';
import { type DocumentLimits, type DocumentList, leastIdBytes } from './types.ts';

/** So many documents are listed without asking first how many there are: lists are nearly always shorter. */
const usualRows = 1000;
/** And bytes of an id: a client may make ids as long as an address may be. All of them are within every `maxIdBytes`. */
const usualIdBytes = Math.floor(leastIdBytes / usualRows);

type Listed = Pick<CollectionPart, 'collection' | 'since'>;

/** The documents of a collection that were updated after a moment; undefined when there are many, or ids are long. */
export async function readUsualList(
  session: ReadSession,
  part: Listed,
  { maxIds }: DocumentLimits,
): Promise<ListedDocument[] | undefined> {
  const rows = Math.min(usualRows, maxIds + 1);
  const listed = await listDocuments(session, { ...part, rows }, usualIdBytes);
  const documents = listed.flatMap(({ id, updated }) => (id === null ? [] : { id, updated }));
  return listed.length < rows && documents.length === listed.length ? documents : undefined;
}

/**
 * All of them. What is too much is refused before it is loaded.
 * @param reserve told how many bytes the ids have; what it throws ends the call.
 * @throws InvalidError when there are more than the limits permit.
 */
export async function readLongList(
  session: ReadSession,
  part: Listed,
  { maxIds, maxIdBytes }: DocumentLimits,
  reserve: (bytes: number) => void = () => {},
): Promise<ListedDocument[]> {
  const all = { ...part, rows: maxIds + 1 };
  const { count, bytes } = await measureDocuments(session, all);
  if (count > maxIds) throw tooMany(maxIds);
  if (bytes > maxIdBytes) {
    throw new InvalidError(
      `There are ids of more than the ${maxIdBytes} bytes that lrs.documentMaxIdBytes (LRS_DOCUMENT_MAX_ID_BYTES) permits in one list: ${remedy}`,
    );
  }
  reserve(bytes);
  const documents = await listDocuments(session, all);
  if (documents.length > maxIds) throw tooMany(maxIds);
  return documents.flatMap(({ id, updated }) => (id === null ? [] : { id, updated }));
}

const remedy = 'name a registration, or a later time as since.';

function tooMany(maxIds: number): InvalidError {
  return new InvalidError(
    `There are more than the ${maxIds} documents that lrs.documentMaxIds (LRS_DOCUMENT_MAX_IDS) permits in one list: ${remedy}`,
  );
}

/** The list that a client gets: one id may be in use with several registrations. */
export function listOf(documents: readonly ListedDocument[]): DocumentList {
  const ids = [...new TextSet(documents.map(({ id }) => id))].sort();
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
