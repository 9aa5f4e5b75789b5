import type { PipelinedTransaction } from '../pipelined-transaction.ts';
import type { BatchSession, InsertRow, KeyedNumbers, StampedRow, TableShape } from '../types.ts';
import type { Dialect } from './dialect.ts';

/** SQL that writes rows, one query for any number of them. */
export interface RowSql<Query> {
  /** @param skipTaken whether rows with a duplicate key are skipped. */
  insert(table: TableShape, rows: readonly InsertRow[], skipTaken: boolean): Query;
  /** The same, but for a duplicate value of the first column these columns are replaced. */
  upsert(table: TableShape, rows: readonly InsertRow[], replaced: readonly string[]): Query;
  /** Rows of (key, number, mask). */
  insertByKey(table: TableShape, rows: KeyedNumbers): Query;
}

/** The same for a batch. */
export interface BatchSql<Query> extends RowSql<Query> {
  insertStamped(table: TableShape, rows: readonly StampedRow[]): Query;
}

/** A batch whose queries are collected before any of them is sent. */
export abstract class CollectedBatch<Query> implements BatchSession {
  readonly dialect: Dialect;
  protected readonly writes: Query[] = [];
  readonly #sql: BatchSql<Query>;
  readonly #onCommitting: (() => void)[] = [];
  readonly #afterCommit: (() => void)[] = [];

  constructor(dialect: Dialect, sql: BatchSql<Query>) {
    this.dialect = dialect;
    this.#sql = sql;
  }

  async insert(table: TableShape, rows: readonly InsertRow[], options = { skipTaken: false }): Promise<void> {
    if (rows.length > 0) this.writes.push(this.#sql.insert(table, rows, options.skipTaken));
  }

  async upsert(table: TableShape, rows: readonly InsertRow[], replaced: readonly string[]): Promise<void> {
    if (rows.length > 0) this.writes.push(this.#sql.upsert(table, rows, replaced));
  }

  async insertByKey(table: TableShape, rows: KeyedNumbers): Promise<void> {
    if (rows.keys.length > 0) this.writes.push(this.#sql.insertByKey(table, rows));
  }

  async insertStamped(table: TableShape, rows: readonly StampedRow[]): Promise<void> {
    if (rows.length > 0) this.writes.push(this.#sql.insertStamped(table, rows));
  }

  /** Nothing is sent before the batch is complete. */
  send(): void {}

  onCommitting(callback: () => void): void {
    this.#onCommitting.push(callback);
  }

  afterCommit(callback: () => void): void {
    this.#afterCommit.push(callback);
  }

  /** Passes the outcome of sending the batch to those who requested it. */
  attachTo({ hooks }: PipelinedTransaction): void {
    for (const callback of this.#onCommitting) hooks.onCommitting(callback);
    for (const callback of this.#afterCommit) hooks.afterCommit(callback);
  }
}
