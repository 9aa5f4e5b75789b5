import { type Key, keyOf } from '../db/key.ts';
import type { InsertRow, ReadSession, WriteSession } from '../db/types.ts';
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

/** Adds the Agents that are not there yet, in one order whoever writes, so that no two transactions wait for each other. */
export async function addAgents(session: WriteSession, identifiers: ReadonlySet<string>): Promise<void> {
  const rows = Array.from(identifiers, (identifier) => [keyOf(identifier), identifier] as const);
  await session.insert(
    agentTable,
    rows.sort(([a], [b]) => (a < b ? -1 : 1)),
    { skipTaken: true },
  );
}

/** Adds the names that are not there yet. */
export async function addNames(session: WriteSession, names: Iterable<SeenName>): Promise<void> {
  await session.insert(agentNameTable, sortedRows(names), { skipTaken: true });
}

/** The same for names seen earlier than any that is there: where one is there already, its moment is corrected. */
export async function addEarlierNames(session: WriteSession, names: Iterable<SeenName>): Promise<void> {
  await session.upsert(agentNameTable, sortedRows(names), ['first_seen']);
}

/** Each name once, as it comes last; in one order whoever writes, so that no two transactions wait for each other. */
function sortedRows(names: Iterable<SeenName>): InsertRow[] {
  const rows = new Map<Key, InsertRow>();
  for (const { identifier, name, position } of names) {
    const key = keyOf(JSON.stringify([identifier, name]));
    rows.set(key, [key, keyOf(identifier), identifier, name, position]);
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
