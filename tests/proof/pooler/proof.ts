import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runSuite } from '../../../scripts/conformance/run-suite.ts';
import { readSuiteLog } from '../../../scripts/conformance/suite-log.ts';
import { type Pooler, startPooler } from '../../support/pgbouncer.ts';
import { type PrivateServer, startPrivateServer } from '../../support/private-server.ts';
import { clientSettings, pair } from '../client.ts';
import { RestartedServer } from '../servers.ts';

export interface PoolerProofOptions {
  /** Processes of the LRS that are at work meanwhile, on a database of their own. */
  readonly processes: number;
  /** Arguments of `node` that run a process of the LRS. */
  readonly program: readonly string[];
  readonly suites: readonly Suite[];
  /** The folder of a prepared checkout of the official suite, which is then run through the processes. */
  readonly officialSuite?: string | undefined;
  readonly progress?: (line: string) => void;
}

export interface PoolerProofResult {
  /** The outcome of each run of tests, by its name. */
  readonly suites: Readonly<Record<string, SuiteResult>>;
  /** What the clients of the processes were answered: the number of answers that they expected, and all others. */
  readonly answers: number;
  readonly failures: readonly string[];
  /** The most connections that PgBouncer had to the server for a database, and that clients had to PgBouncer. */
  readonly servers: number;
  readonly clients: number;
}

/** A run of the tests of behaviour. */
interface Suite {
  /** `LRS_TEST_ENGINE`: in processes of their own, or through the packaged functions. */
  readonly engine: 'postgres' | 'packaged';
  /** Paths that it is limited to. */
  readonly files?: readonly string[];
}

interface SuiteResult {
  readonly passed: number;
  /** What has failed, each with the reason. */
  readonly failed: readonly string[];
  readonly skipped: number;
  readonly seconds: number;
}

const root = join(import.meta.dirname, '../../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
/** Connections to the server for a database. */
const pooled = 10;
/** How long (ms) a client of a process pauses. */
const pause = 500;

/** Runs the tests of behaviour on a Postgres behind PgBouncer, through which other processes work at the same time. */
export async function proveBehindPooler(options: PoolerProofOptions): Promise<PoolerProofResult> {
  const { processes, program, suites, officialSuite, progress = () => {} } = options;
  const server = await startPrivateServer('postgres');
  if (server === undefined) throw new Error('The programs of Postgres are not installed.');
  const folder = mkdtempSync(join(tmpdir(), 'lrs-pooler-'));
  const { hostname, port, username } = new URL(server.url);
  const pooler = await startPooler(
    { dbHost: hostname, dbPort: Number(port), dbUser: username },
    { servers: pooled, clients: 2000 },
  );
  const settings = { ...clientSettings, ...(await databaseOf(server, pooler)) };
  const lrs = new RestartedServer({
    program: [...program, '--workers', String(processes)],
    ...{ settings, folder },
  });
  try {
    await lrs.start();
    progress(`${processes} processes work behind PgBouncer`);
    const url = lrs.address ?? '';
    const traffic = new Traffic(url, processes);
    const connections = new Connections(pooler);
    const outcomes: Record<string, SuiteResult> = {};
    for (const suite of suites) {
      const outcome = await runTests(suite, pooler, join(folder, `${suite.engine}.json`));
      progress(`${suite.engine}: ${JSON.stringify(outcome)}`);
      outcomes[suite.engine] = outcome;
    }
    const answers = await traffic.stop();
    if (officialSuite !== undefined) Object.assign(outcomes, await runOfficial(officialSuite, url));
    return { suites: outcomes, ...answers, ...(await connections.stop()) };
  } finally {
    await lrs.kill();
    await pooler.stop();
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const isProven = ({ suites, answers, failures, servers }: PoolerProofResult): boolean =>
  Object.values(suites).every(({ passed, failed }) => passed > 0 && failed.length === 0) &&
  answers > 0 &&
  failures.length === 0 &&
  servers > 0 &&
  servers <= pooled;

const urlOf = ({ port }: Pooler): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

async function databaseOf({ url }: PrivateServer, pooler: Pooler): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE DATABASE lrs');
  await client.end();
  return {
    LRS_DB_TYPE: 'postgres',
    LRS_DB_HOST: '127.0.0.1',
    LRS_DB_PORT: String(pooler.port),
    LRS_DB_NAME: 'lrs',
    LRS_DB_USER: 'postgres',
    LRS_DB_POOLER: 'true',
  };
}

/** @throws Error when it leaves no results. */
async function runTests(
  { engine, files = [] }: Suite,
  pooler: Pooler,
  outputFile: string,
): Promise<SuiteResult> {
  const start = performance.now();
  const options = ['--reporter=json', `--outputFile=${outputFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...files, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      LRS_TEST_ENGINE: engine,
      LRS_TEST_POSTGRES_URL: urlOf(pooler),
      LRS_TEST_POOLER: 'true',
    },
  });
  await new Promise((resolve) => child.once('exit', resolve));
  const seconds = Math.round((performance.now() - start) / 1000);
  const report: VitestReport = JSON.parse(readFileSync(outputFile, 'utf8'));
  const { numPassedTests: passed, numPendingTests: skipped, testResults } = report;
  return { passed, failed: testResults.flatMap(failuresIn), skipped, seconds };
}

/** What Vitest writes about a run. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  /** Why it failed, where no test of it did. */
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages?: readonly string[];
  }[];
}

function failuresIn({ name, status, message, assertionResults }: FileReport): string[] {
  const tests = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages = [] }) => `${fullName}: ${failureMessages[0]}`);
  return status === 'failed' && tests.length === 0 ? [`${name}: ${message}`] : tests;
}

/** Runs the official suite of each version through the processes, each request through one of them. */
async function runOfficial(folder: string, url: string): Promise<Record<string, SuiteResult>> {
  const outcomes: Record<string, SuiteResult> = {};
  for (const version of ['1.0.3', '2.0.0'] as const) {
    const start = performance.now();
    const { sections, failures, finished } = readSuiteLog(await runSuite(folder, { url, ...pair }, version));
    outcomes[`official suite, ${version}`] = {
      passed: sections.reduce((sum, { passed }) => sum + passed, 0),
      failed: [
        ...failures.map(({ path, error }) => `${path.join(' > ')}: ${error}`),
        ...(finished ? [] : ['It did not reach its end.']),
      ],
      skipped: 0,
      seconds: Math.round((performance.now() - start) / 1000),
    };
  }
  return outcomes;
}

/** What clients of the processes do: each stores a statement and a document, and reads both. */
class Traffic {
  readonly #address: string;
  readonly #failures: string[] = [];
  readonly #clients: Promise<unknown>;
  #answers = 0;
  #ended = false;

  constructor(address: string, clients: number) {
    this.#address = address;
    this.#clients = Promise.all(Array.from({ length: clients }, () => this.#client()));
  }

  async stop(): Promise<Pick<PoolerProofResult, 'answers' | 'failures'>> {
    this.#ended = true;
    await this.#clients;
    return { answers: this.#answers, failures: this.#failures };
  }

  async #client(): Promise<void> {
    while (!this.#ended) {
      const id = randomUUID();
      await this.#send('POST', '/statements', { id, ...content });
      await this.#send('GET', `/statements?statementId=${id}`);
      const agent = encodeURIComponent(JSON.stringify(content.actor));
      const document = `/activities/state?activityId=${content.object.id}&agent=${agent}&stateId=${id}`;
      await this.#send('PUT', document, { id });
      await this.#send('GET', document);
      await sleep(pause);
    }
  }

  async #send(method: string, path: string, body?: object): Promise<void> {
    try {
      const answer = await fetch(`${this.#address}/xapi${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.ok) this.#answers += 1;
      else this.#failures.push(`${method} ${path}: ${answer.status} ${text}`);
    } catch (error) {
      this.#failures.push(`${method} ${path}: ${String(error)}`);
    }
  }
}

const headers = {
  authorization: `Basic ${btoa(`${pair.key}:${pair.secret}`)}`,
  'content-type': 'application/json',
  'x-experience-api-version': '1.0.3',
};
const content = {
  actor: { mbox: 'mailto:someone@example.org' },
  verb: { id: 'https://example.org/verbs/did' },
  object: { id: 'https://example.org/activities/something' },
};

/** Looks again and again how many connections PgBouncer has. */
class Connections {
  readonly #pooler: Pooler;
  readonly #looking: Promise<void>;
  readonly #most = { servers: 0, clients: 0 };
  #ended = false;

  constructor(pooler: Pooler) {
    this.#pooler = pooler;
    this.#looking = this.#look();
  }

  async stop(): Promise<{ readonly servers: number; readonly clients: number }> {
    this.#ended = true;
    await this.#looking;
    return this.#most;
  }

  async #look(): Promise<void> {
    const client = new pg.Client({ connectionString: urlOf(this.#pooler).replace(/postgres$/, 'pgbouncer') });
    await client.connect();
    while (!this.#ended) {
      const { rows: servers } = await client.query<{ database: string }>('SHOW SERVERS');
      const counts = new Map<string, number>();
      for (const { database } of servers) counts.set(database, (counts.get(database) ?? 0) + 1);
      this.#most.servers = Math.max(this.#most.servers, ...counts.values());
      const { rows: clients } = await client.query('SHOW CLIENTS');
      this.#most.clients = Math.max(this.#most.clients, clients.length);
      await sleep(100);
    }
    await client.end();
  }
}
