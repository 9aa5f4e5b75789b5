import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config, Secrets } from '../config/types.ts';
import { databaseOptions } from '../lib/database-options.ts';
import { connect } from '../lib/db/connect.ts';
import { isOnServer } from '../lib/db/dialects/facts.ts';
import { type OpenStore, openStore, type StoreSettings } from '../lib/transfer/open-store.ts';

/**
 * Refuses a SQLite file that does not exist: opening it would create an empty database, as after a mistake in its name.
 * @throws Error
 */
export function requireDatabaseFile({ database }: Config, cwd = process.cwd()): void {
  if (isOnServer(database) || database.dbName === ':memory:') return;
  const file = resolve(cwd, database.dbName);
  if (existsSync(file)) return;
  throw new Error(
    `There is no database at ${file}: set dbName (LRS_DB_NAME) to its file. A start of the server or \`npm run migrate\` creates a new one.`,
  );
}

/** The store of the configuration, for commands that read it: none is created. @throws Error when there is none. */
export async function openExistingStore(settings: StoreSettings): Promise<OpenStore> {
  requireDatabaseFile(settings.config);
  await requireTables(settings);
  return openStore(settings);
}

async function requireTables({
  config,
  secrets,
}: {
  readonly config: Config;
  readonly secrets: Secrets;
}): Promise<void> {
  const { dbName } = config.database;
  if (dbName === ':memory:') return;
  const db = await connect(databaseOptions(config, secrets));
  try {
    await db.read((session) => session.select('SELECT name FROM schema_migration LIMIT 1'));
  } catch (error) {
    if (!db.dialect.isMissingTable(error)) throw error;
    throw new Error(
      `The database ${dbName} has no tables of an LRS: set dbName (LRS_DB_NAME) to the one that has. A start of the server or \`npm run migrate\` creates them.`,
      { cause: error },
    );
  } finally {
    await db.close();
  }
}
