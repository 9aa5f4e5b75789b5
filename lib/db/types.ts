import type { Transaction } from 'sequelize';
import type { Dialect } from './dialects/dialect.ts';
import type { ModelOf } from './models.ts';
import type { Replacements } from './sql.ts';
import type { TableShape } from './table-shape.ts';
import type { TableDefinition } from './tables/table.ts';

export type { Replacements, SqlValue } from './sql.ts';
export type { ColumnKind, TableShape } from './table-shape.ts';

export type InsertRow = readonly (string | number | null | Buffer)[];

/** Rows of three columns: a key of 16 bytes, as hexadecimal text, and the number and the mask at the same place. */
export interface KeyedNumbers {
  readonly keys: readonly string[];
  readonly numbers: readonly number[];
  /** Each of at most 52 bits, or -1, which has all bits. */
  readonly masks: readonly number[];
}

/** A place to read from: what it sees is committed. */
export interface ReadSession {
  readonly dialect: Dialect;
  /** The model of a table on the connection of this session; a function loads Sequelize with the first call. */
  model<Table extends TableDefinition>(table: Table): Promise<ModelOf<Table>>;
  /** Spread into every model call, e.g. `Account.findAll({ ...session.options, raw: true })`. */
  readonly options: { readonly transaction?: Transaction };
  /** Rows of a SELECT; `:name` stands for a value of `replacements`. */
  select<Row extends object>(sql: string, replacements?: Replacements): Promise<Row[]>;
}

/** What the work inside a transaction may ask of it. */
export interface TransactionHooks {
  /**
   * Leaves a write that is on its way to the commit: there is none unless the write succeeds, but a server whose transactions
   * end with a failed statement is sent the commit right behind it. The write is a call of this session that sends one SQL
   * statement, on which nothing else in the transaction depends: not every driver keeps its place.
   */
  send(write: Promise<void>): void;
  /**
   * Calls back when a server comes to the commit, whose outcome is not known yet: a transaction that begins now is sent right
   * behind it. Without a server nothing is sent behind a commit, and there is no such call.
   */
  onCommitting(callback: () => void): void;
  /** Calls back once the transaction is committed, in the order of these calls, and not when it is rolled back. It must not throw. */
  afterCommit(callback: () => void): void;
}

/** Takes rows that are to be written: a transaction, or a batch. */
export interface RowSession extends TransactionHooks {
  readonly dialect: Dialect;
  /** Inserts any number of rows at once; with `skipTaken`, those whose unique key is taken are left out silently. */
  insert(
    table: TableShape,
    rows: readonly InsertRow[],
    options?: { readonly skipTaken: boolean },
  ): Promise<void>;
  /** Inserts rows; where the key of one, its first column, is taken, the named columns of the row there are replaced. */
  upsert(table: TableShape, rows: readonly InsertRow[], replaced: readonly string[]): Promise<void>;
  /** Inserts rows, in their order, into a table of three columns, `key`, `integer` and `integer`. */
  insertByKey(table: TableShape, rows: KeyedNumbers): Promise<void>;
}

/**
 * A transaction that writes; it exists only inside `Database.write`. Every call of it has to be awaited before the work ends,
 * unless it was passed to `send`.
 */
export interface WriteSession extends ReadSession, RowSession {
  execute(sql: string, replacements?: Replacements): Promise<void>;
}

/** A row whose text tells the moment of its position, which nobody knows yet. */
export interface StampedRow {
  /** Of all columns but the last two, the position first. */
  readonly values: InsertRow;
  /** Of the last but one; null stands for the moment of the position. */
  readonly time: string | null;
  /** Of the last: pieces of UTF-8, between which that moment stands. */
  readonly start: Buffer;
  readonly middle: Buffer | null;
  readonly end: Buffer;
}

/** Takes the rows of a batch. */
export interface BatchSession extends RowSession {
  insertStamped(table: TableShape, rows: readonly StampedRow[]): Promise<void>;
}

/** What a batch depends on. */
export interface BatchCheck {
  /** A SELECT for one row. */
  readonly sql: string;
  /** A condition on its columns: whether the batch is to be written. */
  readonly fits: string;
  /** An expression of its columns: the position that the rows of the batch count from. */
  readonly first: string;
  readonly replacements: Replacements;
}

/** The outcome of a batch. */
export interface BatchResult<Row> {
  readonly row: Row;
  /** The position that the rows of the batch count from; undefined when they are not written. */
  readonly first: number | undefined;
}

/** Transactions that are made up before they begin, and travel to a server as one message. */
export interface Batches {
  /** How many bytes of texts and contents a batch may hold. */
  readonly maximumBytes: number;
  /**
   * Takes the write lock, runs the check, writes the rows if the check allows it, and commits. Nobody waits for this process while it has
   * the lock.
   * @param fill adds the rows and returns the check. When it fails, nothing is sent and the error is passed on.
   * @returns the row of the check, and where the rows were written.
   * @throws as `Database.write` does.
   */
  send<Row extends object>(fill: (session: BatchSession) => Promise<BatchCheck>): Promise<BatchResult<Row>>;
}

/** The answer of `tryLockRead`. */
export interface TryLockRead<Row> {
  readonly row: Row | undefined;
  /** Whether nobody had the write lock at some time between the call and the answer. */
  readonly unlocked: boolean;
}

export interface ReadOptions {
  /** Whether it is the maintenance of a table, which a server may take longer for than for what a request reads. */
  readonly maintenance?: boolean;
  /**
   * Whether it reads megabytes, or looks at a whole table: a process does one such read at a time, because a driver holds
   * several copies of what arrives, and takes tens of milliseconds to decode it, and because all reads of a SQLite file follow
   * one another.
   */
  readonly large?: boolean;
}

/** Contents up to this many bytes may be read without the option `large`. */
export const smallContentBytes = 256 * 1024;

export interface WriteOptions {
  /**
   * Whether the work begins with one `select`, and waits for its answer before it does anything else: then that goes to a
   * server together with what begins the transaction.
   */
  readonly readsFirst?: boolean;
}

/** None of these may be called from inside another: it would wait for its own caller. */
export interface Database {
  readonly dialect: Dialect;
  /** @throws UnavailableError when the database can't be reached or stays busy. */
  read<T>(work: (session: ReadSession) => Promise<T>, options?: ReadOptions): Promise<T>;
  /**
   * Runs `work` in one transaction and commits when it resolves, rolls back when it rejects. Transient failures (a busy
   * file, a deadlock) are retried with jitter, so `work` may run more than once and must keep its effects in the database.
   * @throws UnavailableError when the database can't be reached or stays busy.
   */
  write<T>(work: (session: WriteSession) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Undefined where a transaction is not a message. */
  readonly batches: Batches | undefined;
  /** Reads what is committed, and whether the write lock is free, without ever waiting for it. */
  tryLockRead<Row extends object>(sql: string): Promise<TryLockRead<Row>>;
  close(): Promise<void>;
}

/** A database whose schema may still have to be brought up to date. */
export interface MigratableDatabase extends Database {
  /**
   * Runs `work` while no other process migrates; where DDL is transactional, in one transaction. Nothing but migrations
   * may run before the first of them has.
   */
  migrate<T>(work: (session: WriteSession) => Promise<T>): Promise<T>;
}
