import type { BatchCheck, StampedRow, TableShape } from '../../types.ts';
import type { BatchSql } from '../collected-batch.ts';
import { writeLockRow } from './dialect.ts';
import {
  bindParameters,
  encodedRow,
  type MariadbBulk,
  type MariadbQuery,
  type Placeholder,
  rowSql,
} from './sql.ts';

/*
 * MariaDB does not end a transaction when a statement fails, and the statements of a batch are pipelined. So each statement
 * checks that the previous one has succeeded, and the last one commits only if that holds and all rows have arrived. A
 * statement that is killed before it begins leaves no trace.
 */

/*
 * Variables of the connection. Only the batch that has set them reads them: the values of another batch carry another
 * number.
 */
const lockedBatch = '@lrs_locked_batch';
const checkedBatch = '@lrs_looking_batch';
const seenBatch = '@lrs_seen_batch';
const firstPosition = '@lrs_first_position';
const rowsDone = '@lrs_rows_done';

/**
 * Begins the transaction of a batch and takes the write lock. A transaction that was left open by an interruption is not
 * committed.
 * @param batch a number that no other batch of the connection has.
 */
export function beginBatchSql(batch: number): string {
  return `BEGIN NOT ATOMIC ROLLBACK; SET autocommit = 1; START TRANSACTION;
    SELECT ${batch} INTO ${lockedBatch} ${writeLockRow} FOR UPDATE; END`;
}

/** The columns that `checkSql` adds. */
export interface BatchRow {
  /** Null when the batch is not written. */
  readonly first_position: number | null;
}

/**
 * Runs the check. If the lock is held and the batch is to be written, it also computes the position from which the
 * following statements count.
 */
export function checkSql({ sql, fits, first, replacements }: BatchCheck, batch: number): MariadbQuery {
  const told = `CASE WHEN ${lockedBatch} = :batch AND (${fits}) THEN CAST(${first} AS INTEGER) END`;
  return bindParameters(
    `SELECT checked.*, ${checkedBatch} := :batch AS batch, ${rowsDone} := 0 AS done, ${firstPosition} := ${told} AS first_position
     FROM (${sql} LIMIT 1) checked`,
    { ...replacements(), batch },
  );
}

/**
 * Records, directly after the check, that it has succeeded: it may have been interrupted after it had set its variables.
 */
export const confirmLookSql = `SET ${seenBatch} = IF(@@error_count = 0, ${checkedBatch}, NULL)`;

/**
 * Whether the previous statement succeeded and the transaction is still open. For some errors the server rolls the
 * transaction back, and each following statement would then commit by itself.
 */
const goesOn = 'ROW_COUNT() >= 0 AND @@in_transaction';

/** The same for each row; counts the rows for which it holds. */
const rowGoesOn = `${goesOn} AND (${rowsDone} := ${rowsDone} + 1)`;

/**
 * Sets the first value of each row to null when nothing is to be written: the first column of a table never allows null, while
 * others may.
 */
const placeholder: Placeholder = (kind, at) => {
  const value = kind === 'position' ? `${firstPosition} + ?` : '?';
  return at === 0 ? `IF(${firstPosition} IS NOT NULL AND ${rowGoesOn}, ${value}, NULL)` : value;
};

/**
 * For a batch, after its check.
 * @param momentOf SQL for the text of a position's time.
 */
export function batchSql(momentOf: (position: string) => string): BatchSql<MariadbBulk> {
  const moment = momentOf(`(${firstPosition} + ?)`);
  return {
    ...rowSql(placeholder),
    insertStamped(table, rows) {
      const own = Object.values(table.columns).slice(0, -2);
      const values = own.map((kind, at) => placeholder(kind, at));
      return {
        sql: `INSERT INTO ${table.name} (${Object.keys(table.columns).join(', ')}) VALUES (${values.join(', ')},
          COALESCE(?, ${moment}), CONCAT(?, ${moment}, COALESCE(CONCAT(?, ${moment}), ''), ?))`,
        rows: rows.map((row) => stampedRow(table, row)),
      };
    },
  };
}

/** The position, the first value of the row, is repeated for each time. */
function stampedRow(table: TableShape, { values, time, start, middle, end }: StampedRow): unknown[] {
  const row = encodedRow(table, values);
  const [position] = row;
  // A text, because the driver sends null as a text.
  const between = middle === null ? null : middle.toString();
  return [...row, time, position, start, position, between, position, end];
}

/**
 * Commits the batch if everything has succeeded; otherwise it rolls back and fails with `notWritten`.
 * @param rows the number of rows of the batch.
 */
export function endBatchSql(batch: number, rows: number): string {
  return `BEGIN NOT ATOMIC
    IF ${goesOn} AND ${seenBatch} = ${batch} AND ${firstPosition} IS NOT NULL AND ${rowsDone} = ${rows} THEN COMMIT;
    ELSE ROLLBACK; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'The batch was not written.';
    END IF; END`;
}

/** The number of that error: a condition that SQL signals. */
export const notWritten = 1644;
