import { Gate } from '../../gate.ts';
import { modelOf } from '../../models.ts';
import { PipelinedTransaction } from '../../pipelined-transaction.ts';
import { withRetry } from '../../retry.ts';
import type {
  BatchCheck,
  Batches,
  BatchResult,
  MigratableDatabase,
  ReadOptions,
  ReadSession,
  TransactionHooks,
  TryLockRead,
  WriteSession,
} from '../../types.ts';
import { DatabaseUnusableError } from '../../unusable.ts';
import { driverCode } from '../driver-error.ts';
import { BatchSender, SqliteBatch } from './batch.ts';
import { SqliteConnection } from './connection.ts';
import { SqliteDialect } from './dialect.ts';
import type { SqliteDriver } from './driver/driver.ts';
import { loadSqliteDriver } from './driver/load.ts';
import { SqliteFiles } from './files.ts';
import { plainRows } from './insert.ts';
import type { SqliteOptions } from './options.ts';
import { prepareFile, requireOwnTables } from './own-file.ts';
import { type BoundSql, bindParameters } from './parameters.ts';

/** Milliseconds between two attempts to get the write lock of another process: SQLite has no queue for its lock. */
const longestPause = 8;

/** The values of a batch become a row first, which SQLite keeps in memory up to some 2 MB. */
const maximumBatchBytes = 1024 * 1024;

/**
 * A SQLite database: one connection that writes, one transaction at a time, and for a file a second one that only
 * reads. Sequelize's own transactions are not used: it opens a connection for each, and with more of them waiting for
 * the file's lock than there are threads, the holder of the lock finds no thread to commit on.
 * In memory there is one connection, so reads wait while a transaction runs; otherwise they would see its rows.
 */
export class SqliteDatabase implements MigratableDatabase {
  readonly dialect = new SqliteDialect();
  readonly host = undefined;
  readonly batches: Batches;
  readonly #gate = new Gate();
  readonly #largeReads = new Gate();
  readonly #storage: string;
  readonly #driver: SqliteDriver;
  readonly #inMemory: boolean;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #writeSession: Omit<WriteSession, keyof TransactionHooks>;
  readonly #readSession: ReadSession;
  #files: SqliteFiles | undefined;

  private constructor(storage: string, driver: SqliteDriver) {
    this.#storage = storage;
    this.#driver = driver;
    this.#inMemory = storage === ':memory:';
    this.#writer = new SqliteConnection({ storage, readOnly: false }, this.dialect, driver);
    this.#reader = this.#inMemory
      ? this.#writer
      : new SqliteConnection({ storage, readOnly: true }, this.dialect, driver);
    this.#readSession = readSession(this.#reader, this.dialect);
    this.#writeSession = writeSession(this.#writer, this.dialect);
    const sender = new BatchSender(this.#writer);
    this.batches = {
      maximumBytes: maximumBatchBytes,
      send: async (fill) => {
        const batch = new SqliteBatch(this.dialect);
        const check = await fill(batch);
        return this.#exclusively(() => this.#sendBatch(sender, batch, check));
      },
    };
  }

  /** Loads the driver. @throws DatabaseUnusableError when it can't be loaded. */
  static async load({
    dbName,
    sqliteDriver,
  }: Pick<SqliteOptions, 'dbName' | 'sqliteDriver'>): Promise<SqliteDatabase> {
    return new SqliteDatabase(dbName, await loadSqliteDriver(sqliteDriver));
  }

  /**
   * Opens the connections, the writing one first because it may have to create the tables.
   * @throws DatabaseUnusableError when the file is not a database; ForeignSchemaError when it is one of another program, which
   *   is not changed.
   */
  async connect(): Promise<void> {
    try {
      if (!this.#inMemory) await this.#prepareFile();
      await withRetry(this.dialect, () => this.#writer.open());
      if (this.#inMemory) return;
      await withRetry(this.dialect, () => this.#reader.open());
      this.#files = new SqliteFiles(this.#storage);
    } catch (error) {
      if (driverCode(error) !== 'SQLITE_NOTADB') throw error;
      throw new DatabaseUnusableError(
        `The file ${this.#storage} is not a SQLite database: set dbName (LRS_DB_NAME) to another file, which is made when it is missing.`,
        { cause: error },
      );
    }
  }

  async #prepareFile(): Promise<void> {
    const { isNew } = await prepareFile(this.#storage);
    if (isNew) return;
    await withRetry(this.dialect, () => requireOwnTables(this.#storage, this.#driver, this.dialect));
  }

  read<T>(
    work: (session: ReadSession) => Promise<T>,
    { large = false }: Pick<ReadOptions, 'large'> = {},
  ): Promise<T> {
    const attempt = () => withRetry(this.dialect, () => work(this.#readSession));
    const attempts = () => (this.#inMemory ? this.#gate.shared(attempt) : attempt());
    return large ? this.#largeReads.exclusive(attempts) : attempts();
  }

  write<T>(work: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.#exclusively(() => this.#transact(work));
  }

  #exclusively<T>(attempt: () => Promise<T>): Promise<T> {
    return this.#gate.exclusive(() => withRetry(this.dialect, attempt, { longestPause }));
  }

  async tryLockRead<Row extends object>(sql: string): Promise<TryLockRead<Row>> {
    this.#files?.requireFound();
    if (this.#inMemory || !this.#gate.isFree) return this.#readNow(sql, this.#inMemory);
    return this.#gate.exclusive(async () => {
      const { execute } = this.#writeSession;
      try {
        await execute('BEGIN IMMEDIATE');
      } catch (error) {
        if (this.dialect.isTransient(error)) return this.#readNow(sql, false);
        throw error;
      }
      return this.#readNow<Row>(sql, true).finally(() => execute('ROLLBACK'));
    });
  }

  async #readNow<Row extends object>(sql: string, unlocked: boolean): Promise<TryLockRead<Row>> {
    const [row] = await this.read((session) => session.select<Row>(sql));
    return { row, unlocked };
  }

  migrate<T>(work: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.write(work);
  }

  /** Waits for the running transaction, then closes. */
  async close(): Promise<void> {
    await this.#gate.exclusive(async () => {
      if (!this.#inMemory) await this.#reader.close();
      await this.#writer.close();
    });
  }

  async #sendBatch<Row extends object>(
    sender: BatchSender,
    batch: SqliteBatch,
    check: BatchCheck,
  ): Promise<BatchResult<Row>> {
    this.#files?.requirePresent();
    const transaction = new PipelinedTransaction();
    batch.attachTo(transaction);
    const result = await sender.send<Row>(batch, check);
    this.#files?.confirmCommit();
    if (result.first !== undefined) transaction.committed();
    return result;
  }

  async #transact<T>(work: (session: WriteSession) => Promise<T>): Promise<T> {
    this.#files?.requirePresent();
    const session = this.#writeSession;
    const transaction = new PipelinedTransaction();
    let result: T;
    await session.execute('BEGIN IMMEDIATE');
    try {
      result = await work({ ...session, ...transaction.hooks });
      await transaction.ended();
      await session.execute('COMMIT');
    } catch (error) {
      await transaction.settled();
      // SQLite rolls back by itself when it runs out of space.
      await session.execute('ROLLBACK').catch(() => undefined);
      throw error;
    }
    this.#files?.confirmCommit();
    transaction.committed();
    return result;
  }
}

function readSession(connection: SqliteConnection, dialect: SqliteDialect): ReadSession {
  return {
    dialect,
    model: async (table) => modelOf(connection.sequelize, table),
    options: {},
    select: (sql, replacements = {}) => connection.all(bindParameters(sql, replacements)),
  };
}

function writeSession(
  connection: SqliteConnection,
  dialect: SqliteDialect,
): Omit<WriteSession, keyof TransactionHooks> {
  return {
    ...readSession(connection, dialect),
    async execute(sql, replacements = {}) {
      await connection.all(bindParameters(sql, replacements));
    },
    async insert(table, rows, options = { skipTaken: false }) {
      if (rows.length > 0) await runAll(connection, plainRows.insert(table, rows, options.skipTaken));
    },
    async upsert(table, rows, replaced) {
      if (rows.length > 0) await runAll(connection, plainRows.upsert(table, rows, replaced));
    },
    async insertByKey(table, rows) {
      await runAll(connection, plainRows.insertByKey(table, rows));
    },
  };
}

async function runAll(connection: SqliteConnection, statements: readonly BoundSql[]): Promise<void> {
  await Promise.all(statements.map((statement) => connection.all(statement)));
}
