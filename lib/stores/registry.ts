import { sql } from '../db/sql.ts';
import { store as storeTable } from '../db/tables/stores.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';
import type { Store, StoreQuery, StoreState } from './types.ts';

interface Row {
  readonly name: string;
  readonly server: string;
  readonly state: string;
  readonly settings: string;
  readonly created: number;
}

/** The stores in the order of their names, one more than the limit where there are more. */
export async function selectPage(
  session: ReadSession,
  { limit, after = '' }: StoreQuery,
): Promise<readonly Store[]> {
  const rows = await session.select<Row>(
    'SELECT name, server, state, settings, created FROM store WHERE name > :after ORDER BY name LIMIT :count',
    { after, count: limit + 1 },
  );
  return rows.map(storeOf);
}

export async function selectStore(session: ReadSession, name: string): Promise<Store | undefined> {
  const [row] = await session.select<Row>(
    'SELECT name, server, state, settings, created FROM store WHERE name = :name',
    { name },
  );
  return row && storeOf(row);
}

/** Those of the names that are registered. */
export async function selectNamed(session: ReadSession, names: readonly string[]): Promise<readonly Store[]> {
  const { text, values } =
    sql`SELECT name, server, state, settings, created FROM store WHERE name IN (${names})`;
  return (await session.select<Row>(text, values)).map(storeOf);
}

export async function countStores(session: ReadSession): Promise<number> {
  const [row] = await session.select<{ count: number }>('SELECT COUNT(*) AS count FROM store');
  return Number(row?.count ?? 0);
}

/** The database servers that have stores, and how many. */
export async function countByServer(
  session: ReadSession,
): Promise<readonly { readonly server: string; readonly count: number }[]> {
  const rows = await session.select<{ server: string; count: number }>(
    'SELECT server, COUNT(*) AS count FROM store GROUP BY server ORDER BY server',
  );
  return rows.map(({ server, count }) => ({ server, count: Number(count) }));
}

export async function insertStore(session: WriteSession, store: Store): Promise<void> {
  const Model = await session.model(storeTable);
  await Model.create({ ...store, settings: JSON.stringify(store.settings) }, session.options);
}

export async function updateStore(
  session: WriteSession,
  { name, state, settings }: Pick<Store, 'name' | 'state' | 'settings'>,
): Promise<void> {
  const Model = await session.model(storeTable);
  const change = { state, settings: JSON.stringify(settings) };
  await Model.update(change, { ...session.options, where: { name } });
}

/** Says on which server the database of a store is, and whether it is about to move. */
export async function updatePlace(
  session: WriteSession,
  { name, server, state }: Pick<Store, 'name' | 'server' | 'state'>,
): Promise<void> {
  const Model = await session.model(storeTable);
  await Model.update({ server, state }, { ...session.options, where: { name } });
}

/** Removes the store from the registry, and not one that has been made under its name since. */
export async function deleteStore(
  session: WriteSession,
  { name, created }: Pick<Store, 'name' | 'created'>,
): Promise<void> {
  const Model = await session.model(storeTable);
  await Model.destroy({ ...session.options, where: { name, created } });
}

function storeOf({ name, server, state, settings, created }: Row): Store {
  // The registry writes no other states.
  return {
    name,
    server,
    state: state as StoreState,
    settings: JSON.parse(settings),
    created: Number(created),
  };
}
