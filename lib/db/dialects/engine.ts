import type { HostFault } from '../host-fault.ts';
import type { Database, MigratableDatabase } from '../types.ts';
import type { ServerOptions } from './server/options.ts';
import type { SqliteOptions } from './sqlite/options.ts';

export type DatabaseOptions = SqliteOptions | ServerOptions;

/** A database that has no connection yet. */
export interface OpenableDatabase extends MigratableDatabase {
  /**
   * @throws UnavailableError when it cannot be reached; DatabaseUnusableError when an operator has to change something
   *   first.
   */
  connect(): Promise<void>;
}

/** The database of a function, which the platform may freeze for ever after each response. */
export interface FunctionConnection {
  readonly database: Database;
  /** Opens the connection. @throws as `OpenableDatabase.connect` does. */
  connect(): Promise<void>;
  /** Call it after each response: ends what still runs on the connection. */
  abandonUnfinished(): void;
}

/**
 * An engine with its driver, for one database. tests/dialects/contract.test.ts states, and tests on every engine, what its
 * databases and its dialect guarantee beyond their types.
 */
export interface Engine {
  /** Whether the database belongs to this process alone, which then creates its schema. */
  readonly isPrivate: boolean;
  /** The hosts that refuse the login or do not respond; undefined where there is no server. */
  readonly checkHosts?: () => Promise<readonly HostFault[]>;
  /** The replicas that can't serve reads; undefined where there is no server. */
  readonly checkReplicas?: () => Promise<readonly HostFault[]>;
  /** The database of a process that keeps running. */
  database(): Promise<OpenableDatabase>;
  /** The database of a function: on a server a single connection. */
  functionConnection(): Promise<FunctionConnection>;
}
