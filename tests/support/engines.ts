import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mariadb from 'mariadb';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { DatabaseOptions } from '../../lib/db/dialects/engine.ts';
import {
  type EngineFamily,
  type EngineName,
  factsOf,
  type ServerEngineName,
} from '../../lib/db/dialects/facts.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { sqliteDrivers } from '../../lib/db/dialects/sqlite/driver/driver.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import type { Database } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { contentsOf, restore } from './emptied.ts';
import { testLimit } from './time-limits.ts';

/** A place for a database of its own, which does not exist or is empty. */
export interface TestPlace {
  readonly options: DatabaseOptions;
  /** Removes whatever is there. */
  remove(): Promise<void>;
}

/** An empty database of its own. */
export interface TestDatabase {
  readonly db: MonitoredDatabase;
  readonly options: DatabaseOptions;
  /** Opens the same database once more, as another process would. */
  openAgain(): Promise<MonitoredDatabase>;
  /** Closes everything that was opened and removes it. */
  remove(): Promise<void>;
}

export interface Engine {
  readonly name: string;
  readonly dialect: EngineName;
  /** Whose SQL a test may use on it. */
  readonly family: EngineFamily;
  /** An expression for the number of the connection; undefined where there is no server. */
  readonly connectionId?: string;
  /** Whether several processes can share one database. */
  readonly shared: boolean;
  reserve(): Promise<TestPlace>;
  create(): Promise<TestDatabase>;
  /** A database to which only the test has connections, for tests that count these. */
  createAlone(): Promise<TestDatabase>;
}

type EngineParts = Omit<Engine, 'family' | 'create' | 'createAlone'>;

function engine(parts: EngineParts): Engine {
  const create = async (): Promise<TestDatabase> => createIn(await parts.reserve());
  return { ...parts, family: factsOf(parts.dialect).family, create, createAlone: create };
}

async function use<T>({ options }: TestPlace, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(options, createLogger('OFF'));
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/**
 * The same for a server, where making a database takes long: one that a test has done with is emptied for the next, by a
 * connection that stays, because opening one takes longer. They are removed after all tests.
 */
function reusingEngine(parts: EngineParts): Engine {
  const free: TestPlace[] = [];
  const makePlace = async (): Promise<TestPlace> => {
    const { options } = await parts.reserve();
    const own = await openDatabase(withOneConnection(options), createLogger('OFF'));
    const contents = await contentsOf(own);
    const reused: TestPlace = {
      options,
      remove: async () => {
        if (await restore(own, contents)) free.push(reused);
        else await own.close();
      },
    };
    return reused;
  };
  return { ...engine(parts), create: async () => createIn(free.pop() ?? (await makePlace())) };
}

function withOneConnection(options: DatabaseOptions): DatabaseOptions {
  if (!('pool' in options)) return options;
  return { ...options, pool: { ...options.pool, maximumSize: 1, idleTimeout: testLimit } };
}

async function createIn({ options, remove }: TestPlace): Promise<TestDatabase> {
  const opened: Database[] = [];
  const openAgain = async () => {
    const db = await openDatabase(options, createLogger('OFF'));
    opened.push(db);
    return db;
  };
  const db = await openAgain();
  return {
    db,
    options,
    openAgain,
    remove: async () => {
      await Promise.all(opened.map((each) => each.close()));
      await remove();
    },
  };
}

/** The driver of SQLite that the tests use: `LRS_TEST_SQLITE_DRIVER`, e.g. `node`. */
export const sqliteDriver =
  sqliteDrivers.find((name) => name === process.env.LRS_TEST_SQLITE_DRIVER) ?? 'auto';

const sqliteFile = engine({
  name: 'SQLite in a file',
  dialect: 'sqlite',
  shared: true,
  async reserve() {
    const folder = await mkdtemp(join(tmpdir(), 'lrs-'));
    const options = { dbType: 'sqlite', dbName: join(folder, 'lrs.sqlite'), sqliteDriver } as const;
    return { options, remove: () => rm(folder, { recursive: true, force: true }) };
  },
});

let migrated: Promise<Buffer> | undefined;

/** The bytes of a file with all tables: to copy it is faster than to make another. */
async function migratedFile(): Promise<Buffer> {
  const place = await sqliteFile.reserve();
  await use(place, () => Promise.resolve());
  const bytes = await readFile(place.options.dbName);
  await place.remove();
  return bytes;
}

const file: Engine = {
  ...sqliteFile,
  async create() {
    const place = await sqliteFile.reserve();
    migrated ??= migratedFile();
    await writeFile(place.options.dbName, await migrated);
    return createIn(place);
  },
};

const memory = engine({
  name: 'SQLite in memory',
  dialect: 'sqlite',
  shared: false,
  reserve: async () => ({
    options: { dbType: 'sqlite', dbName: ':memory:', sqliteDriver },
    remove: async () => undefined,
  }),
});

/** The defaults of the configuration. */
export const timeouts = {
  transactionTimeout: 30_000,
  maintenanceTimeout: 3_600_000,
  maximumLifetime: 1_800_000,
};

/** How the tests connect to the server at the address; with `LRS_TEST_POOLER` there is a PgBouncer in transaction mode. */
export function serverOptions(dbType: ServerEngineName, url: string): ServerOptions {
  const { server } = factsOf(dbType);
  const { hostname, port, username, password } = new URL(url);
  return {
    dbType,
    dbHost: hostname,
    dbPort: Number(port) || server?.standardPort,
    // The databases of stores add to the name, and MariaDB permits 64 characters.
    dbName: `${inject('databasePrefix')}${randomUUID().replaceAll('-', '').slice(6)}`,
    dbUser: decodeURIComponent(username),
    ...(server?.allowsPooler && process.env.LRS_TEST_POOLER && { dbPooler: true }),
    ...(password !== '' && { dbPassword: decodeURIComponent(password) }),
    pool: { maximumSize: 4, minimumIdle: 0, idleTimeout: 10_000, connectionTimeout: 60_000, ...timeouts },
  };
}

/** Runs SQL as the administrator of the server that the options name. */
export async function administer(options: ServerOptions, sql: string): Promise<unknown> {
  const { dbHost: host, dbPort: port, dbUser: user, dbPassword: password } = options;
  const login = { host, user, ...(port && { port }), ...(password !== undefined && { password }) };
  if (factsOf(options.dbType).family === 'mariadb') {
    const connection = await mariadb.createConnection({ ...login, bigIntAsNumber: true });
    try {
      return await connection.query(sql);
    } finally {
      await connection.end();
    }
  }
  const client = new pg.Client({ ...login, database: 'postgres' });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const postgres = (url: string): Engine =>
  reusingEngine({
    name: 'Postgres',
    dialect: 'postgres',
    connectionId: 'pg_backend_pid()',
    shared: true,
    async reserve() {
      const options = serverOptions('postgres', url);
      await administer(options, `CREATE DATABASE ${options.dbName} TEMPLATE template0 ENCODING 'UTF8'`);
      return {
        options,
        remove: async () => {
          await administer(options, `DROP DATABASE IF EXISTS ${options.dbName} WITH (FORCE)`);
        },
      };
    },
  });

const mariadbEngine = (url: string): Engine =>
  reusingEngine({
    name: 'MariaDB',
    dialect: 'mariadb',
    connectionId: 'CONNECTION_ID()',
    shared: true,
    async reserve() {
      const options = serverOptions('mariadb', url);
      await administer(options, `CREATE DATABASE ${options.dbName}`);
      return {
        options,
        remove: async () => {
          await administer(options, `DROP DATABASE IF EXISTS ${options.dbName}`);
        },
      };
    },
  });

const postgresUrl = inject('postgresUrl');
const mariadbUrl = inject('mariadbUrl');

/** Every engine that behaviour tests run on; those whose server is not there are left out, which the setup says. */
export const engines: readonly Engine[] = [
  file,
  memory,
  ...(postgresUrl === null ? [] : [postgres(postgresUrl)]),
  ...(mariadbUrl === null ? [] : [mariadbEngine(mariadbUrl)]),
];

/** Those that several processes can share. */
export const sharedEngines = engines.filter(({ shared }) => shared);

/** Those on a server. */
export const serverEngines = engines.filter(({ family }) => family !== 'sqlite');
