import { type Key, keyOf } from '../db/key.ts';
import { sortedSlices } from '../db/sorted-slices.ts';
import type { InsertRow, ReadSession, WriteSession } from '../db/types.ts';
import { activityTable } from './table.ts';

/** The JSON texts of the definitions of these Activities, by id; those that have none are left out. */
export async function selectDefinitions(
  session: ReadSession,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  const rows = await session.select<{ id: string; definition: string }>(
    'SELECT id, definition FROM activity WHERE activity_key IN (:keys)',
    { keys: Array.from(ids, (id) => Buffer.from(keyOf(id), 'hex')) },
  );
  return new Map(rows.map(({ id, definition }) => [id, definition]));
}

/** Gives each Activity this definition, in one order whoever writes, so that no two transactions wait for each other. */
export async function writeDefinitions(
  session: WriteSession,
  definitions: Iterable<{ readonly activity: string; readonly text: string }>,
): Promise<void> {
  const rows = new Map<Key, InsertRow>();
  for (const { activity, text } of definitions) {
    const key = keyOf(activity);
    rows.set(key, [key, activity, text]);
  }
  for (const slice of sortedSlices(rows)) await session.upsert(activityTable, slice, ['definition']);
}
