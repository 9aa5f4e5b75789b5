import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DriverDatabase, SqliteDriverName } from '../db/dialects/sqlite/driver/driver.ts';
import { loadSqliteDriver } from '../db/dialects/sqlite/driver/load.ts';
import type { SqliteOptions } from '../db/dialects/sqlite/options.ts';
import { lrsqlAdvice, lrsqlTable, migrationTable } from '../db/foreign-tables.ts';
import { BackupError } from './error.ts';
import { openInput } from './input.ts';
import { createNewFile, exists } from './new-file.ts';
import type { CopyRequest } from './request.ts';

/**
 * What SQLite keeps beside the file of a database: a write-ahead log and its index or, in other programs, a rollback journal. It
 * would apply those of a former database to a restored one.
 */
const companions = ['-wal', '-shm', '-journal'];

/**
 * Copies a SQLite database in the state of one moment, while servers read and write it: `VACUUM INTO` reads in one
 * transaction, which blocks nobody.
 */
export async function backUpSqlite(
  { dbName, sqliteDriver }: SqliteOptions,
  { file, signal }: CopyRequest,
): Promise<void> {
  const source = fileOf(dbName);
  if (!(await exists(source))) {
    throw new BackupError(`There is no database ${source}: set dbName (LRS_DB_NAME) to its file.`);
  }
  await withDatabase(await open(source, 'readWrite', sqliteDriver), async (database) => {
    await requireStore(database, source);
    await createNewFile(file, async (partial) => {
      try {
        await all(database, 'VACUUM INTO ?', { values: [partial], signal });
      } finally {
        // SQLite leaves it where the disk is full.
        await rm(`${partial}-journal`, { force: true });
      }
    });
  });
}

/** Makes the database of a copy, which is checked first. */
export async function restoreSqlite(
  { dbName, sqliteDriver }: SqliteOptions,
  { file, signal }: CopyRequest,
): Promise<void> {
  const target = fileOf(dbName);
  await requireNothingAt(target);
  await mkdir(dirname(target), { recursive: true });
  await createNewFile(target, async (partial) => {
    const input = await openInput(file, { signal });
    await pipeline(input, createWriteStream(partial), { signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
    await withDatabase(await open(partial, 'readOnly', sqliteDriver), (database) =>
      requireIntact(database, file, signal),
    );
    // The copy may have taken long.
    await requireNothingAt(target);
  });
}

async function requireNothingAt(target: string): Promise<void> {
  for (const path of [target, ...companions.map((companion) => target + companion)]) {
    if (!(await exists(path))) continue;
    throw new BackupError(
      `${path} exists, and no database is overwritten: stop the server, and move ${target} and the files beside it that end in ${companions.join(', ')} to another folder.`,
    );
  }
}

function fileOf(dbName: string): string {
  if (dbName === ':memory:') {
    throw new BackupError(
      'A database in memory ends with its process and can not be backed up: set dbName (LRS_DB_NAME) to a file.',
    );
  }
  return resolve(dbName);
}

async function requireIntact(database: DriverDatabase, file: string, signal?: AbortSignal): Promise<void> {
  await requireStore(database, file);
  // A quick check would not find indexes that differ from their tables.
  const [result] = await all<{ integrity_check: string }>(database, 'PRAGMA integrity_check(1)', {
    signal,
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new BackupError(`${file} is damaged.`, { cause });
  });
  if (result?.integrity_check !== 'ok')
    throw new BackupError(`${file} is damaged: ${result?.integrity_check}.`);
}

async function requireStore(database: DriverDatabase, file: string): Promise<void> {
  const found = await all<{ name: string }>(
    database,
    "SELECT name FROM sqlite_schema WHERE type = 'table'",
  ).catch((cause: unknown) => {
    throw new BackupError(`${file} is not a SQLite database, or it is damaged.`, { cause });
  });
  const tables = found.map(({ name }) => name);
  if (tables.includes(migrationTable)) return;
  const advice = tables.includes(lrsqlTable) ? ` ${lrsqlAdvice}` : '';
  throw new BackupError(`${file} is not the database of this LRS.${advice}`);
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

interface Statement {
  readonly values?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** @throws the reason of the signal, if need be when the statement has ended. */
async function all<Row>(
  database: DriverDatabase,
  sql: string,
  { values = [], signal }: Statement = {},
): Promise<Row[]> {
  signal?.throwIfAborted();
  const interrupt = (): void => database.interrupt?.();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    return await new Promise((resolve, reject) =>
      database.all<Row>(sql, values, (error, rows) => (error ? reject(error) : resolve(rows))),
    );
  } finally {
    signal?.removeEventListener('abort', interrupt);
    signal?.throwIfAborted();
  }
}
