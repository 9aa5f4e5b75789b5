import { constants } from 'node:fs';
import { access, chmod, copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DriverDatabase, SqliteDriverName } from '../db/dialects/sqlite/driver/driver.ts';
import { loadSqliteDriver } from '../db/dialects/sqlite/driver/load.ts';
import type { SqliteOptions } from '../db/dialects/sqlite/options.ts';
import { BackupError } from './error.ts';
import { createNewFile } from './new-file.ts';

/** SQLite keeps a write-ahead log and its index beside the file of a database. */
const companions = ['', '-wal', '-shm'];

/**
 * Copies a SQLite database in the state of one moment, while servers read and write it: `VACUUM INTO` reads in one
 * transaction, which blocks nobody.
 */
export async function backUpSqlite({ dbName, sqliteDriver }: SqliteOptions, file: string): Promise<void> {
  const source = fileOf(dbName);
  if (!(await exists(source))) {
    throw new BackupError(`There is no database ${source}: set dbName (LRS_DB_NAME) to its file.`);
  }
  await withDatabase(await open(source, 'readWrite', sqliteDriver), async (database) => {
    await requireStore(database, source);
    await createNewFile(file, async (partial) => {
      try {
        await all(database, 'VACUUM INTO ?', [partial]);
      } finally {
        // SQLite leaves it where the disk is full.
        await rm(`${partial}-journal`, { force: true });
      }
    });
  });
}

/** Makes the database of a copy, which is checked first. */
export async function restoreSqlite({ dbName, sqliteDriver }: SqliteOptions, file: string): Promise<void> {
  const target = fileOf(dbName);
  for (const companion of companions) {
    if (!(await exists(target + companion))) continue;
    throw new BackupError(
      `${target + companion} exists, and no database is overwritten: stop the server, and move ${target} and the files beside it that end in -wal and -shm to another folder.`,
    );
  }
  await mkdir(dirname(target), { recursive: true });
  await createNewFile(target, async (partial) => {
    await copyFile(file, partial);
    await chmod(partial, 0o600);
    await withDatabase(await open(partial, 'readOnly', sqliteDriver), (database) =>
      requireIntact(database, file),
    );
  });
}

function fileOf(dbName: string): string {
  if (dbName === ':memory:') {
    throw new BackupError(
      'A database in memory ends with its process and can not be backed up: set dbName (LRS_DB_NAME) to a file.',
    );
  }
  return resolve(dbName);
}

async function requireIntact(database: DriverDatabase, file: string): Promise<void> {
  await requireStore(database, file);
  // A quick check would not find indexes that differ from their tables.
  const [result] = await all<{ integrity_check: string }>(database, 'PRAGMA integrity_check(1)').catch(
    (cause: unknown) => {
      throw new BackupError(`${file} is damaged.`, { cause });
    },
  );
  if (result?.integrity_check !== 'ok')
    throw new BackupError(`${file} is damaged: ${result?.integrity_check}.`);
}

async function requireStore(database: DriverDatabase, file: string): Promise<void> {
  const tables = await all(
    database,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migration'",
  ).catch((cause: unknown) => {
    throw new BackupError(`${file} is not a SQLite database, or it is damaged.`, { cause });
  });
  if (tables.length === 0) throw new BackupError(`${file} is not the database of an LRS.`);
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}

async function open(
  file: string,
  access: 'readOnly' | 'readWrite',
  driver: SqliteDriverName | undefined,
): Promise<DriverDatabase> {
  const { Database, OPEN_READONLY, OPEN_READWRITE } = await loadSqliteDriver(driver);
  const mode = access === 'readOnly' ? OPEN_READONLY : OPEN_READWRITE;
  return new Promise((resolve, reject) => {
    const opened = new Database(file, mode, (error) => (error ? reject(error) : resolve(opened)));
  });
}

async function withDatabase<T>(
  database: DriverDatabase,
  work: (database: DriverDatabase) => Promise<T>,
): Promise<T> {
  try {
    return await work(database);
  } finally {
    await new Promise<void>((resolve, reject) =>
      database.close((error) => (error ? reject(error) : resolve())),
    );
  }
}

function all<Row>(database: DriverDatabase, sql: string, values: readonly string[] = []): Promise<Row[]> {
  return new Promise((resolve, reject) =>
    database.all<Row>(sql, values, (error, rows) => (error ? reject(error) : resolve(rows))),
  );
}
