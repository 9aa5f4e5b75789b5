import type { InsertRow, KeyedNumbers, Replacements, TableShape } from '../../types.ts';
import { driverCode } from '../driver-error.ts';
import type { ServerConnection } from '../server/engine.ts';
import { writeLockKey } from './dialect.ts';
import type { PostgresPipe } from './pipe.ts';
import { bindParameters, type PostgresQuery, plainRows } from './sql.ts';
import type { Outcome } from './sync-group.ts';

/** Error code of a statement that is refused because an earlier one in the transaction has failed. */
const failedTransaction = '25P02';

export const beginning: PostgresQuery = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [] };
export const takingWriteLock: PostgresQuery = {
  text: `SELECT pg_advisory_xact_lock(${writeLockKey})`,
  values: [],
};

export const committing: PostgresQuery = { text: 'COMMIT', values: [] };

/**
 * Sent before COMMIT where a standby has to confirm it. When a timeout ended the wait for the standby, the transaction would be
 * visible here, and lost after a failover.
 */
export const unlimitedCommit: PostgresQuery = { text: 'SET LOCAL statement_timeout TO 0', values: [] };

/** The settings of each transaction, where the session has none of its own. */
export interface LocalSettings {
  readonly settings?: PostgresQuery;
  /** The same with another statement timeout (ms), where the session has none either. */
  readonly limited?: (milliseconds: number) => PostgresQuery;
  /** Whether COMMIT has no timeout. */
  readonly unlimitedCommit?: boolean;
}

/** A connection for transactions and reads. Texts come back exactly as they were bound. */
export class PostgresConnection implements ServerConnection {
  readonly #pipe: PostgresPipe;
  /** The settings of each transaction, where the session has none of its own. */
  #local: PostgresQuery | undefined;
  readonly #limited: LocalSettings['limited'];
  readonly #unlimitedCommit: boolean;
  #inTransaction = false;
  /** Maintenance runs outside of transactions, so it cannot use their settings. */
  #inMaintenance = false;
  #failure: unknown;
  /** The BEGIN of a transaction, until its result is known. */
  #begun: Promise<unknown> | undefined;

  constructor(pipe: PostgresPipe, { settings, limited, unlimitedCommit = false }: LocalSettings = {}) {
    this.#pipe = pipe;
    this.#local = settings;
    this.#limited = limited;
    this.#unlimitedCommit = unlimitedCommit;
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

  /** A separate statement takes the lock, so that the next one sees what the previous holder committed. */
  async begin(): Promise<void> {
    this.#failure = undefined;
    this.#inTransaction = true;
    const settings = this.#local === undefined ? [] : [this.#local];
    const begun = Promise.all([beginning, ...settings, takingWriteLock].map((query) => this.#run(query)));
    this.#begun = begun;
    await begun;
    this.#begun = undefined;
  }

  /**
   * It runs, as a ROLLBACK, even if a statement before it has failed, so that the connection is free for the next
   * transaction.
   */
  async commit(): Promise<void> {
    this.#inTransaction = false;
    if (this.#unlimitedCommit) this.#pipe.hold(unlimitedCommit).catch(() => undefined);
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

  /** When a statement of a transaction fails, those pipelined after it fail too; all report the reason of the first. */
  async #run<Row extends object>(
    query: PostgresQuery,
    options?: { readonly givesRows: boolean },
  ): Promise<Outcome<Row>> {
    // A statement that is not sent together with BEGIN must not run unless BEGIN succeeded.
    if (this.#begun && !this.#pipe.isWaiting(beginning)) await this.#begun;
    // Statements that are sent together outside of a transaction share an implicit one.
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
