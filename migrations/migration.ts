/** One step of the schema. A released one never changes; `name` sorts in the order of the steps, e.g. `0002-tags`. */
export interface Migration {
  readonly name: string;
  /** The tables that it creates. */
  readonly tables: readonly string[];
  up(context: MigrationContext): Promise<void>;
  down(context: MigrationContext): Promise<void>;
}

/** A part of a step that is too long for one file. */
export interface MigrationPart {
  /** The tables that it creates. */
  readonly tables: readonly string[];
  create(context: MigrationContext): Promise<void>;
}

export interface MigrationContext {
  readonly dialect: SchemaDialect;
  /** Runs one statement that defines or changes the schema. */
  execute(sql: string): Promise<void>;
}

/** How an engine writes what migrations define. New members may be added; the present ones never change. */
export interface SchemaDialect {
  readonly columnTypes: ColumnTypes;
  /** Ends a CREATE TABLE whose rows are to lie in the order of its primary key, where that needs saying. */
  readonly clusteredTableSuffix: string;
  /** Ends a CREATE INDEX … ON table, which is to find rows by a text of any length. */
  textIndex(column: string): string;
  /** A statement that drops an index of a table. */
  dropIndex(index: string, table: string): string;
  /**
   * The primary key of a CREATE TABLE as a covering index, which contains further columns; rows that lie in the order of their
   * key contain them anyway.
   */
  coveringKey(key: readonly string[], contained: readonly string[]): string;
  /** An expression for the moment that a position stands for: a time in UTC that tools for reports understand. */
  timeOf(position: string): string;
  /** Expressions for what stands at a path of a column that holds JSON text; null where there is nothing. */
  readonly jsonAt: JsonExpressions;
}

/** SQL types of the columns that no two engines spell alike. */
export interface ColumnTypes {
  /** An integer that holds 2^53 − 1. */
  readonly position: string;
  /** Exactly 36 ASCII characters. */
  readonly uuid: string;
  /** Exactly 16 bytes. */
  readonly searchKey: string;
  /** The same where the engine compares it fastest, for large indexes. A parameter of 16 bytes fits both. */
  readonly indexKey: string;
  /** Bytes of any length. */
  readonly bytes: string;
  /** UTF-8 text of up to 255 characters, compared character by character; may be unique. */
  readonly name: string;
  /** UTF-8 text of any length, compared character by character. */
  readonly text: string;
  /** ASCII text of up to this many characters, compared character by character; may be unique. */
  readonly ascii: (length: number) => string;
}

/** Each takes the name of a column and the names of the members on the way. */
export interface JsonExpressions {
  readonly text: (column: string, ...path: readonly string[]) => string;
  readonly number: (column: string, ...path: readonly string[]) => string;
  /** 1 for true, 0 for false. */
  readonly flag: (column: string, ...path: readonly string[]) => string;
}
