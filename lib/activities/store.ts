import { type Key, keyOf } from '../db/key.ts';
import { sortedSlices } from '../db/sorted-slices.ts';
import { sql } from '../db/sql.ts';
import type { InsertRow, ReadSession, RowSession } from '../db/types.ts';
import { TextMap } from '../text-map.ts';
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
  /** Their JSON texts, by the keys of the Activities. */
  readonly stored: ReadonlyMap<Key, string>;
  /** The keys of Activities whose definitions are too long together with the others. */
  readonly left: ReadonlySet<Key>;
  /** The epoch of `definitions` in which they are so. */
  readonly epoch: number;
}

/** The definitions of these Activities: all short ones, and as many of the long ones as one transaction should merge. */
export async function selectMergeable(
  session: ReadSession,
  activities: readonly Key[],
): Promise<MergeableDefinitions> {
  const rows = await session.select<{
    epoch: number;
    id: Buffer | null;
    bytes: number;
    definition: string | null;
  }>(
    `SELECT epoch, activity_key AS id, OCTET_LENGTH(definition) AS bytes,
       CASE WHEN OCTET_LENGTH(definition) <= :shortBytes THEN definition END AS definition
     FROM cache_epoch LEFT JOIN activity ON activity_key IN (:keys)
     WHERE name = 'definitions'`,
    { keys: bytesOf(activities), shortBytes },
  );
  const stored = new Map<Key, string>();
  const long: Key[] = [];
  const left = new Set<Key>();
  let bytesLeft = mergedBytes;
  for (const { id, bytes, definition } of rows) {
    if (id === null) continue;
    const key = id.toString('hex');
    if (definition !== null) stored.set(key, definition);
    else if (long.length > 0 && bytes > bytesLeft) left.add(key);
    else {
      long.push(key);
      bytesLeft -= bytes;
    }
  }
  for (const { id, definition } of await selectLong(session, long))
    stored.set(id.toString('hex'), definition);
  return { stored, left, epoch: rows[0]?.epoch ?? 0 };
}

async function selectLong(
  session: ReadSession,
  activities: readonly Key[],
): Promise<{ readonly id: Buffer; readonly definition: string }[]> {
  if (activities.length === 0) return [];
  const sql = 'SELECT activity_key AS id, definition FROM activity WHERE activity_key IN (:keys)';
  return session.select(sql, { keys: bytesOf(activities) });
}

const bytesOf = (keys: readonly Key[]): Buffer[] => keys.map((key) => Buffer.from(key, 'hex'));

/** Gives each Activity this definition, in one order whoever writes, so that no two transactions wait for each other. */
export async function writeDefinitions(
  session: RowSession,
  definitions: Iterable<{ readonly key: Key; readonly activity: string; readonly text: string }>,
): Promise<void> {
  const rows = new Map<Key, InsertRow>();
  for (const { key, activity, text } of definitions) rows.set(key, [key, activity, text]);
  for (const slice of sortedSlices(rows)) await session.upsert(activityTable, slice, ['definition']);
}
