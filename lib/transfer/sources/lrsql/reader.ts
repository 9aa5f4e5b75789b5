/** A value of a query. */
export type LrsqlValue = string | number;

/** A database of lrsql. Times come as text or as Date, bytes as Buffer, truth as 0 and 1 or as booleans. */
export interface LrsqlReader {
  /** For people; without a password. */
  readonly name: string;
  /** @param sql with `?` for each value. */
  select<Row extends object>(sql: string, values?: readonly LrsqlValue[]): Promise<Row[]>;
  /** A column of JSON as the text that is stored. */
  jsonText(column: string): string;
  close(): Promise<void>;
}
