import type { SqliteDriverName } from './driver/driver.ts';

export interface SqliteOptions {
  readonly dbType: 'sqlite';
  /** A file's path (it and its folder are created when missing), or `:memory:`. */
  readonly dbName: string;
  /** `auto` when it is missing. */
  readonly sqliteDriver?: SqliteDriverName;
}

/** Whether the database is in the memory of this process. */
export function isInMemory({ dbName }: Pick<SqliteOptions, 'dbName'>): boolean {
  return dbName === ':memory:';
}
