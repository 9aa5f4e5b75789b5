import { type Key, keyOf } from '../db/key.ts';
import { sortedSlices } from '../db/sorted-slices.ts';
import { sql } from '../db/sql.ts';
import type { InsertRow, ReadSession, RowSession } from '../db/types.ts';
import { TextMap, TextSet } from '../text-map.ts';
import { activityTable } from './table.ts';

/**
 * The JSON texts of the definitions of these Activities, by id; those that have none are left out.
 * @param longest those of more bytes are left out, too.
 */
export async function selectDefinitions(
  session: ReadSession,
  ids: Iterable<string>,
  longest?: number,
): Promise<TextMap<string>> {
  const keys = Array.from(ids, (id) => Buffer.from(keyOf(id), 'hex'));
  const short = longest === undefined ? sql`` : sql`AND OCTET_LENGTH(definition) <= ${longest}`;
  const { text, values } = sql`SELECT id, definition FROM activity WHERE activity_key IN (${keys}) ${short}`;
  const rows = await session.select<{ id: string; definition: string }>(text, values);
  return new TextMap(rows.map(({ id, definition }) => [id, definition]));
}

/** Definitions of at most so many bytes are merged whatever their number. */
const shortBytes = 1024;
/** So many bytes of longer ones are merged in one transaction, or a single one that has more. */
const mergedBytes = 8_388_608;

/** The definitions that one transaction may merge others into. */
export interface MergeableDefinitions {
  /** By Activity, their JSON texts. */
  readonly stored: TextMap<string>;
  /** Activities whose definitions are too long together with the others. */
  readonly left: TextSet;
  /** The epoch of `definitions` in which they are so. */
  readonly epoch: number;
}

/** The definitions of these Activities: all short ones, and as many of the long ones as one transaction should merge. */
export async function selectMergeable(
  session: ReadSession,
  ids: Iterable<string>,
): Promise<MergeableDefinitions> {
  const rows = await session.select<{
    epoch: number;
    id: string | null;
    bytes: number;
    definition: string | null;
  }>(
    `SELECT epoch, id, OCTET_LENGTH(definition) AS bytes,
       CASE WHEN OCTET_LENGTH(definition) <= :shortBytes THEN definition END AS definition
     FROM cache_epoch LEFT JOIN activity ON activity_key IN (:keys)
     WHERE name = 'definitions'`,
    { keys: Array.from(ids, (id) => Buffer.from(keyOf(id), 'hex')), shortBytes },
  );
  const stored = new TextMap<string>();
  const long: string[] = [];
  const left = new TextSet();
  let bytesLeft = mergedBytes;
  for (const { id, bytes, definition } of rows) {
    if (id === null) continue;
    if (definition !== null) stored.set(id, definition);
    else if (long.length > 0 && bytes > bytesLeft) left.add(id);
    else {
      long.push(id);
      bytesLeft -= bytes;
    }
  }
  if (long.length > 0) for (const [id, text] of await selectDefinitions(session, long)) stored.set(id, text);
  return { stored, left, epoch: rows[0]?.epoch ?? 0 };
}

/** Gives each Activity this definition, in one order whoever writes, so that no two transactions wait for each other. */
export async function writeDefinitions(
  session: RowSession,
  definitions: Iterable<{ readonly activity: string; readonly text: string }>,
): Promise<void> {
  const rows = new Map<Key, InsertRow>();
  for (const { activity, text } of definitions) {
    const key = keyOf(activity);
    rows.set(key, [key, activity, text]);
  }
  for (const slice of sortedSlices(rows)) await session.upsert(activityTable, slice, ['definition']);
}
