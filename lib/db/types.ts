import type { Transaction } from 'sequelize';
import type { Dialect } from './dialects/dialect.ts';
import type { HostAddress } from './host-address.ts';
import type { ModelOf } from './models.ts';
import type { ReadReplicas } from './replica-status.ts';
import type { Replacements } from './sql.ts';
import type { TableShape } from './table-shape.ts';
import type { TableDefinition } from './tables/table.ts';
import type { WriteTarget } from './write-target.ts';

export type { Replacements, SqlValue } from './sql.ts';
export type { ColumnKind, TableShape } from './table-shape.ts';

export type InsertRow = readonly (string | number | null | Buffer)[];

/** Rows of three columns: a 16-byte key as hexadecimal text, a number and a mask, from the same place of each list. */
export interface KeyedNumbers {
  readonly keys: readonly string[];
  readonly numbers: readonly number[];
  /** Each of at most 52 bits, or -1, which has all bits. */
  readonly masks: readonly number[];
}

/** A session for reading committed data. */
export interface ReadSession {
  readonly dialect: Dialect;
  /** The model of a table on the connection of this session; a function loads Sequelize with the first call. */
  model<Table extends TableDefinition>(table: Table): Promise<ModelOf<Table>>;
  /** Spread into every model call, e.g. `Account.findAll({ ...session.options, raw: true })`. */
  readonly options: { readonly transaction?: Transaction };
  /** Rows of a SELECT; `:name` stands for a value of `replacements`. */
  select<Row extends object>(sql: string, replacements?: Replacements): Promise<Row[]>;
}

/** What the work inside a transaction may use. */
export interface TransactionHooks {
  /**
   * Pipelines a write without waiting for it: if it fails, there is no commit. A server that ends the transaction with a
   * failed statement gets COMMIT right behind it. The write is a call of this session that sends one SQL statement, on
   * which nothing else in the transaction depends, because some drivers may reorder it.
   */
  send(write: Promise<void>): void;
  /**
   * Calls back when a server reaches COMMIT, before its outcome is known: a transaction that begins now is sent right
   * behind it. Without a server nothing is sent behind a commit, and there is no such call.
   */
  onCommitting(callback: () => void): void;
  /** Calls back once the transaction is committed, in the order of these calls, and not when it is rolled back. It must not throw. */
  afterCommit(callback: () => void): void;
}

/** Receives rows that are to be written: a transaction, or a batch. */
export interface RowSession extends TransactionHooks {
  readonly dialect: Dialect;
  /** Inserts any number of rows at once; with `skipTaken`, rows with a duplicate key are skipped. */
  insert(
    table: TableShape,
    rows: readonly InsertRow[],
    options?: { readonly skipTaken: boolean },
  ): Promise<void>;
  /** Inserts rows; for a duplicate key, the first column, the named columns of the stored row are replaced. */
  upsert(table: TableShape, rows: readonly InsertRow[], replaced: readonly string[]): Promise<void>;
  /** Inserts rows, in their order, into a table of three columns, `key`, `integer` and `integer`. */
  insertByKey(table: TableShape, rows: KeyedNumbers): Promise<void>;
}

/**
 * A writing transaction; it exists only inside `Database.write`. Await every call before the work ends, unless it was
 * passed to `send`.
 */
export interface WriteSession extends ReadSession, RowSession {
  execute(sql: string, replacements?: Replacements): Promise<void>;
}

/** A row whose text contains the time of its position, which is not known yet. */
export interface StampedRow {
  /** The values of all columns but the last two, the position first. */
  readonly values: InsertRow;
  /** The value of the last but one column; null stands for the time of the position. */
  readonly time: string | null;
  /** The value of the last column: pieces of UTF-8, between which that time is inserted. */
  readonly start: Buffer;
  readonly middle: Buffer | null;
  readonly end: Buffer;
}

/** Receives the rows of a batch. */
export interface BatchSession extends RowSession {
  insertStamped(table: TableShape, rows: readonly StampedRow[]): Promise<void>;
}

/** The precondition of a batch. */
export interface BatchCheck {
  /** A SELECT for one row. */
  readonly sql: string;
  /** A condition on its columns: whether the batch is to be written. */
  readonly fits: string;
  /** An expression of its columns: the position from which the rows of the batch count. */
  readonly first: string;
  /** Asked for when the batch is sent, however often that is. */
  readonly replacements: () => Replacements;
}

/** The outcome of a batch. */
export interface BatchResult<Row> {
  readonly row: Row;
  /** The position from which the rows of the batch count; undefined when they are not written. */
  readonly first: number | undefined;
}

/** Transactions that are complete before they begin: a server gets each as one message, SQLite as one statement. */
export interface Batches {
  /** The most bytes of texts and contents in a batch. */
  readonly maximumBytes: number;
  /**
   * Takes the write lock, runs the check, writes the rows if the check allows it, and commits. The lock is never held while
   * the server waits for this process.
   * @param fill adds the rows and returns the check. When it fails, nothing is sent and the error is passed on.
   * @returns the row of the check, and where the rows were written.
   * @throws as `Database.write` does.
   */
  send<Row extends object>(fill: (session: BatchSession) => Promise<BatchCheck>): Promise<BatchResult<Row>>;
}

/** The result of `tryLockRead`. */
export interface TryLockRead<Row> {
  readonly row: Row | undefined;
  /** Whether the write lock was free at some time between the call and the response; false where no server knows. */
  readonly unlocked: boolean;
}

export interface ReadOptions {
  /** Whether it is the maintenance of a table, for which a server has a longer timeout. */
  readonly maintenance?: boolean;
  /**
   * Whether it reads megabytes, or scans a whole table. A process does one such read at a time, because a driver holds
   * several copies of the data and takes tens of milliseconds to decode it, and because all reads of a SQLite file are
   * serialised.
   */
  readonly large?: boolean;
  /**
   * Whether it is one SELECT of a few small rows by their keys. Such reads share a connection to a server, so that those which
   * begin in one turn of the event loop are sent as one message.
   */
  readonly byKey?: boolean;
  /** Whether a replica may serve it, if there are any; use `readingFromReplicas`. */
  readonly mayUseReplica?: boolean;
}

/** The largest content, in bytes, that may be read without the option `large`, or with `byKey`. */
export const smallContentBytes = 256 * 1024;

export interface WriteOptions {
  /**
   * Whether the work begins with one `select`, or one write that depends on nothing that is read, and waits for its result
   * (unless it is passed to `send`) before it does anything else: that query is then sent to a server together with the
   * beginning of the transaction.
   */
  readonly readsFirst?: boolean;
}

/** Do not call one of these from inside another: it would wait for its own caller. */
export interface Database {
  readonly dialect: Dialect;
  /** Undefined where reads have no servers of their own. */
  readonly replicas?: ReadReplicas | undefined;
  /** Undefined where there is no server. */
  readonly writeTarget?: WriteTarget | undefined;
  /** @throws UnavailableError when the database cannot be reached or stays busy. */
  read<T>(work: (session: ReadSession) => Promise<T>, options?: ReadOptions): Promise<T>;
  /**
   * Runs `work` in one transaction and commits when it resolves, rolls back when it rejects. Transient failures (a busy
   * file, a deadlock) are retried with jitter, so `work` may run more than once and must keep its effects in the database.
   * @throws UnavailableError when the database can't be reached or stays busy.
   */
  write<T>(work: (session: WriteSession) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Undefined where a transaction cannot be sent as one message. */
  readonly batches: Batches | undefined;
  /** Reads committed data, and whether the write lock is free, without ever waiting for it. */
  tryLockRead<Row extends object>(sql: string): Promise<TryLockRead<Row>>;
  /**
   * Asks a server whether the next commit would wait for a standby; absent where there is no server.
   * @throws OutageError when too few are connected to confirm it.
   */
  requireStandbys?(): Promise<void>;
  close(): Promise<void>;
}

/** A database whose schema may not be up to date. */
export interface MigratableDatabase extends Database {
  /** The database server in use; undefined where there is none. */
  readonly host: HostAddress | undefined;
  /**
   * Runs `work` while no other process migrates; where DDL is transactional, in one transaction. Call nothing else on the
   * database before the migrations have run.
   */
  migrate<T>(work: (session: WriteSession) => Promise<T>): Promise<T>;
}
