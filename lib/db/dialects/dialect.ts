import type { ColumnTypes, JsonExpressions, SchemaDialect } from '../../../migrations/migration.ts';
import { likeEscape } from '../like-pattern.ts';
import { raw, type Sql, sql } from '../sql.ts';

/** Facts about a database server, from the row that `Dialect.serverSql` selects. */
export interface ServerRow {
  readonly version: string;
  /** The size of the database in bytes. */
  readonly size: number;
}

/** Each takes the name of the database. */
export interface SiblingSql {
  create(name: string): string;
  drop(name: string): string;
}

/**
 * The differences between engines, as named capabilities. SQL that is written once for all engines asks for these, never
 * for the name of the engine.
 */
export interface Dialect extends SchemaDialect {
  /** For logs and messages only. */
  readonly name: string;
  /** Whether ROLLBACK undoes CREATE and ALTER TABLE. */
  readonly supportsTransactionalDdl: boolean;
  /**
   * Whether random insertions into a large index are expensive, because each touched page is written whole, so that it pays
   * to buffer entries and merge many at once.
   */
  readonly collectsIndexEntries: boolean;
  /** Whether a CTE that is referenced twice is evaluated once, lazily. */
  readonly lazyWith: boolean;
  /** Whether joining the texts of a page in the database, with `group_concat` in row order, costs less than reading them row by row. */
  readonly joinsTexts: boolean;
  /** Whether DELETE takes ORDER BY and LIMIT. */
  readonly deletesInOrder: boolean;
  /** An expression for the clock of the server, or of the machine that a file is on, in microseconds since the epoch. */
  readonly nowSql: string;
  /** Whether that is also the clock of every process that uses the database, because it is on their machine. */
  readonly hasLocalClock: boolean;
  /** The function for the largest of its arguments. */
  readonly greatest: string;
  /**
   * Whether the database is on several servers that replicate each other. Their clocks may differ, so time counts only as far
   * as it is stored (docs/decisions/0063-failover.md).
   */
  readonly isReplicated: boolean;
  /** A query for the `name` of every table in the database, without those of the engine and its extensions. */
  readonly tablesSql: string;
  /** A query for one `ServerRow`. */
  readonly serverSql: string;
  /** A condition: a text matches a LIKE pattern (`patternOf`), with ASCII letters in either case. */
  like(text: Sql, pattern: Sql): Sql;
  /**
   * A statement, to be run outside of a transaction, that makes a fast-growing table fast to read again; undefined where
   * none is needed.
   */
  upkeepOf(table: string): string | undefined;
  /**
   * Statements that create a database on the same server unless it exists, and that remove one with its content; on an engine
   * whose databases contain schemas, a schema. Undefined where there is no server.
   */
  readonly siblingSql: SiblingSql | undefined;
  /**
   * The beginning of an INSERT that need not undo its own rows when it fails, because its transaction is then rolled back.
   */
  readonly insertOrFail: string;
  /** Whether the error says that a table is missing. */
  isMissingTable(error: unknown): boolean;
  /** Whether the error says that a unique key is taken. */
  isUniqueViolation(error: unknown): boolean;
  /** Whether the transaction may succeed when it is retried: a busy file, a deadlock. */
  isTransient(error: unknown): boolean;
  /** Whether the database has ended a statement because it took too long; such an error is `isUnavailable`, too. */
  isStatementTimeout(error: unknown): boolean;
  /** Whether the error says that the database is unreachable or cannot store anything, independent of the statement. */
  isUnavailable(error: unknown): boolean;
  /** Whether the error says that the database cannot store anything: no space, a broken disk, read-only. */
  isStorageFailure(error: unknown): boolean;
}

/**
 * The defaults of most engines. A dialect overrides what it does differently, so that a new capability is added in one
 * place.
 */
export abstract class DialectBase implements Dialect {
  abstract readonly name: string;
  abstract readonly columnTypes: ColumnTypes;
  abstract readonly tablesSql: string;
  abstract readonly serverSql: string;
  readonly supportsTransactionalDdl: boolean = false;
  readonly clusteredTableSuffix: string = '';
  readonly collectsIndexEntries: boolean = false;
  readonly lazyWith: boolean = true;
  readonly joinsTexts: boolean = false;
  readonly deletesInOrder: boolean = false;
  abstract readonly nowSql: string;
  readonly hasLocalClock: boolean = false;
  readonly greatest: string = 'GREATEST';
  readonly siblingSql: SiblingSql | undefined = undefined;
  readonly insertOrFail: string = 'INSERT';
  isReplicated = false;

  like(text: Sql, pattern: Sql): Sql {
    return sql`${text} LIKE ${pattern} ESCAPE '${raw(likeEscape)}'`;
  }

  textIndex(column: string): string {
    return `(${column})`;
  }

  dropIndex(index: string, _table: string): string {
    return `DROP INDEX ${index}`;
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
  abstract isStatementTimeout(error: unknown): boolean;
  abstract isUnavailable(error: unknown): boolean;
  abstract isStorageFailure(error: unknown): boolean;
}
