import type { BatchCheck, BatchResult } from '../../types.ts';
import { CollectedBatch } from '../collected-batch.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteDialect } from './dialect.ts';
import { batchRows, firstPosition } from './insert.ts';
import { type BoundSql, bindParameters } from './parameters.ts';

/** The rows of a batch, complete before it is sent. */
export class SqliteBatch extends CollectedBatch<readonly BoundSql[]> {
  constructor(dialect: SqliteDialect) {
    super(
      dialect,
      batchRows((position) => dialect.momentOf(position)),
    );
  }

  /** All its INSERTs, in their order. */
  get inserts(): readonly BoundSql[] {
    return this.writes.flat();
  }
}

/** A view with a trigger that runs the INSERTs of a batch. */
interface BatchView {
  readonly name: string;
  /** The columns of the check. */
  readonly checked: readonly string[];
}

/** Batches differ in which tables they write and how; some twenty kinds are usual. */
const viewsKept = 100;

/**
 * Sends batches on one connection, each as one statement, because each statement is handed to another thread and back, which
 * costs more than most of them take: an INSERT into a view whose trigger runs the INSERTs of the batch. What is inserted is the
 * row of the check, which SQLite computes once it has the write lock, with the values of the INSERTs in further columns. The
 * statement is a transaction of its own.
 */
export class BatchSender {
  readonly #connection: SqliteConnection;
  /** By the SQL of the check and the INSERTs. */
  readonly #views = new Map<string, Promise<BatchView>>();
  #made = 0;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async send<Row extends object>(batch: SqliteBatch, check: BatchCheck): Promise<BatchResult<Row>> {
    const { inserts } = batch;
    const replacements = check.replacements();
    const { sql, values } = bindParameters(check.sql, replacements);
    const { name, checked } = await this.#viewFor(sql, inserts);
    const names = inserts.flatMap((insert, at) => Object.keys(insert.values).map((value) => `${value}${at}`));
    const fits = bindParameters(`CASE WHEN ${check.fits} THEN ${check.first} END`, replacements);
    const [row] = await this.#connection.all<Row & { readonly [firstPosition]: number | null }>({
      sql: `INSERT INTO ${name} SELECT ${['checked.*', fits.sql, ...names].join(', ')} FROM (${sql}) checked
        RETURNING ${[...checked, firstPosition].join(', ')}`,
      values: Object.assign({}, values, ...inserts.map((insert, at) => numbered(insert.values, at))),
    });
    if (row === undefined) throw new Error('The check of a batch gave no row.');
    return { row, first: row[firstPosition] ?? undefined };
  }

  #viewFor(checkSql: string, inserts: readonly BoundSql[]): Promise<BatchView> {
    const key = [checkSql, ...inserts.map(({ sql }) => sql)].join(';');
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const made = this.#make(checkSql, inserts);
    this.#views.set(key, made);
    made.catch(() => this.#views.delete(key));
    return made;
  }

  async #make(checkSql: string, inserts: readonly BoundSql[]): Promise<BatchView> {
    await this.#forgetOldest();
    this.#made += 1;
    const name = `batch_${this.#made}`;
    const columns = inserts.flatMap(({ values }, at) =>
      Object.keys(values).map((value) => `NULL AS ${value.slice(1)}${at}`),
    );
    const actions = inserts.map(({ sql }, at) => `${sql.replace(parameters, `NEW.$1${at}`)};`);
    await this.#connection.exec(`
      CREATE TEMP VIEW ${name} AS SELECT ${['checked.*', `NULL AS ${firstPosition}`, ...columns].join(', ')}
        FROM (${checkSql.replace(parameters, 'NULL')}) checked;
      CREATE TEMP TRIGGER ${name}_inserts INSTEAD OF INSERT ON ${name} BEGIN ${actions.join('\n')} END;`);
    const described = await this.#connection.all<{ name: string }>({
      sql: 'SELECT name FROM pragma_table_info(:view)',
      values: { ':view': name },
    });
    const names = described.map((column) => column.name);
    return { name, checked: names.slice(0, names.indexOf(firstPosition)) };
  }

  async #forgetOldest(): Promise<void> {
    const [oldest] = this.#views;
    if (oldest === undefined || this.#views.size < viewsKept) return;
    this.#views.delete(oldest[0]);
    const { name } = await oldest[1];
    await this.#connection.exec(`DROP VIEW ${name}`);
  }
}

/** Names of values in SQL. No text in it contains one. */
const parameters = /:([a-z]\w*)/g;

/** The values under the names of the INSERT at this place. */
function numbered(values: BoundSql['values'], at: number): BoundSql['values'] {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}${at}`, value]));
}
