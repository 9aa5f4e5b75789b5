import type { Options, Sequelize } from 'sequelize';
import type { PipelinedTransaction } from '../../pipelined-transaction.ts';
import type { BatchCheck, BatchResult, BatchSession, Replacements, WriteSession } from '../../types.ts';
import type { Dialect } from '../dialect.ts';

/** What a driver calls a connection, as Sequelize's pool hands it out. */
export type DriverConnection = object;

/** Whether a pool's connections may write. */
export type Access = 'read' | 'write';

/** One connection, spoken to without Sequelize: SQL is prepared once and every value is bound. */
export interface ServerConnection
  extends Pick<WriteSession, 'select' | 'execute' | 'insert' | 'upsert' | 'insertByKey'> {
  /** Starts a transaction and waits until it is this connection's turn to write, among all processes. */
  begin(): Promise<void>;
  /** Whatever becomes of it, nothing is left of the transaction. @throws Error also when the server has undone it instead. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Has the server cancel later statements of this connection after so many milliseconds. */
  limitStatements(milliseconds: number): Promise<void>;
  /** Runs the work while no other process migrates; a failure leaves nothing behind where DDL is transactional. */
  migrate<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * What a session does without Sequelize.
 * @param transaction that the session works in, if any; nothing is read before it has begun.
 */
export function plainSession(
  connection: ServerConnection,
  transaction: PipelinedTransaction | undefined,
): Pick<WriteSession, 'select' | 'execute' | 'insert' | 'upsert' | 'insertByKey'> {
  return {
    async select<Row extends object>(sql: string, replacements?: Replacements) {
      const [rows] = await Promise.all([connection.select<Row>(sql, replacements), transaction?.begun]);
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
  /** Has the server prepare what it has not prepared yet on the connection; to be awaited directly before `sendOn`. */
  prepareOn?(connection: DriverConnection, check: BatchCheck): Promise<void>;
  /** Has an attempt to send the batch call back whoever has asked the batch for it. */
  attachTo(transaction: PipelinedTransaction): void;
  /**
   * All of it is on its way when the call returns.
   * @param onExecuted called when the server has come to the commit.
   */
  sendOn<Row extends object>(
    connection: DriverConnection,
    check: BatchCheck,
    onExecuted: () => void,
  ): Promise<BatchResult<Row>>;
}

export interface ServerDialect extends Dialect {
  /** An expression for whether nobody has the write lock; it waits for nobody, and who wants the lock hardly waits for it. */
  readonly unlockedSql: string;
  /** Whether a statement that fails undoes its transaction, so that COMMIT may be sent before its outcome is known. */
  readonly failureUndoesTransaction: boolean;
  /** Whether the error says that the connection is gone; what ran on it without being committed has not happened. */
  isConnectionLost(error: unknown): boolean;
  /** Whether the error says that the server has no such database, or lets nobody in: at the start a mistake, later a fault that may pass. */
  isMissing(error: unknown): boolean;
}

/** What is particular to a database server, beside the SQL that the dialect names. */
export interface ServerEngine {
  readonly dialect: ServerDialect;
  /** What Sequelize needs to open connections. */
  connectionOptions(access: Access): Options;
  /** The password of the next connection; undefined: none. */
  password(): Promise<string | undefined>;
  /** Called with each instance of Sequelize before it makes models. */
  readonly adaptModels?: (sequelize: Sequelize) => void;
  connection(connection: DriverConnection, access: Access): ServerConnection;
  /** Opens a connection for reading and writing without Sequelize, set up. */
  open(): Promise<DriverConnection>;
  /** Closes a connection that `open` has given. */
  end(connection: DriverConnection): Promise<void>;
  readonly batches: {
    /** A batch without rows. */
    readonly create: () => ServerBatch;
    /** How many bytes of texts and contents one may hold. */
    readonly maximumBytes: number;
  };
  /** To be run on each new connection of a pool. */
  setUp(connection: ServerConnection, access: Access): Promise<void>;
  /** Closes the connection without a word to the server: what waits for an answer fails as on a lost connection. */
  abandon(connection: DriverConnection): void;
  /** @throws DatabaseUnusableError when the server is too old or of another kind. */
  check(connection: ServerConnection): Promise<void>;
  /** A sentence that says what to do about a failure to connect that does not pass by itself. */
  advice(error: unknown): string | undefined;
}
