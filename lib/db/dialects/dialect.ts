import type { ColumnTypes, JsonExpressions, SchemaDialect } from '../../../migrations/migration.ts';
import { likeEscape } from '../like-pattern.ts';
import { raw, type Sql, sql } from '../sql.ts';

/** What there is to say about an engine, in the row that `Dialect.serverSql` gives. */
export interface ServerRow {
  readonly version: string;
  /** Bytes that the database takes up. */
  readonly size: number;
}

/** Where the engines differ, by name: whatever is written in SQL once for all of them asks here, never for the engine's name. */
export interface Dialect extends SchemaDialect {
  /** For logs and messages only. */
  readonly name: string;
  /** Whether a rolled back transaction takes CREATE and ALTER TABLE back too. */
  readonly supportsTransactionalDdl: boolean;
  /**
   * Whether a few random entries in a large index cost so much, because every page that they touch is written whole, that
   * it pays to collect entries and add many at once.
   */
  readonly collectsIndexEntries: boolean;
  /** Whether a table that stands in a WITH and is used twice is worked out once, and no farther than it is read. */
  readonly lazyWith: boolean;
  /** An expression for the time by the clock of the server, in microseconds since the epoch; undefined where there is no server. */
  readonly nowSql: string | undefined;
  /** A query for the `name` of every table in the database, those of the engine itself and its extensions left out. */
  readonly tablesSql: string;
  /** A query for one `ServerRow`. */
  readonly serverSql: string;
  /** A condition: a text matches a pattern of LIKE (`patternOf`), ASCII letters in any case. */
  like(text: Sql, pattern: Sql): Sql;
  /** A statement, for outside of a transaction, that makes a table which has grown fast to read; undefined where none does. */
  upkeepOf(table: string): string | undefined;
  /** Begins an INSERT that may leave some of its rows behind when it fails, because its transaction is then rolled back. */
  readonly insertOrFail: string;
  /** Whether the error says that a table is missing. */
  isMissingTable(error: unknown): boolean;
  /** Whether the error says that a unique key is taken. */
  isUniqueViolation(error: unknown): boolean;
  /** Whether the same transaction may succeed when it is simply run again: a busy file, a deadlock. */
  isTransient(error: unknown): boolean;
  /** Whether the error says that the database itself is out of reach or can't store anything, whatever was asked of it. */
  isUnavailable(error: unknown): boolean;
  /** Whether the error says that the database can't store anything: no space, a broken disk, read-only. */
  isStorageFailure(error: unknown): boolean;
}

/** What most engines share; a dialect overrides what it does differently, so that a new capability is named in one place. */
export abstract class DialectBase implements Dialect {
  abstract readonly name: string;
  abstract readonly columnTypes: ColumnTypes;
  abstract readonly tablesSql: string;
  abstract readonly serverSql: string;
  readonly supportsTransactionalDdl: boolean = false;
  readonly clusteredTableSuffix: string = '';
  readonly collectsIndexEntries: boolean = false;
  readonly lazyWith: boolean = true;
  readonly nowSql: string | undefined = undefined;
  readonly insertOrFail: string = 'INSERT';

  like(text: Sql, pattern: Sql): Sql {
    return sql`${text} LIKE ${pattern} ESCAPE '${raw(likeEscape)}'`;
  }

  textIndex(column: string): string {
    return `(${column})`;
  }

  coveringKey(key: readonly string[], _contained: readonly string[]): string {
    return `PRIMARY KEY (${key.join(', ')})`;
  }

  upkeepOf(_table: string): string | undefined {
    return undefined;
  }

  abstract readonly jsonAt: JsonExpressions;
  abstract timeOf(position: string): string;
  abstract isMissingTable(error: unknown): boolean;
  abstract isUniqueViolation(error: unknown): boolean;
  abstract isTransient(error: unknown): boolean;
  abstract isUnavailable(error: unknown): boolean;
  abstract isStorageFailure(error: unknown): boolean;
}
