import sqlite3 from 'sqlite3';

/** How a connection is set up before its first query; Sequelize has no hook for that on SQLite. */
export interface SqliteConnectionSettings {
  readonly inMemory: boolean;
  readonly readOnly: boolean;
}

/** How long SQLite itself waits for another process' lock before it reports SQLITE_BUSY. */
const busyTimeoutMs = 15_000;

/**
 * The settings of a connection. FULL makes every commit wait for the disk: an answered write survives a power cut. The
 * write-ahead log is folded back only every 20,000 pages (80 MB), which keeps pages that many writes touch from being
 * copied again and again; afterwards the file of the log is cut back to its limit.
 */
function pragmas({ inMemory, readOnly }: SqliteConnectionSettings): string {
  const file = [
    'page_size = 4096',
    'journal_mode = WAL',
    'synchronous = FULL',
    'wal_autocheckpoint = 20000',
    'journal_size_limit = 134217728',
    'cache_size = -65536',
  ];
  const settings = ['foreign_keys = ON', ...(inMemory ? [] : file), ...(readOnly ? ['query_only = ON'] : [])];
  return settings.map((setting) => `PRAGMA ${setting};`).join(' ');
}

type OpenCallback = (this: sqlite3.Database, error: Error | null) => void;

/** The `sqlite3` module as Sequelize's `dialectModule`, every connection of which is set up before it is handed out. */
export function sqliteDriver(settings: SqliteConnectionSettings): object {
  class Connection extends sqlite3.Database {
    constructor(filename: string, mode: number, opened: OpenCallback) {
      super(filename, mode, (error) => {
        if (error) {
          opened.call(this, error);
          return;
        }
        this.configure('busyTimeout', busyTimeoutMs);
        this.exec(pragmas(settings), (failure) => opened.call(this, failure));
      });
    }
  }
  return { ...sqlite3, Database: Connection };
}
