import { type Key, keyOf } from '../db/key.ts';
import { sortedSlices } from '../db/sorted-slices.ts';
import type { Database, InsertRow, ReadSession, RowSession, TableShape } from '../db/types.ts';
import { giveWayBriefly, Pauses } from '../in-turns.ts';
import { agentNameTable, agentTable } from './table.ts';
import type { SeenName } from './types.ts';

/** How many names of an Agent are told, because clients choose them and all are told at once. */
const mostNames = 1000;
/** Names of more bytes than this are told as long as they have no more than the other number together; a single one always is. */
const shortName = 1000;
const longNames = 1_048_576;

/** The names of an Agent, those that were seen last for the first time in front: of very many the newest, of long ones few. */
export async function selectNames(db: Database, identifier: string): Promise<string[]> {
  const rows = await db.read((session) => selectNewest(session, identifier));
  let left = longNames;
  const told = rows.filter(({ bytes, name }) => {
    if (name !== null) return true;
    const fits = left === longNames || bytes <= left;
    if (fits) left -= bytes;
    return fits;
  });
  const keys = told.flatMap(({ id, name }) => (name === null ? id : []));
  const long = await selectLong(db, keys);
  return told.flatMap(({ id, name }) => name ?? long.get(id.toString('hex')) ?? []);
}

interface NewestName {
  readonly id: Buffer;
  readonly bytes: number;
  /** Null if it is long. */
  readonly name: string | null;
}

/** Reads no more than it gives: the index `agent_name_first_seen` has them in this order. */
function selectNewest(session: ReadSession, identifier: string): Promise<NewestName[]> {
  return session.select<{ id: Buffer; bytes: number; name: string | null }>(
    `SELECT name_key AS id, OCTET_LENGTH(name) AS bytes,
       CASE WHEN OCTET_LENGTH(name) <= :shortName THEN name END AS name
     FROM agent_name WHERE agent_key = :key ORDER BY first_seen DESC, name_key DESC LIMIT :mostNames`,
    { key: Buffer.from(keyOf(identifier), 'hex'), shortName, mostNames },
  );
}

async function selectLong(db: Database, keys: readonly Buffer[]): Promise<Map<Key, string>> {
  if (keys.length === 0) return new Map();
  const sql = 'SELECT name_key AS id, name FROM agent_name WHERE name_key IN (:keys)';
  const rows = await db.read((session) => session.select<{ id: Buffer; name: string }>(sql, { keys }), {
    large: true,
  });
  return new Map(rows.map(({ id, name }) => [id.toString('hex'), name]));
}

/** Adds the Agents that are not there yet. */
export async function addAgents(session: RowSession, identifiers: Iterable<string>): Promise<void> {
  const rows = new Map<Key, InsertRow>();
  const pauses = new Pauses(giveWayBriefly);
  for (const identifier of identifiers) {
    const key = keyOf(identifier);
    rows.set(key, [key, identifier]);
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
  }
  await insertMissing(session, agentTable, rows);
}

/** Adds the names that are not there yet. */
export async function addNames(session: RowSession, names: Iterable<SeenName>): Promise<void> {
  await insertMissing(session, agentNameTable, await nameRows(names));
}

/** Gives way between slices: a Group may have thousands of members. */
async function insertMissing(
  session: RowSession,
  table: TableShape,
  rows: ReadonlyMap<Key, InsertRow>,
): Promise<void> {
  const pauses = new Pauses(giveWayBriefly);
  for (const slice of sortedSlices(rows)) {
    await session.insert(table, slice, { skipTaken: true });
    await pauses.pause();
  }
}

/** The same for names seen earlier than any that is there: where one is there already, its moment is corrected. */
export async function addEarlierNames(session: RowSession, names: Iterable<SeenName>): Promise<void> {
  const rows = await nameRows(names);
  for (const slice of sortedSlices(rows)) await session.upsert(agentNameTable, slice, ['first_seen']);
}

/** Each name once, as it comes last. */
async function nameRows(names: Iterable<SeenName>): Promise<Map<Key, InsertRow>> {
  const rows = new Map<Key, InsertRow>();
  const pauses = new Pauses(giveWayBriefly);
  for (const { identifier, name, position } of names) {
    const key = keyOf(JSON.stringify([identifier, name]));
    rows.set(key, [key, keyOf(identifier), identifier, name, position]);
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
  }
  return rows;
}
