import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseOptions, openDatabase } from '../../lib/db/connect.ts';
import type { Database } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';

/** An empty database of its own. */
export interface TestDatabase {
  readonly db: Database;
  readonly options: DatabaseOptions;
  /** Opens the same database once more, as another process would. */
  openAgain(): Promise<Database>;
  /** Closes everything that was opened and removes it. */
  remove(): Promise<void>;
}

export interface Engine {
  readonly name: string;
  /** Whether several processes can share one database. */
  readonly shared: boolean;
  create(): Promise<TestDatabase>;
}

async function create(options: DatabaseOptions, removeFiles: () => Promise<void>): Promise<TestDatabase> {
  const opened: Database[] = [];
  const openAgain = async () => {
    const db = await openDatabase(options, createLogger('OFF'));
    opened.push(db);
    return db;
  };
  const db = await openAgain();
  const remove = async () => {
    await Promise.all(opened.map((each) => each.close()));
    await removeFiles();
  };
  return { db, options, openAgain, remove };
}

const file: Engine = {
  name: 'SQLite in a file',
  shared: true,
  async create() {
    const folder = await mkdtemp(join(tmpdir(), 'lrs-'));
    const dbName = join(folder, 'lrs.sqlite');
    return create({ dbType: 'sqlite', dbName }, () => rm(folder, { recursive: true, force: true }));
  },
};

const memory: Engine = {
  name: 'SQLite in memory',
  shared: false,
  create: () => create({ dbType: 'sqlite', dbName: ':memory:' }, async () => undefined),
};

/** Every engine that behaviour tests run on. */
export const engines: readonly Engine[] = [file, memory];

/** Those that several processes can share. */
export const sharedEngines = engines.filter(({ shared }) => shared);
