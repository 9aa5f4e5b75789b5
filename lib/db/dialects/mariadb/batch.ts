import type { Socket } from 'node:net';
import type { Connection } from 'mariadb';
import type { BatchCheck, BatchResult } from '../../types.ts';
import { CollectedBatch } from '../collected-batch.ts';
import type { DriverConnection, ServerBatch } from '../server/engine.ts';
import {
  type BatchRow,
  batchSql,
  beginBatchSql,
  checkSql,
  confirmLookSql,
  endBatchSql,
  notWritten,
} from './batch-sql.ts';
import { errorNumber, type MariadbDialect } from './dialect.ts';
import type { MariadbBulk } from './sql.ts';

let batches = 0;

/** The statements of a batch, complete before any is sent. */
export class MariadbBatch extends CollectedBatch<MariadbBulk> implements ServerBatch {
  readonly #socketOf: (connection: DriverConnection) => Socket | undefined;

  constructor(dialect: MariadbDialect, socketOf: (connection: DriverConnection) => Socket | undefined) {
    super(
      dialect,
      batchSql((position) => dialect.momentOf(position)),
    );
    this.#socketOf = socketOf;
  }

  /**
   * The driver sends many rows only after their statement is prepared; unprepared, they would arrive after the statements
   * that follow.
   */
  async prepareOn(connection: DriverConnection, check: BatchCheck): Promise<void> {
    const driver = driverOf(connection);
    const texts = new Set([checkSql(check, 0).sql, ...this.writes.map(({ sql }) => sql)]);
    const socket = this.#socketOf(connection);
    socket?.cork();
    const preparing = [...texts].map((sql) => driver.prepare(sql));
    socket?.uncork();
    const prepared = await Promise.all(preparing);
    for (const statement of prepared) statement.close();
  }

  async sendOn<Row extends object>(
    connection: DriverConnection,
    check: BatchCheck,
    onExecuted: () => void,
  ): Promise<BatchResult<Row>> {
    batches += 1;
    const driver = driverOf(connection);
    const socket = this.#socketOf(connection);
    const checkQuery = checkSql(check, batches);
    socket?.cork();
    const begun = driver.query(beginBatchSql(batches));
    const checked = driver.execute<(Row & BatchRow)[]>(checkQuery.sql, checkQuery.values);
    const written = [
      driver.query(confirmLookSql),
      ...this.writes.map(({ sql, rows }) => driver.batch(sql, rows)),
    ];
    const rows = this.writes.reduce((sum, write) => sum + write.rows.length, 0);
    const ended = driver.query(endBatchSql(batches, rows));
    socket?.uncork();
    written.at(-1)?.then(onExecuted, () => {});
    return outcomeOf(begun, checked, written, ended);
  }
}

/**
 * Waits for all statements, the last one included, so that the connection is free for the next transaction.
 * @throws Error of the last statement, unless that only says that nothing was written; then that of the first failed
 *   statement.
 */
async function outcomeOf<Row extends object>(
  begun: Promise<unknown>,
  checked: Promise<(Row & BatchRow)[]>,
  written: readonly Promise<unknown>[],
  ended: Promise<unknown>,
): Promise<BatchResult<Row>> {
  const [begin, result, end, ...writes] = await Promise.allSettled([begun, checked, ended, ...written]);
  const isCommitted = end.status === 'fulfilled';
  if (!isCommitted && errorNumber(end.reason) !== notWritten) throw end.reason;
  if (begin.status === 'rejected') throw begin.reason;
  if (result.status === 'rejected') throw result.reason;
  const [row] = result.value;
  if (row === undefined) throw new Error('The check of a batch gave no row.');
  if (row.first_position === null) return { row, first: undefined };
  for (const write of writes) if (write.status === 'rejected') throw write.reason;
  return { row, first: isCommitted ? row.first_position : undefined };
}

function driverOf(connection: DriverConnection): Connection {
  // Sequelize declares only an object; it is a connection of the given driver.
  return connection as Connection;
}
