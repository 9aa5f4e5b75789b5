import type { Look, Seen } from '../../types.ts';
import { CollectedBatch } from '../server/collected-batch.ts';
import type { DriverConnection } from '../server/engine.ts';
import { beginning, committing, requireCommit, takingTurn } from './connection.ts';
import type { PostgresDialect } from './dialect.ts';
import type { PostgresPipe } from './pipe.ts';
import { type BatchRow, batchSql, bindParameters, lookSql, type PostgresQuery } from './sql.ts';

/** The statements of a batch, put together before any is sent. */
export class PostgresBatch extends CollectedBatch<PostgresQuery> {
  readonly #pipeOf: (connection: DriverConnection) => PostgresPipe;
  readonly #localOf: (connection: DriverConnection) => PostgresQuery | undefined;

  /** @param localOf gives the settings of a transaction, if it needs any. */
  constructor(
    dialect: PostgresDialect,
    pipeOf: (connection: DriverConnection) => PostgresPipe,
    localOf: (connection: DriverConnection) => PostgresQuery | undefined,
  ) {
    super(
      dialect,
      batchSql((position) => dialect.momentOf(position)),
    );
    this.#pipeOf = pipeOf;
    this.#localOf = localOf;
  }

  async sendOn<Row extends object>(
    connection: DriverConnection,
    look: Look,
    onExecuted: () => void,
  ): Promise<Seen<Row>> {
    const pipe = this.#pipeOf(connection);
    const local = this.#localOf(connection) ?? [];
    const ahead = [beginning, local, takingTurn].flat().map((query) => pipe.hold(query));
    const looking = bindParameters(lookSql(look), look.replacements);
    const looked = pipe.hold<Row & BatchRow>(looking, { givesRows: true });
    const written = this.writes.map((query) => pipe.hold(query));
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
