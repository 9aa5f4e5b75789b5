import type { Options, Sequelize } from 'sequelize';
import type { BatchSession, Look, Seen, WriteSession } from '../types.ts';
import type { Dialect } from './dialect.ts';

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
  /** Runs the work while no other process migrates; a failure leaves nothing behind where DDL is transactional. */
  migrate<T>(work: () => Promise<T>): Promise<T>;
}

/** A transaction that is sent as one message. */
export interface ServerBatch extends BatchSession {
  /**
   * All of it is on its way when the call returns.
   * @param onExecuted called when the server has come to the commit.
   */
  sendOn<Row extends object>(
    connection: DriverConnection,
    look: Look,
    onExecuted?: () => void,
  ): Promise<Seen<Row>>;
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
  /** Called with each instance of Sequelize before it defines models. */
  readonly adaptModels?: (sequelize: Sequelize) => void;
  connection(connection: DriverConnection): ServerConnection;
  /** A batch without rows; undefined where there are none. */
  readonly createBatch?: () => ServerBatch;
  /** To be run on each new connection. */
  setUp(connection: ServerConnection, access: Access): Promise<void>;
  /** A statement that has the server cancel later statements of this connection after so many milliseconds. */
  statementTimeoutSql(milliseconds: number): string;
  /** Closes the connection without a word to the server: what waits for an answer fails as on a lost connection. */
  abandon(connection: DriverConnection): void;
  /** @throws DatabaseUnusableError when the server is too old or of another kind. */
  check(connection: ServerConnection): Promise<void>;
  /** A sentence that says what to do about a failure to connect that does not pass by itself. */
  advice(error: unknown): string | undefined;
}
