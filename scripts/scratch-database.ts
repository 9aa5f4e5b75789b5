import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mariadb from 'mariadb';
import pg from 'pg';
import { loadSqliteDriver } from '../lib/db/dialects/sqlite/driver/load.ts';

export const engines = ['sqlite', 'memory', 'postgres', 'mariadb'] as const;
export type Engine = (typeof engines)[number];

export function isEngine(name: string): name is Engine {
  return engines.some((engine) => engine === name);
}

/** An empty database for one run of a server. */
export interface ScratchDatabase {
  /** The environment of a server that uses it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly name: string;
  /** Asks the database itself; of one in memory nothing can be asked. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  drop(): Promise<void>;
}

/**
 * Postgres and MariaDB are those of `LRS_TEST_POSTGRES_URL` and `LRS_TEST_MARIADB_URL`, whose user may create databases, or
 * the ones that listen on this machine's standard ports.
 * @param server the address of another one.
 * @throws what their drivers throw when they are not there.
 */
export function createScratchDatabase(engine: Engine, server?: string): Promise<ScratchDatabase> {
  const name = `lrs_scratch_${randomBytes(4).toString('hex')}`;
  switch (engine) {
    case 'sqlite':
      return Promise.resolve(sqliteFile(name));
    case 'memory':
      return Promise.resolve({
        name,
        settings: { LRS_DB_NAME: ':memory:' },
        query: () => Promise.resolve([]),
        drop: () => Promise.resolve(),
      });
    case 'postgres':
      return postgresDatabase(name, server);
    case 'mariadb':
      return mariadbDatabase(name, server);
  }
}

function sqliteFile(name: string): ScratchDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'serverless-lrs-'));
  const file = join(folder, `${name}.sqlite`);
  return {
    name,
    settings: { LRS_DB_NAME: file },
    query: async <Row extends object>(sql: string) => {
      const { Database, OPEN_READWRITE } = await loadSqliteDriver();
      return new Promise<Row[]>((resolve, reject) => {
        const database = new Database(file, OPEN_READWRITE, (failure) => failure && reject(failure));
        database.all<Row>(sql, [], (error, rows) => {
          database.close();
          if (error) reject(error);
          else resolve(rows);
        });
      });
    },
    drop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  };
}

async function postgresDatabase(
  name: string,
  server = process.env.LRS_TEST_POSTGRES_URL,
): Promise<ScratchDatabase> {
  const url = new URL(server || 'postgres://postgres@127.0.0.1:5432/postgres');
  const query = async <Row extends object>(sql: string, database = name): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: new URL(`/${database}`, url).href });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const standard = url.pathname.slice(1) || 'postgres';
  await query(`CREATE DATABASE ${name}`, standard);
  return {
    name,
    settings: settingsOf('postgres', url, name),
    query,
    drop: async () => {
      await query(`DROP DATABASE ${name} WITH (FORCE)`, standard);
    },
  };
}

async function mariadbDatabase(
  name: string,
  server = process.env.LRS_TEST_MARIADB_URL,
): Promise<ScratchDatabase> {
  const url = new URL(server || 'mariadb://root@127.0.0.1:3306/');
  const query = async <Row extends object>(sql: string): Promise<Row[]> => {
    const connection = await mariadb.createConnection({
      host: url.hostname,
      port: Number(url.port || '3306'),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    });
    try {
      return await connection.query<Row[]>(sql);
    } finally {
      await connection.end();
    }
  };
  await query(`CREATE DATABASE ${name}`);
  return {
    name,
    settings: settingsOf('mariadb', url, name),
    query,
    drop: async () => {
      await query(`DROP DATABASE ${name}`);
    },
  };
}

function settingsOf(type: 'postgres' | 'mariadb', url: URL, name: string): Record<string, string> {
  const port = url.port === '' ? {} : { LRS_DB_PORT: url.port };
  return {
    LRS_DB_TYPE: type,
    LRS_DB_HOST: url.hostname,
    ...port,
    LRS_DB_NAME: name,
    LRS_DB_USER: decodeURIComponent(url.username),
    LRS_DB_PASSWORD: decodeURIComponent(url.password),
  };
}
