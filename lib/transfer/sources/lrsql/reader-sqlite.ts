import type { DriverDatabase } from '../../../db/dialects/sqlite/driver/driver.ts';
import { loadSqliteDriver } from '../../../db/dialects/sqlite/driver/load.ts';
import type { LrsqlReader } from './reader.ts';

/**
 * Reads the file of an lrsql that uses SQLite.
 * @throws DatabaseUnusableError when there is no driver for it.
 */
export async function openLrsqlSqlite(file: string): Promise<LrsqlReader> {
  const { Database, OPEN_READONLY } = await loadSqliteDriver();
  const database = await new Promise<DriverDatabase>((resolve, reject) => {
    const opened = new Database(file, OPEN_READONLY, (error) => (error ? reject(error) : resolve(opened)));
  });
  return {
    name: `database ${file}`,
    select: <Row extends object>(sql: string, values: readonly (string | number)[] = []) =>
      new Promise<Row[]>((resolve, reject) => {
        database.all<Row>(sql, [...values], (error, rows) => (error ? reject(error) : resolve(rows)));
      }),
    // Bytes, because a driver replaces those of a text that are not UTF-8.
    jsonText: (column) => `CAST(${column} AS BLOB)`,
    close: () =>
      new Promise((resolve, reject) => {
        database.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}
