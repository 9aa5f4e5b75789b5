export interface SqliteOptions {
  readonly dbType: 'sqlite';
  /** A file's path (it and its folder are created when missing), or `:memory:`. */
  readonly dbName: string;
}

/** Whether the database lies in the memory of this process. */
export function isInMemory({ dbName }: Pick<SqliteOptions, 'dbName'>): boolean {
  return dbName === ':memory:';
}
