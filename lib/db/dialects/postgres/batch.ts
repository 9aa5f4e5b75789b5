import type { BatchCheck, BatchResult } from '../../types.ts';
import { type BatchSql, CollectedBatch } from '../collected-batch.ts';
import type { DriverConnection, ServerBatch } from '../server/engine.ts';
import { beginning, committing, requireCommit, takingWriteLock, unlimitedCommit } from './connection.ts';
import type { PostgresDialect } from './dialect.ts';
import type { PostgresPipe } from './pipe.ts';
import { type BatchRow, bindParameters, checkSql, type PostgresQuery } from './sql.ts';

/** The statements of a batch, complete before any is sent. */
export class PostgresBatch extends CollectedBatch<PostgresQuery> implements ServerBatch {
  readonly #pipeOf: (connection: DriverConnection) => PostgresPipe;
  readonly #localOf: (connection: DriverConnection) => PostgresQuery | undefined;

  /** @param localOf the settings of a transaction, if it needs any. */
  constructor(
    dialect: PostgresDialect,
    sql: BatchSql<PostgresQuery>,
    pipeOf: (connection: DriverConnection) => PostgresPipe,
    localOf: (connection: DriverConnection) => PostgresQuery | undefined,
  ) {
    super(dialect, sql);
    this.#pipeOf = pipeOf;
    this.#localOf = localOf;
  }

  async sendOn<Row extends object>(
    connection: DriverConnection,
    check: BatchCheck,
    onExecuted: () => void,
  ): Promise<BatchResult<Row>> {
    const pipe = this.#pipeOf(connection);
    const local = this.#localOf(connection) ?? [];
    const ahead = [beginning, local, takingWriteLock].flat().map((query) => pipe.hold(query));
    const checkQuery = bindParameters(checkSql(check), check.replacements());
    const checked = pipe.hold<Row & BatchRow>(checkQuery, { givesRows: true });
    const limit = this.dialect.isReplicated ? [unlimitedCommit] : [];
    const written = [...this.writes, ...limit].map((query) => pipe.hold(query));
    const committed = pipe.run(committing, { alone: true });
    checked.then(onExecuted, () => {});
    // All statements are awaited, COMMIT last, so that the connection is free for the next transaction.
    const [result, end] = await Promise.all([checked, committed, ...ahead, ...written]);
    requireCommit(end);
    const [row] = result.rows;
    if (row === undefined) throw new Error('The check of a batch gave no row.');
    return { row, first: row.first_position === '' ? undefined : Number(row.first_position) };
  }
}
