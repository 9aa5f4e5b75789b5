import type { Engine, FunctionConnection } from '../engine.ts';
import { SqliteDatabase } from './database.ts';
import { isInMemory, type SqliteOptions } from './options.ts';

/** SQLite; the driver is loaded with its first database. */
export class SqliteEngine implements Engine {
  readonly isPrivate: boolean;
  readonly #options: SqliteOptions;

  constructor(options: SqliteOptions) {
    this.isPrivate = isInMemory(options);
    this.#options = options;
  }

  database(): Promise<SqliteDatabase> {
    return SqliteDatabase.load(this.#options);
  }

  async functionConnection(): Promise<FunctionConnection> {
    const database = await this.database();
    return { database, connect: () => database.connect(), abandonUnfinished: () => {} };
  }
}
