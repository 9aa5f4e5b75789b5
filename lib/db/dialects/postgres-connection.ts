import type { InsertRow, KeyedNumbers, Replacements, TableShape } from '../types.ts';
import { driverCode } from './driver-error.ts';
import { writeLockKey } from './postgres.ts';
import type { Outcome, PostgresPipe } from './postgres-pipe.ts';
import { bindParameters, type PostgresQuery, plainRows } from './postgres-sql.ts';
import type { ServerConnection } from './server-engine.ts';

/** A statement is refused because one before it in the transaction has failed. */
const failedTransaction = '25P02';

export const beginning: PostgresQuery = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [] };
export const takingTurn: PostgresQuery = {
  text: `SELECT pg_advisory_xact_lock(${writeLockKey})`,
  values: [],
};

export const committing: PostgresQuery = { text: 'COMMIT', values: [] };

/** A transaction, or what reads, on a connection: texts come back exactly as they were bound. */
export class PostgresConnection implements ServerConnection {
  readonly #pipe: PostgresPipe;
  #failure: unknown;
  /** The beginning of a transaction, as long as its outcome is not known. */
  #begun: Promise<unknown> | undefined;

  constructor(pipe: PostgresPipe) {
    this.#pipe = pipe;
  }

  async select<Row extends object>(sql: string, replacements: Replacements = {}): Promise<Row[]> {
    return (await this.#run<Row>(bindParameters(sql, replacements), { givesRows: true })).rows;
  }

  async execute(sql: string, replacements: Replacements = {}): Promise<void> {
    await this.#run(bindParameters(sql, replacements));
  }

  async insert(table: TableShape, rows: readonly InsertRow[], options = { skipTaken: false }) {
    if (rows.length > 0) await this.#run(plainRows.insert(table, rows, options.skipTaken));
  }

  async upsert(table: TableShape, rows: readonly InsertRow[], replaced: readonly string[]) {
    if (rows.length > 0) await this.#run(plainRows.upsert(table, rows, replaced));
  }

  async insertByKey(table: TableShape, rows: KeyedNumbers) {
    if (rows.keys.length > 0) await this.#run(plainRows.insertByKey(table, rows));
  }

  /** The lock is taken by a statement of its own, so that the next one sees what its last holder has committed. */
  async begin(): Promise<void> {
    this.#failure = undefined;
    const begun = Promise.all([this.#run(beginning), this.#run(takingTurn)]);
    this.#begun = begun;
    await begun;
    this.#begun = undefined;
  }

  /** It runs, as a ROLLBACK, also when a statement before it has failed: the connection is free for the next transaction. */
  async commit(): Promise<void> {
    requireCommit(await this.#pipe.run(committing, { alone: true }));
  }

  async rollback(): Promise<void> {
    await this.#pipe.run({ text: 'ROLLBACK', values: [] }, { alone: true });
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

  /** Of statements in a transaction the first that fails takes the others with it; all of them tell its reason. */
  async #run<Row extends object>(
    query: PostgresQuery,
    options?: { readonly givesRows: boolean },
  ): Promise<Outcome<Row>> {
    // What does not go out together with BEGIN must not run unless that has.
    if (this.#begun && !this.#pipe.isWaiting(beginning)) await this.#begun;
    try {
      return await this.#pipe.run<Row>(query, options);
    } catch (error) {
      this.#failure ??= error;
      throw driverCode(error) === failedTransaction ? this.#failure : error;
    }
  }
}

export function requireCommit({ tag }: Outcome<object>): void {
  if (tag !== 'COMMIT')
    throw new Error('The transaction was rolled back, because a statement in it had failed.');
}
