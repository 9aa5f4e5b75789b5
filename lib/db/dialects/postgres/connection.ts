import type { InsertRow, KeyedNumbers, Replacements, TableShape } from '../../types.ts';
import { driverCode } from '../driver-error.ts';
import type { ServerConnection } from '../server/engine.ts';
import { writeLockKey } from './dialect.ts';
import type { PostgresPipe } from './pipe.ts';
import { bindParameters, type PostgresQuery, plainRows } from './sql.ts';
import type { Outcome } from './sync-group.ts';

/** A statement is refused because one before it in the transaction has failed. */
const failedTransaction = '25P02';

export const beginning: PostgresQuery = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [] };
export const takingTurn: PostgresQuery = {
  text: `SELECT pg_advisory_xact_lock(${writeLockKey})`,
  values: [],
};

export const committing: PostgresQuery = { text: 'COMMIT', values: [] };

/** What is set for each transaction, where the session has no settings of its own. */
export interface LocalSettings {
  readonly settings?: PostgresQuery;
  /** The same with another limit (ms) on the time of a statement, where the session has none either. */
  readonly limited?: (milliseconds: number) => PostgresQuery;
}

/** A transaction, or what reads, on a connection: texts come back exactly as they were bound. */
export class PostgresConnection implements ServerConnection {
  readonly #pipe: PostgresPipe;
  /** Where the session has no settings of its own, those of each transaction. */
  #local: PostgresQuery | undefined;
  readonly #limited: LocalSettings['limited'];
  #inTransaction = false;
  /** Maintenance is no transaction, so there is none to which settings could belong. */
  #inMaintenance = false;
  #failure: unknown;
  /** The beginning of a transaction, as long as its outcome is not known. */
  #begun: Promise<unknown> | undefined;

  constructor(pipe: PostgresPipe, { settings, limited }: LocalSettings = {}) {
    this.#pipe = pipe;
    this.#local = settings;
    this.#limited = limited;
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
    this.#inTransaction = true;
    const settings = this.#local === undefined ? [] : [this.#local];
    const begun = Promise.all([beginning, ...settings, takingTurn].map((query) => this.#run(query)));
    this.#begun = begun;
    await begun;
    this.#begun = undefined;
  }

  /** It runs, as a ROLLBACK, also when a statement before it has failed: the connection is free for the next transaction. */
  async commit(): Promise<void> {
    this.#inTransaction = false;
    requireCommit(await this.#pipe.run(committing, { alone: true }));
  }

  async rollback(): Promise<void> {
    this.#inTransaction = false;
    await this.#pipe.run({ text: 'ROLLBACK', values: [] }, { alone: true });
  }

  async limitStatements(milliseconds: number): Promise<void> {
    this.#inMaintenance = true;
    if (this.#limited !== undefined) this.#local = this.#limited(milliseconds);
    else await this.#run({ text: `SET statement_timeout TO ${milliseconds}`, values: [] });
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
    // Statements that are sent at once outside of a transaction are one.
    if (this.#local !== undefined && !this.#inTransaction && !this.#inMaintenance) {
      this.#pipe.hold(this.#local).catch(() => undefined);
    }
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
