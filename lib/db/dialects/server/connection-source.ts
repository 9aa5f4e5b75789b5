import type { PipelinedTransaction } from '../../pipelined-transaction.ts';
import type { TransactionHooks, WriteSession } from '../../types.ts';
import type { DriverConnection, ServerConnection } from './engine.ts';

export type ConnectionWork<T> = (connection: ServerConnection, lent: DriverConnection) => Promise<T>;

/** Where a database takes its connections from: a pool, or the one connection of a function. */
export interface ConnectionSource {
  /**
   * Lends a connection to the work. A connection that breaks, or whose work does not end in time and then fails, is not
   * lent again.
   */
  use<T>(work: ConnectionWork<T>): Promise<T>;
  /** The same, but one connection may be lent to several callers at once; it responds in the order of sending. */
  share<T>(work: ConnectionWork<T>): Promise<T>;
  /** The same as `use`, for long work: migrations, maintenance. */
  lendForMaintenance<T>(work: ConnectionWork<T>): Promise<T>;
  /**
   * A session that reads on the connection, and writes if the source's connections may.
   * @param transaction in which the session works: a read may be requested before it has begun, but its result is delivered
   *   afterwards.
   */
  session(
    connection: ServerConnection,
    lent: DriverConnection,
    transaction?: PipelinedTransaction,
  ): Omit<WriteSession, keyof TransactionHooks>;
  close(): Promise<void>;
}
