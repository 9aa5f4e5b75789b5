/**
 * How the values of a column travel to the database: `hex` are bytes given as hexadecimal text, `key` 16 of them in a column
 * of the type `indexKey`, `uuid` is the column type of that name, `document` is text, which may be given as its UTF-8 bytes, and `content` bytes, both of any length.
 * A `position` is an integer too; in a batch it counts from the first one that the batch is given.
 */
export type ColumnKind = 'integer' | 'position' | 'text' | 'uuid' | 'hex' | 'key' | 'document' | 'content';

/** A table into which rows are inserted, with its columns in the order of a row's values. */
export interface TableShape {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
}
