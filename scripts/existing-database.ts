import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config/types.ts';
import { databaseOptions } from '../lib/database-options.ts';
import { connect } from '../lib/db/connect.ts';
import { currentSecret } from '../lib/db/current-schema.ts';
import { isOnServer } from '../lib/db/dialects/facts.ts';
import { selectOwnTables } from '../lib/db/foreign-tables.ts';
import { MonitoredDatabase } from '../lib/db/monitored-database.ts';
import { type OpenStore, openStore, type StoreSettings, storeOn } from '../lib/transfer/open-store.ts';

/**
 * Refuses a SQLite file that does not exist: opening it would create an empty database, as after a mistake in its name.
 * @throws Error
 */
export function requireDatabaseFile({ database }: Config, cwd = process.cwd()): void {
  const file = missingFile({ database }, cwd);
  if (file === undefined) return;
  throw new Error(
    `There is no database at ${file}: set dbName (LRS_DB_NAME) to its file. A start of the server or \`npm run migrate\` creates a new one.`,
  );
}

/** The file of SQLite that the configuration names and that does not exist. */
function missingFile({ database }: Pick<Config, 'database'>, cwd: string): string | undefined {
  if (isOnServer(database) || database.dbName === ':memory:') return undefined;
  const file = resolve(cwd, database.dbName);
  return existsSync(file) ? undefined : file;
}

/**
 * The store of the configuration, for commands that read it: no database is created, and no schema is changed.
 * @throws Error when there is none; UnavailableError when its schema is not that of this release.
 */
export async function openExistingStore(settings: StoreSettings): Promise<OpenStore> {
  requireDatabaseFile(settings.config);
  const store = await openUnchanged(settings);
  if (store !== undefined) return store;
  throw new Error(
    `The database ${settings.config.database.dbName} has no tables of an LRS: set dbName (LRS_DB_NAME) to the one that has. A start of the server or \`npm run migrate\` creates them.`,
  );
}

/** The same, but where there is no store yet, an empty one in memory stands in for it. */
export async function openStoreToTry(settings: StoreSettings): Promise<OpenStore> {
  const { config } = settings;
  const isThere = missingFile(config, process.cwd()) === undefined;
  const store = isThere ? await openUnchanged(settings) : undefined;
  if (store !== undefined) return store;
  const own = isOnServer(config.database) ? {} : config.database;
  const database = { ...own, dbType: 'sqlite', dbName: ':memory:' } as const;
  // Its name stays that of the configuration.
  return { ...(await openStore({ ...settings, config: { ...config, database } })), config };
}

/** Opening a file without content for writing would make a database of it. */
function isEmptyFile({ database }: Config): boolean {
  return !isOnServer(database) && statSync(resolve(database.dbName)).size === 0;
}

/** undefined: the database has no tables of an LRS. */
async function openUnchanged(settings: StoreSettings): Promise<OpenStore | undefined> {
  const { config, secrets, logger } = settings;
  if (config.database.dbName === ':memory:') return openStore(settings);
  if (isEmptyFile(config)) return undefined;
  const db = await connect(databaseOptions(config, secrets));
  try {
    if ((await db.read(selectOwnTables)).length === 0) {
      await db.close();
      return undefined;
    }
    await currentSecret(db);
    return await storeOn(new MonitoredDatabase(db, logger), settings);
  } catch (error) {
    await db.close();
    throw error;
  }
}
