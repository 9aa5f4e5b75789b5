import type { Logger } from 'pino';
import { migrations } from '../../migrations/index.ts';
import { SqliteDatabase } from './dialects/sqlite-database.ts';
import { createMigrator } from './migrate.ts';
import type { Database } from './types.ts';

export interface DatabaseOptions {
  readonly dbType: 'sqlite';
  /** A file's path (it and its folder are created when missing), or `:memory:`. */
  readonly dbName: string;
}

/**
 * Opens the database and brings its schema up to date. Any number of processes may do so at once: one of them does the
 * work while the others wait.
 * @throws UnavailableError when it can't be reached; NewerSchemaError when a newer release has changed its schema.
 */
export async function openDatabase({ dbName }: DatabaseOptions, logger: Logger): Promise<Database> {
  const database = new SqliteDatabase(dbName);
  await database.connect();
  try {
    const taken = await database.write((session) =>
      createMigrator(database.sequelize, session.dialect, migrations).up(),
    );
    if (taken.length > 0) logger.info({ migrations: taken }, 'database schema brought up to date');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
