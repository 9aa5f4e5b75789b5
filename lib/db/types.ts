import type { Transaction } from 'sequelize';
import type { Dialect } from './dialects/dialect.ts';
import type { Models } from './models/index.ts';

/** Values that may stand for a `:name` in SQL. */
export type SqlValue = string | number | boolean | null | Buffer | readonly SqlValue[];
export type Replacements = Readonly<Record<string, SqlValue>>;

/** A place to read from: what it sees is committed. */
export interface ReadSession {
  readonly dialect: Dialect;
  readonly models: Models;
  /** Spread into every model call, e.g. `models.AdminAccount.findAll({ ...session.options, raw: true })`. */
  readonly options: { readonly transaction?: Transaction };
  /** Rows of a SELECT; `:name` stands for a value of `replacements`. */
  select<Row extends object>(sql: string, replacements?: Replacements): Promise<Row[]>;
}

/** A transaction that writes; it exists only inside `Database.write`. */
export interface WriteSession extends ReadSession {
  execute(sql: string, replacements?: Replacements): Promise<void>;
}

export interface Database {
  readonly dialect: Dialect;
  read<T>(work: (session: ReadSession) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction and commits when it resolves, rolls back when it rejects. Transient failures (a busy
   * file, a deadlock) are retried with jitter, so `work` may run more than once and must keep its effects in the database.
   * @throws UnavailableError when the database can't be reached or stays busy.
   */
  write<T>(work: (session: WriteSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
