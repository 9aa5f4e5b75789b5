import type { Logger } from 'pino';
import { migrations } from '../../migrations/index.ts';
import { MariadbEngine } from './dialects/mariadb-engine.ts';
import { PostgresEngine } from './dialects/postgres-engine.ts';
import { ServerDatabase } from './dialects/server-database.ts';
import type { ServerEngine } from './dialects/server-engine.ts';
import type { ServerOptions } from './dialects/server-options.ts';
import { SqliteDatabase } from './dialects/sqlite-database.ts';
import { createMigrator } from './migrate.ts';
import { MonitoredDatabase } from './monitored-database.ts';
import type { MigratableDatabase, SqliteOptions } from './types.ts';

export type DatabaseOptions = SqliteOptions | ServerOptions;

/**
 * Opens the database and brings its schema up to date. Any number of processes may do so at once: one of them does the
 * work while the others wait.
 * @throws UnavailableError when it can't be reached; DatabaseUnusableError when somebody has to change something first.
 */
export async function openDatabase(options: DatabaseOptions, logger: Logger): Promise<MonitoredDatabase> {
  const database = await connect(options);
  try {
    const taken = await database.migrate((session) => createMigrator(session, migrations).up());
    if (taken.length > 0) logger.info({ migrations: taken }, 'database schema brought up to date');
  } catch (error) {
    await database.close();
    throw error;
  }
  return new MonitoredDatabase(database, logger);
}

/** Opens the database without a look at its schema. @throws UnavailableError, DatabaseUnusableError */
export async function connect(options: DatabaseOptions): Promise<MigratableDatabase> {
  const database =
    options.dbType === 'sqlite'
      ? await SqliteDatabase.load(options.dbName)
      : new ServerDatabase(await loadEngine(options), options.pool);
  try {
    await database.connect();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Each engine loads its driver by itself, so that no other one is loaded. */
function loadEngine(options: ServerOptions): Promise<ServerEngine> {
  return options.dbType === 'postgres' ? PostgresEngine.load(options) : MariadbEngine.load(options);
}
