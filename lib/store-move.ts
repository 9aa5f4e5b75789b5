import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backUp, restore } from './backup/service.ts';
import { connect } from './db/connect.ts';
import type { DatabaseOptions } from './db/dialects/engine.ts';
import { isOnServer } from './db/dialects/facts.ts';
import { createSibling, dropSibling, nameWithKind, removalOf } from './db/sibling-databases.ts';
import type { Database } from './db/types.ts';
import { ConflictError, NotFoundError } from './errors.ts';
import { type Configuration, placeOfStore, storeServerNames } from './store-config.ts';
import { closedEverywhereAfter } from './stores/look-interval.ts';
import { noStore, notClosed } from './stores/refusals.ts';
import { selectStore, updatePlace } from './stores/registry.ts';
import type { Store } from './stores/types.ts';

export interface StoreMove {
  readonly name: string;
  /** The name of the database server that it moves to. */
  readonly server: string;
  /** Variables for the client programs of database servers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the copying; the store stays where it is. */
  readonly signal?: AbortSignal | undefined;
}

/** The database that a store has left. */
export interface FormerDatabase {
  /** For people, e.g. `schema store_acme`. */
  readonly name: string;
  /** The name of its database server. */
  readonly server: string;
  /** The command that removes it. */
  readonly removal: string;
}

/**
 * Copies a closed store to another database server of the same engine, then says that it is there. The database on the former
 * server stays as it is.
 * @throws NotFoundError; ConflictError when the store is not closed, or its new database is not empty; BackupError;
 *   UnavailableError, DatabaseUnusableError; the reason of the signal
 */
export async function moveStore(
  db: Database,
  configuration: Configuration,
  { name, server, env, signal }: StoreMove,
): Promise<FormerDatabase> {
  const store = await db.read((session) => selectStore(session, name));
  if (store === undefined) throw noStore(name);
  if (store.server === server)
    throw new ConflictError(
      `The store ${name} is on the server ${server} already, so there is nothing to move.`,
    );
  if (store.state !== 'closed') throw notClosed(store, 'moved');
  const servers = storeServerNames(configuration.secrets);
  if (!servers.includes(server)) {
    throw new NotFoundError(
      `There is no server ${server}: this command knows ${servers.join(', ')}, from stores.storesServers (LRS_STORES_SERVERS). Run it with the settings of the server.`,
    );
  }
  const from = placeOfStore(configuration, store).database;
  const former = { name: nameWithKind(from), server: store.server, removal: removalOf(from) };
  const { base, database: to } = placeOfStore(configuration, { ...store, server });
  if (from.dbType !== to.dbType) {
    throw new ConflictError(
      `The server ${server} is ${to.dbType}, and the store is on ${from.dbType}: use npm run export and npm run import between engines.`,
    );
  }
  if (isOnServer(from) && isOnServer(to) && from.dbSchema !== to.dbSchema) {
    throw new ConflictError(
      `The schema ${from.dbSchema} would be called ${to.dbSchema} there: name the schema of the default store in the URL of the server (?currentSchema=…).`,
    );
  }
  await advance(db, store, { server: store.server, state: 'moving' });
  const moving: Store = { ...store, state: 'moving' };
  await createSibling(base, to, server).catch(async (error: unknown) => {
    await closeAgain(db, moving);
    throw error;
  });
  try {
    await copy(from, to, { env, signal });
    await advance(db, moving, { server, state: 'closed' });
  } catch (error) {
    // The connection may have been lost when that was committed.
    const now = await db.read((session) => selectStore(session, name));
    if (now?.created === store.created && now.server === server) return former;
    await dropSibling(base, to);
    await closeAgain(db, moving);
    throw error;
  }
  return former;
}

/** @throws ConflictError when the store is no longer as it was read: somebody may have opened it, written to it and closed it. */
async function advance(db: Database, store: Store, place: Pick<Store, 'server' | 'state'>): Promise<void> {
  const { name } = store;
  await db.write(async (session) => {
    const now = await selectStore(session, name);
    if (now?.created !== store.created || now.state !== store.state || now.server !== store.server) {
      throw new ConflictError(`The store ${name} was changed or deleted meanwhile, and has not moved.`);
    }
    await updatePlace(session, { name, ...place });
  });
}

/** After a move that has failed, unless somebody has changed the store meanwhile. */
async function closeAgain(db: Database, moving: Store): Promise<void> {
  await advance(db, moving, { server: moving.server, state: 'closed' }).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error;
  });
}

async function copy(
  from: DatabaseOptions,
  to: DatabaseOptions,
  surroundings: Pick<StoreMove, 'env' | 'signal'>,
): Promise<void> {
  await sleep(closedEverywhereAfter);
  await seal(from);
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  try {
    const file = join(folder, 'copy');
    await backUp({ options: from, file, ...surroundings });
    await restore({ options: to, file, ...surroundings });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Waits for what is still being written, and keeps the time by the clock of this server as a watermark: that of the other server may
 * be behind, and readers have been told that nothing is stored before this time any more.
 */
async function seal(options: DatabaseOptions): Promise<void> {
  const database = await connect(options);
  const { greatest, nowSql } = database.dialect;
  try {
    await database.write((session) =>
      session.execute(`UPDATE write_lock SET watermark = ${greatest}(watermark, ${nowSql})`),
    );
  } finally {
    await database.close();
  }
}
