import type { Database, MigratableDatabase } from '../types.ts';
import type { ServerOptions } from './server/options.ts';
import type { SqliteOptions } from './sqlite/options.ts';

export type DatabaseOptions = SqliteOptions | ServerOptions;

/** A database that has no connection yet. */
export interface OpenableDatabase extends MigratableDatabase {
  /** @throws UnavailableError when it can't be reached; DatabaseUnusableError when somebody has to change something first. */
  connect(): Promise<void>;
}

/** The database of a function, which may be frozen for ever after each of its answers. */
export interface FunctionConnection {
  readonly database: Database;
  /** Opens the connection. @throws as `OpenableDatabase.connect` does. */
  connect(): Promise<void>;
  /** To be called when a request has been answered: ends what still runs on the connection. */
  abandonUnfinished(): void;
}

/**
 * An engine with its driver, for one database. What its databases and its dialect guarantee beyond their types is stated, and
 * tested on every engine, by tests/dialects/contract.test.ts.
 */
export interface Engine {
  /** Whether the database belongs to this process alone, which has to make its schema, and is gone with it. */
  readonly isPrivate: boolean;
  /** The database of a process that keeps running. */
  database(): Promise<OpenableDatabase>;
  /** The database of a function: on a server one connection. */
  functionConnection(): Promise<FunctionConnection>;
}
