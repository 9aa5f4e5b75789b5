import sqlite3 from 'sqlite3';
import type { LrsqlReader } from './reader.ts';

/** Reads the file of an lrsql that uses SQLite. */
export function openLrsqlSqlite(file: string): LrsqlReader {
  const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
  return {
    name: `lrsql database ${file}`,
    select: (sql, values = []) =>
      new Promise((resolve, reject) => {
        database.all(sql, [...values], (error, rows) => (error ? reject(error) : resolve(rows as never)));
      }),
    jsonText: (column) => column,
    close: () =>
      new Promise((resolve, reject) => {
        database.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}
