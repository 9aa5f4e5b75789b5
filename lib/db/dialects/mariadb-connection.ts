import type { Connection } from 'mariadb';
import type { InsertRow, KeyedNumbers, Replacements, TableShape } from '../types.ts';
import { writeLockSql } from './mariadb.ts';
import { bindParameters, bulkInsert, bulkUpsert, insertByKey, type MariadbBulk } from './mariadb-sql.ts';
import type { ServerConnection } from './server-engine.ts';

/** Seconds that a process waits for another one that migrates. */
const migrationPatience = 600;

/** A connection of the `mariadb` driver, spoken to in its binary protocol. */
export class MariadbConnection implements ServerConnection {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async select<Row extends object>(sql: string, replacements: Replacements = {}): Promise<Row[]> {
    const query = bindParameters(sql, replacements);
    return this.#connection.execute<Row[]>(query.sql, query.values);
  }

  async execute(sql: string, replacements: Replacements = {}): Promise<void> {
    const query = bindParameters(sql, replacements);
    // Not every statement can be prepared, e.g. some that define the schema; those have no values.
    if (query.values.length === 0) await this.#connection.query(query.sql);
    else await this.#connection.execute(query.sql, query.values);
  }

  async insert(table: TableShape, rows: readonly InsertRow[], options = { skipTaken: false }) {
    if (rows.length > 0) await this.#bulk(bulkInsert(table, rows, options.skipTaken));
  }

  async upsert(table: TableShape, rows: readonly InsertRow[], replaced: readonly string[]) {
    if (rows.length > 0) await this.#bulk(bulkUpsert(table, rows, replaced));
  }

  async insertByKey(table: TableShape, rows: KeyedNumbers) {
    if (rows.keys.length > 0) await this.#bulk(insertByKey(table, rows));
  }

  async begin(): Promise<void> {
    const started = this.#connection.query('START TRANSACTION');
    // Sent at once, answered in order.
    await Promise.all([started, this.#connection.query(`${writeLockSql} FOR UPDATE`)]);
  }

  async commit(): Promise<void> {
    await this.#connection.query('COMMIT');
  }

  async rollback(): Promise<void> {
    await this.#connection.query('ROLLBACK');
  }

  async migrate<T>(work: () => Promise<T>): Promise<T> {
    const lock = "CONCAT('serverless-lrs ', LEFT(DATABASE(), 48))";
    const query = `SELECT GET_LOCK(${lock}, ${migrationPatience}) AS taken`;
    const [row] = await this.#connection.query<{ taken: number | null }[]>(query);
    if (row?.taken !== 1) throw new Error('Another process did not end its migrations in time.');
    try {
      return await work();
    } finally {
      await this.#connection.query(`DO RELEASE_LOCK(${lock})`);
    }
  }

  async #bulk({ sql, rows }: MariadbBulk): Promise<void> {
    await this.#connection.batch(sql, rows);
  }
}
