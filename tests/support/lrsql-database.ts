import { randomUUID } from 'node:crypto';
import mariadb from 'mariadb';
import pg from 'pg';
import { factsOf } from '../../lib/db/dialects/facts.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { loadSqliteDriver } from '../../lib/db/dialects/sqlite/driver/load.ts';
import { lrsqlDdl } from './lrsql-ddl.ts';

/**
 * A database as lrsql makes it, with the tables that an import reads and the types that they have on each engine, after
 * https://github.com/yetanalytics/lrsql/tree/main/src/db (`ddl.sql`). Where `LRS_TEST_LRSQL` names a checkout of that
 * repository, its own SQL makes the database instead.
 */
const types = {
  sqlite: {
    uuid: 'TEXT',
    text: 'TEXT',
    key: 'TEXT',
    json: 'BLOB',
    bytes: 'BLOB',
    bool: 'INTEGER',
    time: 'TIMESTAMP',
  },
  postgres: {
    uuid: 'UUID',
    text: 'TEXT',
    key: 'TEXT',
    json: 'JSON',
    bytes: 'BYTEA',
    bool: 'BOOLEAN',
    time: 'TIMESTAMP WITH TIME ZONE',
  },
  mariadb: {
    uuid: 'CHAR(36)',
    text: 'TEXT',
    key: 'VARCHAR(191)',
    json: 'JSON',
    bytes: 'LONGBLOB',
    bool: 'BOOLEAN',
    time: 'TIMESTAMP(6)',
  },
} as const;

function tables({ uuid, text, key, json, bytes, bool, time }: (typeof types)[keyof typeof types]): string[] {
  const document = `last_modified ${time} NOT NULL, content_type ${text} NOT NULL, content_length INTEGER NOT NULL, contents ${bytes} NOT NULL`;
  return [
    `CREATE TABLE xapi_statement (id ${uuid} NOT NULL PRIMARY KEY, statement_id ${uuid} NOT NULL UNIQUE, registration ${uuid},
      verb_iri ${text} NOT NULL, is_voided ${bool} DEFAULT FALSE NOT NULL, payload ${json} NOT NULL)`,
    `CREATE TABLE attachment (id ${uuid} NOT NULL PRIMARY KEY, statement_id ${uuid} NOT NULL, attachment_sha ${text} NOT NULL,
      content_type ${text} NOT NULL, content_length INTEGER NOT NULL, contents ${bytes} NOT NULL)`,
    `CREATE TABLE state_document (id ${uuid} NOT NULL PRIMARY KEY, state_id ${text} NOT NULL, activity_iri ${text} NOT NULL,
      agent_ifi ${text} NOT NULL, registration ${uuid}, ${document})`,
    `CREATE TABLE agent_profile_document (id ${uuid} NOT NULL PRIMARY KEY, profile_id ${text} NOT NULL, agent_ifi ${text} NOT NULL, ${document})`,
    `CREATE TABLE activity_profile_document (id ${uuid} NOT NULL PRIMARY KEY, profile_id ${text} NOT NULL, activity_iri ${text} NOT NULL, ${document})`,
    `CREATE TABLE admin_account (id ${uuid} NOT NULL PRIMARY KEY, username ${key} NOT NULL UNIQUE, passhash ${text}, oidc_issuer ${text})`,
    `CREATE TABLE lrs_credential (id ${uuid} NOT NULL PRIMARY KEY, api_key ${key} NOT NULL, secret_key ${key} NOT NULL, account_id ${uuid} NOT NULL, label ${text}, is_seed ${bool})`,
    `CREATE TABLE credential_to_scope (id ${uuid} NOT NULL PRIMARY KEY, api_key ${key} NOT NULL, secret_key ${key} NOT NULL, scope ${key})`,
    `CREATE TABLE reaction (id ${uuid} NOT NULL PRIMARY KEY, title ${text} NOT NULL, ruleset ${json} NOT NULL, created ${time} NOT NULL, modified ${time} NOT NULL, active ${bool}, error ${json})`,
  ];
}

type Value = string | number | boolean | Buffer | Date | null;

/** Runs SQL with `?` for each value. */
type Run = (sql: string, values?: readonly Value[]) => Promise<unknown>;

export interface LrsqlFixture {
  /** What `--from` names. */
  readonly from: string;
  readonly insert: (table: string, row: Readonly<Record<string, Value>>) => Promise<void>;
  readonly run: Run;
  close(): Promise<void>;
}

async function filled(
  dialect: keyof typeof types,
  run: Run,
  rest: Pick<LrsqlFixture, 'from' | 'close'>,
): Promise<LrsqlFixture> {
  const checkout = process.env.LRS_TEST_LRSQL;
  const ddl = checkout ? lrsqlDdl(checkout, dialect) : tables(types[dialect]);
  for (const sql of ddl) await run(sql);
  return {
    ...rest,
    run,
    async insert(table, row) {
      const names = Object.keys(row);
      const marks = names.map(() => '?').join(', ');
      await run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`, Object.values(row));
    },
  };
}

export async function lrsqlInSqlite(file: string): Promise<LrsqlFixture> {
  const { Database, OPEN_CREATE, OPEN_READWRITE } = await loadSqliteDriver();
  const database = new Database(file, OPEN_READWRITE | OPEN_CREATE, () => {});
  const run: Run = (sql, values = []) =>
    new Promise((resolve, reject) => {
      const plain = values.map((value) => (value instanceof Date ? value.toISOString() : value));
      database.all(sql, plain, (error) => (error ? reject(error) : resolve(undefined)));
    });
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => {
      database.close((error) => (error ? reject(error) : resolve()));
    });
  return filled('sqlite', run, { from: file, close });
}

/** In an empty database of its own on the server. */
export async function lrsqlOnServer({
  dbType,
  dbHost,
  dbPort,
  dbUser,
  dbPassword = '',
  dbName,
}: ServerOptions): Promise<LrsqlFixture> {
  const { family } = factsOf(dbType);
  const from = `${family}://${dbUser}:${dbPassword}@${dbHost}:${dbPort}/${dbName}`;
  if (family === 'postgres') {
    const client = new pg.Client({ connectionString: from });
    await client.connect();
    const run: Run = (sql, values = []) => {
      let place = 0;
      const text = sql.replaceAll('?', () => {
        place += 1;
        return `$${place}`;
      });
      return client.query(text, [...values]);
    };
    return filled('postgres', run, { from, close: () => client.end() });
  }
  const connection = await mariadb.createConnection({
    ...{ host: dbHost, user: dbUser, password: dbPassword, database: dbName, timezone: 'Z' },
    ...(dbPort && { port: dbPort }),
  });
  const run: Run = (sql, values = []) => connection.query(sql, [...values]);
  return filled('mariadb', run, { from, close: () => connection.end() });
}

/** The time in the first 48 bits, as lrsql's primary keys have it. */
export function squuid(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-${randomUUID().slice(14)}`;
}
