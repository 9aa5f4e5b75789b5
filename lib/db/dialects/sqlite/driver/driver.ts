/** A value to bind, or one of a row. */
export type DriverValue = string | number | boolean | null | Buffer;
/** By `:name`, or in the order of the parameters. */
export type DriverValues = Readonly<Record<string, DriverValue>> | readonly DriverValue[];

export type Done = (error: Error | null) => void;
export type Rows<Row> = (error: Error | null, rows: Row[]) => void;

/** A prepared statement. */
export interface DriverStatement {
  all<Row>(values: DriverValues, done: Rows<Row>): unknown;
  /** Replaces the values of the last use, which the statement keeps. */
  bind(values: readonly null[]): unknown;
  /** Ends a use that has failed, if the driver has not done that itself. */
  reset(done: Done): unknown;
  finalize(done?: Done): unknown;
}

/** One connection to a database; it runs one statement at a time, in the order of the calls. */
export interface DriverDatabase {
  exec(sql: string, done?: Done): unknown;
  configure(option: 'busyTimeout', ms: number): void;
  prepare(sql: string, done?: Done): DriverStatement;
  all<Row>(sql: string, values: DriverValues, done: Rows<Row>): unknown;
  /** Makes the running statement fail. The SQLite in Node.js has no such function. */
  interrupt?(): void;
  close(done?: Done): void;
}

/**
 * A SQLite driver: of the interface of the package `sqlite3` the part that Sequelize and this program use. Errors have a `code`
 * such as `SQLITE_BUSY`, and a message that begins with it.
 */
export interface SqliteDriver {
  readonly OPEN_READONLY: number;
  readonly OPEN_READWRITE: number;
  readonly OPEN_CREATE: number;
  readonly Database: new (
    file: string,
    mode: number,
    opened: (this: DriverDatabase, error: Error | null) => void,
  ) => DriverDatabase;
}

/** `sqlite3` is the npm package, `node` the SQLite in Node.js; `auto` takes the package where its native part is installed. */
export const sqliteDrivers = ['auto', 'sqlite3', 'node'] as const;
export type SqliteDriverName = (typeof sqliteDrivers)[number];
