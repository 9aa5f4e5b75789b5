import type { Client, CustomTypesConfig } from 'pg';
import type { KeyedNumbers, Replacements, TableShape } from '../types.ts';
import { driverCode } from './driver-error.ts';
import { withNul } from './postgres-array.ts';
import { textTypes } from './postgres-models.ts';
import { bindParameters, bulkInsert, bulkUpsert, insertByKey, type PostgresQuery } from './postgres-sql.ts';
import type { ServerConnection } from './server-engine.ts';

/** Statements that the server keeps prepared on each connection; the SQL of this program is fewer texts than that. */
const preparedLimit = 500;
const preparedNames = new Map<string, string>();

/** Its object identifier is fixed in Postgres' catalog. */
const int8 = 20;

/** A statement is refused because one before it in the transaction has failed. */
const failedTransaction = '25P02';

/** Serialises what writes in one schema. */
const turn = "pg_advisory_xact_lock(hashtextextended('serverless-lrs ' || current_schema(), 0))";

/** A connection of the `pg` driver: numbers as numbers, texts exactly as they were bound. */
export class PostgresConnection implements ServerConnection {
  readonly #client: Client;
  readonly #types: CustomTypesConfig;
  #failure: unknown;

  constructor(client: Client, defaultTypes: CustomTypesConfig) {
    this.#client = client;
    this.#types = {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => {
        if (oid === int8) return Number;
        if (textTypes.has(oid)) return withNul;
        return defaultTypes.getTypeParser(oid, format);
      },
    };
  }

  async select<Row extends object>(sql: string, replacements: Replacements = {}): Promise<Row[]> {
    return (await this.#run<Row>(bindParameters(sql, replacements))).rows;
  }

  async execute(sql: string, replacements: Replacements = {}): Promise<void> {
    await this.#run(bindParameters(sql, replacements));
  }

  async insert(table: TableShape, rows: Parameters<typeof bulkInsert>[1], options = { skipTaken: false }) {
    if (rows.length > 0) await this.#run(bulkInsert(table, rows, options.skipTaken));
  }

  async upsert(table: TableShape, rows: Parameters<typeof bulkUpsert>[1], replaced: readonly string[]) {
    if (rows.length > 0) await this.#run(bulkUpsert(table, rows, replaced));
  }

  async insertByKey(table: TableShape, rows: KeyedNumbers) {
    if (rows.keys.length > 0) await this.#run(insertByKey(table, rows));
  }

  /** The lock is taken by a statement of its own, so that the next one sees what its last holder has committed. */
  async begin(): Promise<void> {
    this.#failure = undefined;
    await this.#client.query(`BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ${turn}`);
  }

  async commit(): Promise<void> {
    const { command } = await this.#client.query('COMMIT');
    if (command !== 'COMMIT')
      throw new Error('The transaction was rolled back, because a statement in it had failed.');
  }

  async rollback(): Promise<void> {
    await this.#client.query('ROLLBACK');
  }

  async migrate<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.begin();
      const result = await work();
      await this.commit();
      return result;
    } catch (error) {
      await this.rollback().catch(() => undefined);
      throw error;
    }
  }

  /** Of statements that are sent together the first that fails takes the others with it; all of them tell its reason. */
  async #run<Row extends object>({ text, values }: PostgresQuery) {
    const name = preparedName(text);
    try {
      return await this.#client.query<Row>({
        text,
        values,
        types: this.#types,
        ...(name !== undefined && { name }),
      });
    } catch (error) {
      this.#failure ??= error;
      throw driverCode(error) === failedTransaction ? this.#failure : error;
    }
  }
}

function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text);
  if (known !== undefined || preparedNames.size >= preparedLimit) return known;
  const name = `s${preparedNames.size}`;
  preparedNames.set(text, name);
  return name;
}
