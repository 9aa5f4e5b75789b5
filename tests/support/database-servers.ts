import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import {
  dropMariadbDatabases,
  dropPostgresDatabases,
  mariadbAnswers,
  postgresAnswers,
  startPrivateServer,
} from './private-server.ts';

/* Vitest's global setup: finds a Postgres and a MariaDB for the tests, or starts private ones, and leaves no database behind. */

declare module 'vitest' {
  export interface ProvidedContext {
    /** A user that may create databases; null when there is no such server. */
    readonly postgresUrl: string | null;
    readonly mariadbUrl: string | null;
    /** What the names of the databases of this run begin with. */
    readonly databasePrefix: string;
  }
}

interface Kind {
  readonly dbType: 'postgres' | 'mariadb';
  readonly variable: string;
  /** A server that anybody on this machine may have installed. */
  readonly standardUrl: string;
  readonly answers: (url: string) => Promise<boolean>;
  readonly dropDatabases: (url: string, prefix: string) => Promise<void>;
}

const postgres: Kind = {
  dbType: 'postgres',
  variable: 'LRS_TEST_POSTGRES_URL',
  standardUrl: 'postgres://postgres@127.0.0.1:5432/postgres',
  answers: postgresAnswers,
  dropDatabases: dropPostgresDatabases,
};

const mariadb: Kind = {
  dbType: 'mariadb',
  variable: 'LRS_TEST_MARIADB_URL',
  standardUrl: 'mariadb://root@127.0.0.1:3306/',
  answers: mariadbAnswers,
  dropDatabases: dropMariadbDatabases,
};

const databasePrefix = `lrs_test_${randomBytes(3).toString('hex')}`;
const removals: (() => Promise<void>)[] = [];

export async function setup({ provide }: TestProject): Promise<void> {
  const [postgresUrl, mariadbUrl] = await Promise.all([find(postgres), find(mariadb)]);
  provide('postgresUrl', postgresUrl);
  provide('mariadbUrl', mariadbUrl);
  provide('databasePrefix', databasePrefix);
}

export async function teardown(): Promise<void> {
  await Promise.all(removals.map((remove) => remove()));
}

async function find({ dbType, variable, standardUrl, answers, dropDatabases }: Kind): Promise<string | null> {
  const given = process.env[variable] || undefined;
  const url = given ?? standardUrl;
  if (await answers(url)) {
    removals.push(() => dropDatabases(url, databasePrefix));
    return url;
  }
  if (given !== undefined) throw new Error(`${variable} names a server that can't be used.`);
  const started = await startPrivateServer(dbType);
  if (started) {
    removals.push(started.remove);
    return started.url;
  }
  const message = `No ${dbType} to test with: set ${variable}, or install its server.`;
  if (process.env.LRS_TEST_FORBID_SKIP) throw new Error(message);
  process.stderr.write(`\n!!! ${message} ALL ITS TESTS ARE SKIPPED.\n\n`);
  return null;
}
