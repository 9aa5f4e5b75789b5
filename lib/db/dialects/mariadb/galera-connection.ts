import { randomInt } from 'node:crypto';
import { MariadbConnection } from './connection.ts';
import { errorNumber, lockWaitTimeout, notReadyNumber, rolledBackSql } from './dialect.ts';
import type { MariadbBulk, MariadbQuery } from './sql.ts';

/** `randomInt` gives no larger range. */
const largest = 2 ** 48 - 1;
/** The most rows of one INSERT. */
const mostRows = 64;

/** The same as the server's own error, which it does not give to every statement. */
export class GaleraNotReadyError extends Error {
  readonly errno = notReadyNumber;

  constructor(options?: ErrorOptions) {
    super('The node of Galera is not ready (wsrep_ready).', options);
    this.name = new.target.name;
  }
}

/** The setting keeps the query itself from waiting for the cluster. */
const readySql = `SET STATEMENT wsrep_sync_wait = 0 FOR
  SELECT variable_value AS ready FROM information_schema.global_status WHERE variable_name = 'WSREP_READY'`;

/**
 * Asks a node of Galera whether it belongs to a majority of its cluster, and so serves reads and writes.
 * @param select sends the query to the node, which answers without waiting for others.
 */
export async function isReady(
  select: (sql: string) => Promise<readonly { readonly ready: string }[]>,
): Promise<boolean> {
  const [status] = await select(readySql);
  return status?.ready === 'ON';
}

/**
 * A connection to a node of a Galera cluster, where a transaction may be rolled back at any time because one of another node
 * was first (docs/decisions/0064-galera.md).
 *
 * The first command after that fails as by a deadlock. What was sent behind it would run outside of the transaction, and rows of
 * a bulk insert do without any error. So each statement is sent only after the one before has succeeded, in no bulk, the session
 * is read-only outside of transactions, and the commit checks that the transaction is still that which has begun.
 */
export class GaleraConnection extends MariadbConnection {
  /** Ends when all statements so far have; fails when one has failed, and with it all that follow. */
  #statements: Promise<unknown> = Promise.resolve();
  #transaction = 0;

  /**
   * Locks of rows are known to one node only. So each transaction that writes changes the same row: of two at the same time one
   * commits.
   */
  override async begin(): Promise<void> {
    this.#transaction = randomInt(1, largest);
    await this.query(
      `BEGIN NOT ATOMIC ROLLBACK; START TRANSACTION READ WRITE;
       UPDATE write_lock SET last_transaction = ${this.#transaction}; END`,
    );
  }

  override async commit(): Promise<void> {
    await this.query(
      `BEGIN NOT ATOMIC IF @@in_transaction AND (SELECT last_transaction FROM write_lock) = ${this.#transaction} THEN COMMIT;
       ELSE ROLLBACK; ${rolledBackSql}; END IF; END`,
    );
  }

  override async rollback(): Promise<void> {
    await this.#statements.catch(() => undefined);
    await this.driver.query('ROLLBACK');
  }

  override async migrate<T>(work: () => Promise<T>): Promise<T> {
    return super.migrate(async () => {
      await this.query('SET SESSION TRANSACTION READ WRITE');
      try {
        return await work();
      } finally {
        await this.query('SET SESSION TRANSACTION READ ONLY');
      }
    });
  }

  /** The first failure is that of all statements that follow. */
  protected override noting<Result>(statement: Promise<Result>): Promise<Result> {
    return statement;
  }

  protected override query<Result>(sql: string): Promise<Result> {
    return this.#next(() => super.query<Result>(sql));
  }

  /**
   * The driver would prepare a statement and run it with two commands at once; if the first one fails, the second one runs
   * another statement.
   */
  protected override prepared<Result>(query: MariadbQuery): Promise<Result> {
    return this.#next(async () => {
      (await this.driver.prepare(query.sql)).close();
      return super.prepared<Result>(query);
    });
  }

  /** In powers of two, so that few different statements have to be prepared. */
  protected override async bulk({ sql, rows }: MariadbBulk): Promise<void> {
    for (let start = 0, count = mostRows; start < rows.length; start += count) {
      while (count > rows.length - start) count /= 2;
      await this.prepared({
        sql: sql.replace(
          /VALUES (\([?, ]+\))/,
          (_, row: string) => `VALUES ${Array(count).fill(row).join(', ')}`,
        ),
        values: rows.slice(start, start + count).flat(),
      });
    }
  }

  #next<Result>(send: () => Promise<Result>): Promise<Result> {
    const result = this.#statements.then(async () => {
      try {
        return await send();
      } catch (error) {
        throw await this.#explained(error);
      }
    });
    this.#statements = result;
    result.catch(() => undefined);
    return result;
  }

  /**
   * Where reads wait for the cluster, a node that is not ready answers the preparation of a statement, and a statement without a
   * table, with a lock wait timeout, which would be repeated. One that is only behind does so when a read has waited for
   * `repl.causal_read_timeout`.
   */
  async #explained(error: unknown): Promise<unknown> {
    if (errorNumber(error) !== lockWaitTimeout) return error;
    const ready = await isReady((sql) => super.query(sql)).catch(() => true);
    return ready ? error : new GaleraNotReadyError({ cause: error });
  }
}
