import type { Options, Sequelize } from 'sequelize';
import { CommitOutcomeUnknownError } from '../../commit-outcome.ts';
import type { HostAddress } from '../../host-address.ts';
import type { PipelinedTransaction } from '../../pipelined-transaction.ts';
import type { BatchCheck, BatchResult, BatchSession, Replacements, WriteSession } from '../../types.ts';
import type { Dialect } from '../dialect.ts';
import type { DatabaseHosts } from './hosts.ts';
import type { Replication } from './replication.ts';

/** What a driver calls a connection, as Sequelize's pool hands it out. */
export type DriverConnection = object;

/** Whether a pool's connections may write. */
export type Access = 'read' | 'write';

/** One connection, used without Sequelize: SQL is prepared once and every value is bound. */
export interface ServerConnection
  extends Pick<WriteSession, 'select' | 'execute' | 'insert' | 'upsert' | 'insertByKey'> {
  /** Starts a transaction and waits for the write lock. */
  begin(): Promise<void>;
  /**
   * Ends the transaction and leaves nothing behind if it fails.
   * @throws Error also when the server rolled it back instead.
   */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Whether a rollback has failed: the transaction may still be open and hold the write lock. */
  rollbackFailed?: boolean;
  /** The error with which the server has probably rolled the transaction back, although it ran what was sent behind. */
  readonly rolledBackBy?: unknown;
  /** Sets the statement timeout of this connection, in milliseconds. */
  limitStatements(milliseconds: number): Promise<void>;
  /** Runs the work while no other process migrates; a failure leaves nothing behind where DDL is transactional. */
  migrate<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The session without Sequelize.
 * @param transaction in which the session works, if any; nothing is read before it has begun.
 */
export function plainSession(
  connection: ServerConnection,
  transaction: PipelinedTransaction | undefined,
): Pick<WriteSession, 'select' | 'execute' | 'insert' | 'upsert' | 'insertByKey'> {
  return {
    async select<Row extends object>(sql: string, replacements?: Replacements) {
      if (transaction === undefined) return connection.select<Row>(sql, replacements);
      const [rows] = await Promise.all([connection.select<Row>(sql, replacements), transaction.begun]);
      return rows;
    },
    execute: (sql, replacements) => connection.execute(sql, replacements),
    insert: (table, rows, options) => connection.insert(table, rows, options),
    upsert: (table, rows, replaced) => connection.upsert(table, rows, replaced),
    insertByKey: (table, rows) => connection.insertByKey(table, rows),
  };
}

/** A transaction that is sent as one message. */
export interface ServerBatch extends BatchSession {
  /** Prepares statements that the connection has not prepared yet; await it directly before `sendOn`. */
  prepareOn?(connection: DriverConnection, check: BatchCheck): Promise<void>;
  /** Passes the outcome of sending the batch to those who requested it. */
  attachTo(transaction: PipelinedTransaction): void;
  /**
   * Sends everything before the call returns.
   * @param onExecuted called when the server reaches COMMIT.
   */
  sendOn<Row extends object>(
    connection: DriverConnection,
    check: BatchCheck,
    onExecuted: () => void,
  ): Promise<BatchResult<Row>>;
}

export interface ServerBatches {
  /** Returns an empty batch. */
  readonly create: () => ServerBatch;
  /** The most bytes of texts and contents in a batch. */
  readonly maximumBytes: number;
}

export interface ServerDialect extends Dialect {
  /** An expression for whether the write lock is free; it waits for nobody and hardly delays writers. */
  readonly unlockedSql: string;
  /** Whether commits wait for a standby. */
  readonly standbyWait: {
    /** Selects as `waited` for how long (ms) the oldest commit of this user waits; 0 when none does. */
    readonly sql: string;
    /** Selects as `lacking` whether too few standbys are connected to confirm the next commit, so that it would wait. */
    readonly lackingSql: string;
    /** What an operator can do. */
    readonly advice: string;
  };
  /** Whether a failed statement rolls back its transaction, so that COMMIT may be sent before its result is known. */
  readonly failureUndoesTransaction: boolean;
  /** Whether the error says that the connection is lost; uncommitted work on it has no effect. */
  isConnectionLost(error: unknown): boolean;
  /** Whether the error says that the server accepts no writes, such as a standby; the transaction has no effect. */
  isReadOnly(error: unknown): boolean;
  /** Whether the error says that the server has lost the majority of its cluster; such an error is `isReadOnly`, too. */
  lacksMajority(error: unknown): boolean;
  /**
   * Whether the error says that the server has no such database, or refuses the login: at the start a configuration
   * mistake, later a fault that may pass.
   */
  isMissing(error: unknown): boolean;
}

/**
 * Whether a connection on which that happened is closed and not used again: it may have been opened when the server was
 * read-only, or its transaction may still be open, as after a COMMIT or ROLLBACK that was interrupted.
 */
export function isSpent(
  error: unknown,
  dialect: ServerDialect,
  connection: ServerConnection | undefined,
): boolean {
  if (connection?.rollbackFailed === true) return true;
  const reason = error instanceof CommitOutcomeUnknownError ? error.cause : error;
  return dialect.isConnectionLost(reason) || dialect.isStorageFailure(reason) || dialect.isReadOnly(reason);
}

/** The differences of a database server, beside the SQL in its dialect. */
export interface ServerEngine {
  readonly dialect: ServerDialect;
  readonly hosts: DatabaseHosts;
  /** Sequelize's options for opening connections. */
  connectionOptions(access: Access): Options;
  /** The password of the next connection to the host; undefined: none. */
  password(address: HostAddress): Promise<string | undefined>;
  /** Called with each Sequelize instance before it creates models. */
  readonly adaptModels?: (sequelize: Sequelize) => void;
  connection(connection: DriverConnection, access: Access): ServerConnection;
  /**
   * Opens and sets up a connection for reading and writing without Sequelize.
   * @param options `isFollowed`: whether queries may be sent with the settings, before their outcome is known.
   * @throws NotPrimaryError when there are several hosts and this one accepts no writes.
   */
  open(address: HostAddress, options?: { readonly isFollowed: boolean }): Promise<DriverConnection>;
  /** Closes a connection that `open` returned. */
  end(connection: DriverConnection): Promise<void>;
  /** Undefined where a transaction can't be sent as one message; known from the first connection on. */
  readonly batches: ServerBatches | undefined;
  /** Undefined where the logs of servers can't be compared; known from the first connection on. */
  readonly replication: Replication | undefined;
  /**
   * Run on each new connection of a pool.
   * @param address to which it was opened.
   * @throws NotPrimaryError as `open` does.
   */
  setUp(connection: ServerConnection, access: Access, address: HostAddress): Promise<void>;
  /** Closes the connection without notice: pending statements fail as on a lost connection. */
  abandon(connection: DriverConnection): void;
  /** @throws DatabaseUnusableError when the server is too old or of another kind. */
  check(connection: ServerConnection): Promise<void>;
  /** Advice about a connection failure that does not pass by itself. */
  advice(error: unknown): string | undefined;
}
