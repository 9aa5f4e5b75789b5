import { keyOf } from '../db/key.ts';
import type { ReadSession } from '../db/types.ts';
import { parseStoredJson } from '../json/json.ts';
import { slicesOf } from '../slices.ts';
import { TextMap } from '../text-map.ts';
import type { ActivityDefinition } from '../xapi/types.ts';
import { selectDefinitions } from './store.ts';

/** Definitions of at most so many bytes come with their sizes. */
const shortBytes = 2048;

/** Activities that one query asks for. */
const mostKeys = 1000;

/** A merged definition as it is stored. */
export interface StoredDefinition {
  readonly bytes: number;
  /** Its JSON; undefined of a long one, which `readDefinitionTexts` gives. */
  readonly text: string | undefined;
}

/** By id, the merged definitions of those of the Activities that have one: short ones whole, of the others only the size. */
export async function readDefinitions(
  session: ReadSession,
  ids: Iterable<string>,
): Promise<TextMap<StoredDefinition>> {
  const found = new TextMap<StoredDefinition>();
  const all = Array.from(ids, (id) => Buffer.from(keyOf(id), 'hex'));
  for (const keys of slicesOf(all, mostKeys)) {
    const rows = await session.select<{ id: string; bytes: number; definition: string | null }>(
      `SELECT id, OCTET_LENGTH(definition) AS bytes,
         CASE WHEN OCTET_LENGTH(definition) <= :shortBytes THEN definition END AS definition
       FROM activity WHERE activity_key IN (:keys)`,
      { keys, shortBytes },
    );
    for (const { id, bytes, definition } of rows) {
      found.set(id, { bytes: Number(bytes), text: definition ?? undefined });
    }
  }
  return found;
}

/** By id, the texts of definitions whose sizes were looked at before. */
export const readDefinitionTexts: (session: ReadSession, ids: Iterable<string>) => Promise<TextMap<string>> =
  selectDefinitions;

/** The text of a definition that was checked before it was stored, so the type is believed here. Numbers are marked. */
export function parseDefinition(text: string): ActivityDefinition {
  return parseStoredJson(Buffer.from(text)).source as unknown as ActivityDefinition;
}
