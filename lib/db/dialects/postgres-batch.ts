import type { InsertRow, KeyedNumbers, Look, Seen, StampedRow, TableShape } from '../types.ts';
import type { PostgresDialect } from './postgres.ts';
import { beginning, committing, requireCommit, takingTurn } from './postgres-connection.ts';
import type { PostgresPipe } from './postgres-pipe.ts';
import {
  type BatchRow,
  batchRows,
  bindParameters,
  insertStamped,
  lookSql,
  type PostgresQuery,
} from './postgres-sql.ts';
import type { DriverConnection, ServerBatch } from './server-engine.ts';

/** The statements of a batch, put together before any is sent. */
export class PostgresBatch implements ServerBatch {
  readonly dialect: PostgresDialect;
  readonly #pipeOf: (connection: DriverConnection) => PostgresPipe;
  readonly #writes: PostgresQuery[] = [];

  constructor(dialect: PostgresDialect, pipeOf: (connection: DriverConnection) => PostgresPipe) {
    this.dialect = dialect;
    this.#pipeOf = pipeOf;
  }

  async insert(table: TableShape, rows: readonly InsertRow[], options = { skipTaken: false }): Promise<void> {
    if (rows.length > 0) this.#writes.push(batchRows.insert(table, rows, options.skipTaken));
  }

  async upsert(table: TableShape, rows: readonly InsertRow[], replaced: readonly string[]): Promise<void> {
    if (rows.length > 0) this.#writes.push(batchRows.upsert(table, rows, replaced));
  }

  async insertByKey(table: TableShape, rows: KeyedNumbers): Promise<void> {
    if (rows.keys.length > 0) this.#writes.push(batchRows.insertByKey(table, rows));
  }

  async insertStamped(table: TableShape, rows: readonly StampedRow[]): Promise<void> {
    if (rows.length > 0) this.#writes.push(insertStamped(table, rows, (at) => this.dialect.momentOf(at)));
  }

  commitBehind(): void {}

  async sendOn<Row extends object>(
    connection: DriverConnection,
    look: Look,
    onExecuted = () => {},
  ): Promise<Seen<Row>> {
    const pipe = this.#pipeOf(connection);
    const ahead = [beginning, takingTurn].map((query) => pipe.hold(query));
    const looking = bindParameters(lookSql(look), look.replacements);
    const looked = pipe.hold<Row & BatchRow>(looking, { givesRows: true });
    const written = this.#writes.map((query) => pipe.hold(query));
    const committed = pipe.run(committing, { alone: true });
    looked.then(onExecuted, () => {});
    // All of them end, the commit last, so the connection is free for the next transaction.
    const [seen, end] = await Promise.all([looked, committed, ...ahead, ...written]);
    requireCommit(end);
    const [row] = seen.rows;
    if (row === undefined) throw new Error('The look of a batch gave no row.');
    return { row, first: row.first_position === '' ? undefined : Number(row.first_position) };
  }
}
