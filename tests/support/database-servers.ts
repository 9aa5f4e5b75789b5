import type { TestProject } from 'vitest/node';
import { mariadbAnswers, postgresAnswers, startPrivateServer } from './private-server.ts';

/* Vitest's global setup: finds a Postgres and a MariaDB for the tests, or starts private ones. */

declare module 'vitest' {
  export interface ProvidedContext {
    /** A user that may create databases; null when there is no such server. */
    readonly postgresUrl: string | null;
    readonly mariadbUrl: string | null;
  }
}

interface Kind {
  readonly dbType: 'postgres' | 'mariadb';
  readonly variable: string;
  /** A server that anybody on this machine may have installed. */
  readonly standardUrl: string;
  readonly answers: (url: string) => Promise<boolean>;
}

const postgres: Kind = {
  dbType: 'postgres',
  variable: 'LRS_TEST_POSTGRES_URL',
  standardUrl: 'postgres://postgres@127.0.0.1:5432/postgres',
  answers: postgresAnswers,
};

const mariadb: Kind = {
  dbType: 'mariadb',
  variable: 'LRS_TEST_MARIADB_URL',
  standardUrl: 'mariadb://root@127.0.0.1:3306/',
  answers: mariadbAnswers,
};

const removals: (() => Promise<void>)[] = [];

export async function setup({ provide }: TestProject): Promise<void> {
  const [postgresUrl, mariadbUrl] = await Promise.all([find(postgres), find(mariadb)]);
  provide('postgresUrl', postgresUrl);
  provide('mariadbUrl', mariadbUrl);
}

export async function teardown(): Promise<void> {
  await Promise.all(removals.map((remove) => remove()));
}

async function find({ dbType, variable, standardUrl, answers }: Kind): Promise<string | null> {
  const given = process.env[variable];
  if (given !== undefined && given !== '') {
    if (!(await answers(given))) throw new Error(`${variable} names a server that can't be used.`);
    return given;
  }
  if (await answers(standardUrl)) return standardUrl;
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
