import { type Key, keyOf } from '../db/key.ts';
import { sortedSlices } from '../db/sorted-slices.ts';
import type { InsertRow, ReadSession, WriteSession } from '../db/types.ts';
import { Pauses } from '../in-turns.ts';
import { agentNameTable, agentTable } from './table.ts';
import type { SeenName } from './types.ts';

/** The names of an Agent, those that were seen last for the first time in front. */
export async function selectNames(session: ReadSession, identifier: string): Promise<string[]> {
  const rows = await session.select<{ name: string }>(
    'SELECT name FROM agent_name WHERE agent_key = :key ORDER BY first_seen DESC, name',
    { key: Buffer.from(keyOf(identifier), 'hex') },
  );
  return rows.map(({ name }) => name);
}

/** Adds the Agents that are not there yet. */
export async function addAgents(session: WriteSession, identifiers: Iterable<string>): Promise<void> {
  const rows = new Map<Key, InsertRow>();
  const pauses = new Pauses();
  for (const identifier of identifiers) {
    const key = keyOf(identifier);
    rows.set(key, [key, identifier]);
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
  }
  for (const slice of sortedSlices(rows)) await session.insert(agentTable, slice, { skipTaken: true });
}

/** Adds the names that are not there yet. */
export async function addNames(session: WriteSession, names: Iterable<SeenName>): Promise<void> {
  const rows = await nameRows(names);
  for (const slice of sortedSlices(rows)) await session.insert(agentNameTable, slice, { skipTaken: true });
}

/** The same for names seen earlier than any that is there: where one is there already, its moment is corrected. */
export async function addEarlierNames(session: WriteSession, names: Iterable<SeenName>): Promise<void> {
  const rows = await nameRows(names);
  for (const slice of sortedSlices(rows)) await session.upsert(agentNameTable, slice, ['first_seen']);
}

/** Each name once, as it comes last. */
async function nameRows(names: Iterable<SeenName>): Promise<Map<Key, InsertRow>> {
  const rows = new Map<Key, InsertRow>();
  const pauses = new Pauses();
  for (const { identifier, name, position } of names) {
    const key = keyOf(JSON.stringify([identifier, name]));
    rows.set(key, [key, keyOf(identifier), identifier, name, position]);
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
  }
  return rows;
}
