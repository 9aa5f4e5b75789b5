import type { PipelinedTransaction } from '../../pipelined-transaction.ts';
import type { TransactionHooks, WriteSession } from '../../types.ts';
import type { DriverConnection, ServerConnection } from './engine.ts';

export type ConnectionWork<T> = (connection: ServerConnection, lent: DriverConnection) => Promise<T>;

/** Where a database takes its connections from: a pool, or the one connection of a function. */
export interface ConnectionSource {
  /**
   * Lends a connection to the work. One that breaks meanwhile is not lent again; neither is one that has not done the work in
   * time, which fails then.
   */
  use<T>(work: ConnectionWork<T>): Promise<T>;
  /** The same, but one connection may be lent to several at once; it answers them in the order in which they send. */
  share<T>(work: ConnectionWork<T>): Promise<T>;
  /** The same as `use`, for work that takes long: migrations, maintenance. */
  lendForMaintenance<T>(work: ConnectionWork<T>): Promise<T>;
  /**
   * What reads on the connection, and writes if the source's connections may.
   * @param transaction that the session works in: what is read may be asked for before it has begun, but is not given.
   */
  session(
    connection: ServerConnection,
    lent: DriverConnection,
    transaction?: PipelinedTransaction,
  ): Omit<WriteSession, keyof TransactionHooks>;
  close(): Promise<void>;
}
