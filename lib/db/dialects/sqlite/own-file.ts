import { access, constants, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, UnavailableError } from '../../../errors.ts';
import { selectMigrations } from '../../foreign-tables.ts';
import type { Dialect } from '../dialect.ts';
import { driverCode } from '../driver-error.ts';
import type { DriverDatabase, SqliteDriver } from './driver/driver.ts';

/**
 * Creates a missing file readable by its owner only, because it contains the server's secret; the files that SQLite adds
 * get the same permissions. An existing file is not opened: closing it would release all locks of this process (SQLite, How
 * To Corrupt An SQLite Database File 2.2), and the next process that closes the database would remove the log that our
 * connections write to.
 */
export async function prepareFile(file: string): Promise<{ readonly isNew: boolean }> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const isNew = await isCreated(file);
    if (!isNew) await access(file, constants.R_OK | constants.W_OK);
    if (!(await stat(file)).isFile()) throw new Error(`${file} is not a file`);
    return { isNew };
  } catch (error) {
    throw new UnavailableError(`The database file ${file} can't be opened or created.`, { cause: error });
  }
}

/** @returns whether the file was missing. */
async function isCreated(file: string): Promise<boolean> {
  try {
    await (await open(file, 'ax', 0o600)).close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Looks whose tables a file has, without changing it: a connection that writes sets the journal mode, which is kept in the file.
 * @throws ForeignSchemaError when they belong to another program.
 */
export async function requireOwnTables(file: string, driver: SqliteDriver, dialect: Dialect): Promise<void> {
  try {
    await readTables(file, driver.OPEN_READONLY, { driver, dialect });
  } catch (error) {
    // Only a connection that may write can undo the transaction of a process that was killed.
    if (driverCode(error) !== 'SQLITE_READONLY') throw error;
    await readTables(file, driver.OPEN_READWRITE, { driver, dialect });
  }
}

async function readTables(
  file: string,
  mode: number,
  { driver, dialect }: { readonly driver: SqliteDriver; readonly dialect: Dialect },
): Promise<void> {
  const database = await new Promise<DriverDatabase>((resolve, reject) => {
    const opened = new driver.Database(file, mode, (error) => (error ? reject(error) : resolve(opened)));
  });
  const select = <Row extends object>(sql: string): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      database.all<Row>(sql, [], (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  try {
    await selectMigrations({ dialect, select });
  } finally {
    await new Promise<void>((resolve, reject) =>
      database.close((error) => (error ? reject(error) : resolve())),
    );
  }
}
