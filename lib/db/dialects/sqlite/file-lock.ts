import { UnavailableError } from '../../../errors.ts';
import { driverCode } from '../driver-error.ts';
import type { DriverDatabase } from './driver/driver.ts';
import { loadSqliteDriver } from './driver/load.ts';

/**
 * Locks an empty file for one process, as SQLite locks its databases: the operating system releases the lock when the process
 * ends, however it ends.
 * @returns what releases the lock; undefined when another process has it.
 * @throws UnavailableError when the file is not there or can't be locked; DatabaseUnusableError when there is no driver.
 */
export async function lockFile(file: string): Promise<(() => Promise<void>) | undefined> {
  const { Database, OPEN_READWRITE } = await loadSqliteDriver();
  let database: DriverDatabase | undefined;
  try {
    database = await new Promise<DriverDatabase>((resolve, reject) => {
      const opened = new Database(file, OPEN_READWRITE, (error) => (error ? reject(error) : resolve(opened)));
    });
    database.configure('busyTimeout', 0);
    // Nothing is written, so no journal is needed beside the file. Of several processes one gets this lock; each of them could keep
    // the others from the exclusive one.
    await execute(database, 'PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
  } catch (cause) {
    if (database !== undefined) await close(database);
    if (driverCode(cause) === 'SQLITE_BUSY') return undefined;
    throw new UnavailableError(`The file ${file} can't be locked: ${driverCode(cause)}.`, { cause });
  }
  const locked = database;
  return () => close(locked);
}

function execute(database: DriverDatabase, sql: string): Promise<void> {
  return new Promise((resolve, reject) => database.exec(sql, (error) => (error ? reject(error) : resolve())));
}

function close(database: DriverDatabase): Promise<void> {
  return new Promise((resolve, reject) => database.close((error) => (error ? reject(error) : resolve())));
}
