import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../lib/db/types.ts';

/** A database that counts what is asked of it. */
export class CountingDatabase implements Database {
  readonly dialect: Database['dialect'];
  readonly batches: Database['batches'];
  readonly #db: Database;
  reads = 0;
  writes = 0;
  #running = 0;

  constructor(db: Database) {
    this.dialect = db.dialect;
    this.batches = db.batches;
    this.#db = db;
  }

  read: Database['read'] = (work, options) => {
    this.reads += 1;
    return this.#count(this.#db.read(work, options));
  };

  write: Database['write'] = (work, options) => {
    this.writes += 1;
    return this.#count(this.#db.write(work, options));
  };

  tryLockRead: Database['tryLockRead'] = (sql) => {
    this.reads += 1;
    return this.#count(this.#db.tryLockRead(sql));
  };

  close(): Promise<void> {
    return this.#db.close();
  }

  /** Resolves when nothing has been asked for some turns of the event loop. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 10; turns += 1) {
      await setImmediate();
      if (this.#running > 0) turns = 0;
    }
  }

  async #count<T>(work: Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work;
    } finally {
      this.#running -= 1;
    }
  }
}
