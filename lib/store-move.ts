import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp, restore } from './backup/service.ts';
import type { DatabaseOptions } from './db/dialects/engine.ts';
import { isOnServer } from './db/dialects/facts.ts';
import { createSibling, databaseName, dropSibling } from './db/sibling-databases.ts';
import type { Database, WriteSession } from './db/types.ts';
import { ConflictError, NotFoundError } from './errors.ts';
import { type Configuration, placeOfStore, storeServerNames } from './store-config.ts';
import { noStore, notClosed } from './stores/refusals.ts';
import { selectStore, updateServer } from './stores/registry.ts';
import type { Store } from './stores/types.ts';

export interface StoreMove {
  readonly name: string;
  /** The name of the database server that it moves to. */
  readonly server: string;
  /** Variables for the client programs of database servers. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Copies a closed store to another database server of the same engine, then says that it is there. The database on the former
 * server stays as it is.
 * @returns the name of the former database.
 * @throws NotFoundError; ConflictError when the store is not closed, or its new database is not empty; BackupError;
 *   UnavailableError, DatabaseUnusableError
 */
export async function moveStore(
  db: Database,
  configuration: Configuration,
  { name, server, env }: StoreMove,
): Promise<string> {
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
  await createSibling(base, to).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error;
    throw new ConflictError(
      `On the server ${server} there is ${nameWithKind(to)} already, which is not empty. If the store was there before, that is the copy that it left when it moved: when you are sure, remove it (${removalOf(to)}), and move the store again.`,
      { cause: error },
    );
  });
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  try {
    const file = join(folder, 'copy');
    await backUp({ options: from, file, env });
    await restore({ options: to, file, env });
    await db.write((session) => moved(session, store, server));
  } catch (error) {
    await dropSibling(base, to);
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
  return databaseName(from);
}

/** Somebody may have opened it while it was copied. */
async function moved(session: WriteSession, { name, state }: Store, server: string): Promise<void> {
  const now = await selectStore(session, name);
  if (now?.state !== state) {
    throw new ConflictError(
      `The store ${name} was opened or deleted while it was copied, and has not moved.`,
    );
  }
  await updateServer(session, { name, server });
}

const isSchema = (options: DatabaseOptions): boolean => isOnServer(options) && options.dbSchema !== undefined;

const nameWithKind = (options: DatabaseOptions): string =>
  `a ${isSchema(options) ? 'schema' : 'database'} ${databaseName(options)}`;

const removalOf = (options: DatabaseOptions): string =>
  isSchema(options)
    ? `DROP SCHEMA ${databaseName(options)} CASCADE`
    : `DROP DATABASE ${databaseName(options)}`;
