import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mariadb from 'mariadb';
import pg from 'pg';
import { type EngineName, engineFacts, factsOf } from '../lib/db/dialects/facts.ts';
import { loadSqliteDriver } from '../lib/db/dialects/sqlite/driver/load.ts';

export type Engine = EngineName | 'memory';
export const engines: readonly Engine[] = engineFacts.flatMap(({ name, server }) =>
  server === undefined ? [name, 'memory'] : [name],
);

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
 * The servers are those of `LRS_TEST_POSTGRES_URL` and `LRS_TEST_MARIADB_URL` (`LRS_TEST_NAME_URL` for the engine NAME), whose
 * user may create databases, or the ones that listen on this machine's standard ports.
 * @param server the address of another one.
 * @throws what their drivers throw when they are not there.
 */
export function createScratchDatabase(engine: Engine, server?: string): Promise<ScratchDatabase> {
  const name = `lrs_scratch_${randomBytes(4).toString('hex')}`;
  if (engine === 'memory') {
    return Promise.resolve({
      name,
      settings: { LRS_DB_NAME: ':memory:' },
      query: () => Promise.resolve([]),
      drop: () => Promise.resolve(),
    });
  }
  switch (factsOf(engine).family) {
    case 'sqlite':
      return Promise.resolve(sqliteFile(name));
    case 'postgres':
      return postgresDatabase(engine, name, urlOf(engine, 'postgres://postgres@127.0.0.1/postgres', server));
    case 'mariadb':
      return mariadbDatabase(engine, name, urlOf(engine, 'mariadb://root@127.0.0.1/', server));
  }
}

/** The address of the server, with its port. @param standard of one on this machine. */
function urlOf(engine: EngineName, standard: string, server?: string): URL {
  const url = new URL(server || process.env[`LRS_TEST_${engine.toUpperCase()}_URL`] || standard);
  if (url.port === '') url.port = String(factsOf(engine).server?.standardPort);
  return url;
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

async function postgresDatabase(engine: EngineName, name: string, url: URL): Promise<ScratchDatabase> {
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
    settings: settingsOf(engine, url, name),
    query,
    drop: async () => {
      await query(`DROP DATABASE ${name} WITH (FORCE)`, standard);
    },
  };
}

async function mariadbDatabase(engine: EngineName, name: string, url: URL): Promise<ScratchDatabase> {
  const query = async <Row extends object>(sql: string): Promise<Row[]> => {
    const connection = await mariadb.createConnection({
      host: url.hostname,
      port: Number(url.port),
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
    settings: settingsOf(engine, url, name),
    query,
    drop: async () => {
      await query(`DROP DATABASE ${name}`);
    },
  };
}

function settingsOf(type: EngineName, url: URL, name: string): Record<string, string> {
  return {
    LRS_DB_TYPE: type,
    LRS_DB_HOST: url.hostname,
    LRS_DB_PORT: url.port,
    LRS_DB_NAME: name,
    LRS_DB_USER: decodeURIComponent(url.username),
    LRS_DB_PASSWORD: decodeURIComponent(url.password),
  };
}
