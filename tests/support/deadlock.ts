import { setTimeout as sleep } from 'node:timers/promises';
import mariadb, { type Connection } from 'mariadb';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { firstMigration } from '../../migrations/latest.ts';
import { administer } from './engines.ts';

/** InnoDB rolls back the transaction that has changed the fewest rows: the others change this many. */
const ballast = 5000;

/** Milliseconds between two looks: `innodb_trx` shows something new only when nobody has read it for 100 ms. */
const between = 150;

/** Another program's session, with which a writing transaction of the LRS on MariaDB can be made a deadlock's victim. */
export class DeadlockMaker {
  readonly #options: ServerOptions;
  readonly #connection: Connection;

  private constructor(options: ServerOptions, connection: Connection) {
    this.#options = options;
    this.#connection = connection;
  }

  static async open(options: ServerOptions): Promise<DeadlockMaker> {
    const { dbHost: host, dbPort: port, dbUser: user, dbPassword: password, dbName: database } = options;
    const connection = await mariadb.createConnection({
      ...{ host, user, database },
      ...(port && { port }),
      ...(password !== undefined && { password }),
    });
    await connection.query(
      `CREATE OR REPLACE TABLE ${database}_ballast (number INTEGER PRIMARY KEY) ENGINE = InnoDB`,
    );
    return new DeadlockMaker(options, connection);
  }

  /**
   * Locks a table against all writes. The first transaction of the LRS that waits for it is rolled back by a deadlock: it holds
   * the write lock, for which this session then waits.
   * @returns whether there was such a transaction before the work has ended.
   */
  async during(table: string, work: () => Promise<unknown>): Promise<boolean> {
    const session = this.#connection;
    await session.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await session.query('START TRANSACTION');
    await session.query(`INSERT INTO ${this.#options.dbName}_ballast SELECT seq FROM seq_1_to_${ballast}`);
    // Locks the gaps between rows, too.
    await session.query(`SELECT * FROM ${table} FOR UPDATE`);
    let ended = false;
    const working = work().finally(() => {
      ended = true;
    });
    working.catch(() => undefined);
    while (!ended && !(await this.#isAwaited())) await sleep(between);
    if (!ended) {
      await session.query(`SELECT name FROM schema_migration WHERE name = '${firstMigration}' FOR UPDATE`);
    }
    const met = !ended;
    await session.query('ROLLBACK');
    await working;
    return met;
  }

  /** Whether a transaction waits for a lock of a row in this database. */
  async #isAwaited(): Promise<boolean> {
    const rows = (await administer(
      this.#options,
      `SELECT 1 FROM information_schema.innodb_trx JOIN information_schema.processlist ON id = trx_mysql_thread_id
       WHERE db = '${this.#options.dbName}' AND trx_state = 'LOCK WAIT'`,
    )) as unknown[];
    return rows.length > 0;
  }

  async close(): Promise<void> {
    await this.#connection.query(`DROP TABLE ${this.#options.dbName}_ballast`);
    await this.#connection.end();
  }
}
