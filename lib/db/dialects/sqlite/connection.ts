import { ConnectionError, Sequelize } from 'sequelize';
import { Capacity } from '../../../capacity.ts';
import { withRetry } from '../../retry.ts';
import type { Dialect } from '../dialect.ts';
import type { DriverDatabase, DriverStatement, SqliteDriver } from './driver/driver.ts';
import type { BoundSql } from './parameters.ts';

/**
 * How long SQLite itself waits for the lock of another process before it reports SQLITE_BUSY. Short, because it blocks one
 * of the few threads, which the lock holder may need if it is in this process; the caller retries.
 */
const busyTimeoutMs = 10;
/**
 * A connection runs one statement at a time; others would block the process' few threads, which the writing connection may
 * need. One waiting read starts at once when the one before it ends.
 */
const readingThreads = 2;
/** The page cache of a connection; further pages come from the operating system's cache. */
const writerCacheKiB = 16 * 1024;
const readerCacheKiB = 8 * 1024;
/** Prepared statements per connection; this program has fewer SQL texts. */
const preparedLimit = 200;
/** A prepared statement keeps its last values; up to this many characters and bytes are not worth releasing. */
const keptValues = 64 * 1024;

export interface SqliteConnectionOptions {
  /** A file's path, or `:memory:`. */
  readonly storage: string;
  readonly readOnly: boolean;
}

/**
 * One connection, set up before its first use. Sequelize drives it for models and migrations; SQL of our own goes
 * straight to the driver, prepared once and with every value bound, because Sequelize guesses from the text of a query,
 * values and all, what kind of query it is.
 */
export class SqliteConnection {
  readonly sequelize: Sequelize;
  readonly #prepared = new Map<string, Promise<DriverStatement>>();
  readonly #threads: Capacity;
  #driver: DriverDatabase | undefined;

  constructor(options: SqliteConnectionOptions, dialect: Dialect, driver: SqliteDriver) {
    this.#threads = new Capacity(options.readOnly ? readingThreads : 1);
    this.sequelize = new Sequelize({
      dialect: 'sqlite',
      dialectModule: driverModule(driver, async (connection) => {
        connection.configure('busyTimeout', busyTimeoutMs);
        await withRetry(dialect, () => run(connection, pragmas(options)));
        this.#driver = connection;
      }),
      storage: options.storage,
      logging: false,
      retry: { max: 1 },
    });
  }

  async open(): Promise<void> {
    try {
      await this.sequelize.authenticate();
    } catch (error) {
      throw error instanceof ConnectionError ? error.parent : error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#prepared.values()].map(finalise));
    this.#prepared.clear();
    await this.sequelize.close();
  }

  /** Runs one statement and returns its rows. On the writing connection statements run in the order of the calls. */
  all<Row extends object>(bound: BoundSql): Promise<Row[]> {
    return this.#threads.run(1, () => this.#run(bound));
  }

  /** Runs statements without values, when those before it have ended. */
  exec(sql: string): Promise<void> {
    return this.#threads.run(1, async () => {
      if (this.#driver) await run(this.#driver, sql);
    });
  }

  async #run<Row extends object>({ sql, values }: BoundSql): Promise<Row[]> {
    const statement = await this.#prepare(sql);
    return new Promise((resolve, reject) => {
      statement.all<Row>(values, (error, rows) => {
        if (!error) resolve(rows);
        // One that had to wait for a lock is not over yet, and SQLite commits nothing by itself while another one writes.
        else statement.reset(() => reject(error));
      });
      // Replaces all values.
      if (sizeOf(values) > keptValues) statement.bind([null]);
    });
  }

  #prepare(sql: string): Promise<DriverStatement> {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const driver = this.#driver;
    if (!driver) throw new Error('The connection is not open.');
    const prepared = new Promise<DriverStatement>((resolve, reject) => {
      const statement = driver.prepare(sql, (error) => (error ? reject(error) : resolve(statement)));
    });
    this.#prepared.set(sql, prepared);
    prepared.catch(() => this.#prepared.delete(sql));
    const [oldest] = this.#prepared;
    if (oldest && this.#prepared.size > preparedLimit) {
      this.#prepared.delete(oldest[0]);
      void finalise(oldest[1]);
    }
    return prepared;
  }
}

/** Characters and bytes. */
function sizeOf(values: BoundSql['values']): number {
  let size = 0;
  for (const value of Object.values(values)) {
    if (typeof value === 'string' || Buffer.isBuffer(value)) size += value.length;
  }
  return size;
}

/** Releases the statement, if it could be prepared at all. */
async function finalise(prepared: Promise<DriverStatement>): Promise<void> {
  const statement = await prepared.catch(() => undefined);
  if (statement) await new Promise<void>((resolve) => statement.finalize(() => resolve()));
}

/**
 * FULL makes every commit wait for the disk, so acknowledged data survives a power cut. A checkpoint runs only every 20,000
 * pages (80 MB), so that pages which many writes touch are not copied each time.
 */
function pragmas({ storage, readOnly }: SqliteConnectionOptions): string {
  const ofFile = [
    'page_size = 4096',
    'journal_mode = WAL',
    'synchronous = FULL',
    'wal_autocheckpoint = 20000',
    'journal_size_limit = 134217728',
    `cache_size = -${readOnly ? readerCacheKiB : writerCacheKiB}`,
  ];
  const settings = [
    'foreign_keys = ON',
    ...(storage === ':memory:' ? [] : ofFile),
    ...(readOnly ? ['query_only = ON'] : []),
  ];
  return settings.map((setting) => `PRAGMA ${setting};`).join(' ');
}

function run(driver: DriverDatabase, sql: string): Promise<void> {
  return new Promise((resolve, reject) => driver.exec(sql, (error) => (error ? reject(error) : resolve())));
}

type Opened = (this: DriverDatabase, error: Error | null) => void;

/** The `sqlite3` module as Sequelize's `dialectModule`, whose connection is set up before it is handed out. */
function driverModule(driver: SqliteDriver, setUp: (connection: DriverDatabase) => Promise<void>): object {
  class Connection extends driver.Database {
    constructor(filename: string, mode: number, opened: Opened) {
      super(filename, mode, (error) => {
        if (error) {
          opened.call(this, error);
          return;
        }
        setUp(this).then(
          () => opened.call(this, null),
          (failure) => opened.call(this, failure),
        );
      });
    }
  }
  return { ...driver, Database: Connection };
}
