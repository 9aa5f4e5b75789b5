import { DatabaseUnusableError } from '../../../unusable.ts';
import type { SqliteDriver, SqliteDriverName } from './driver.ts';

/** Loads a driver; other engines do without. @throws DatabaseUnusableError when it can't be loaded. */
export async function loadSqliteDriver(name: SqliteDriverName = 'auto'): Promise<SqliteDriver> {
  if (name === 'node') return nodeDriver();
  try {
    return (await import('sqlite3')).default;
  } catch (cause) {
    if (name === 'auto' && isInNode()) return nodeDriver();
    throw new DatabaseUnusableError(
      'The SQLite driver can not be loaded: `npm start` installs it. Node.js 22.13 and newer, Postgres and MariaDB (LRS_DB_TYPE) do without it.',
      { cause },
    );
  }
}

function isInNode(): boolean {
  return process.getBuiltinModule?.('node:sqlite') !== undefined;
}

async function nodeDriver(): Promise<SqliteDriver> {
  if (!isInNode()) {
    throw new DatabaseUnusableError(
      `sqliteDriver is node, but Node.js ${process.versions.node} has no SQLite: use Node.js 22.13 or newer, or set sqliteDriver (LRS_SQLITE_DRIVER) to sqlite3.`,
    );
  }
  return (await import('./node-driver.ts')).nodeSqliteDriver;
}
