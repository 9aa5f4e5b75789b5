import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startFunctions } from '../../emulator/functions.ts';
import { type Pooler, startPooler } from '../../support/pgbouncer.ts';
import { clientSettings, pair } from '../client.ts';
import { openProofDatabase } from '../database.ts';

export interface CrowdOptions {
  /** Instances of the function for statements at the same time, on a Postgres that takes 100 connections. */
  readonly instances: number;
  /** Connections of a PgBouncer in transaction mode between them; undefined for none. */
  readonly pooled?: number;
}

export interface CrowdResult {
  readonly instances: number;
  /** Connections that the server has from the functions, or from the pooler. */
  readonly connections: number;
  /** Answers by status, of one request for each instance at the same time. */
  readonly statuses: Readonly<Record<number, number>>;
  /** How many of those with 503 have no Retry-After. */
  readonly withoutRetryAfter: number;
  /** How long an instance took for an answer at most (ms), when only a few work at the same time; refusals included. */
  readonly longest: number;
  /** How often a refused request was sent again at most until it succeeded; undefined when one never did. */
  readonly attempts: number | undefined;
}

/** Megabytes that an instance takes of its own, without the program that all share, and that are left for everything else. */
const memoryOfInstance = 45;
const reserve = 2000;
/** Instances that start, or requests that are measured, at the same time: more would wait for the processor only. */
const atOnce = 4;
const mostAttempts = 10;

/** Sends one request to each of many instances at the same time, and again what was refused. */
export async function crowd({ instances, pooled }: CrowdOptions): Promise<CrowdResult> {
  const free = Number(/MemAvailable:\s+(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) / 1024;
  if (free < instances * memoryOfInstance + reserve)
    throw new Error(`${instances} instances need more memory than there is: ${free.toFixed(0)} MB.`);
  const database = await openProofDatabase('postgres');
  const { LRS_DB_HOST: dbHost = '', LRS_DB_PORT: port, LRS_DB_USER: dbUser = '' } = database.settings;
  const dbName = database.settings.LRS_DB_NAME ?? '';
  let pooler: Pooler | undefined;
  try {
    const server = { dbHost, dbPort: Number(port ?? 5432), dbUser };
    if (pooled !== undefined)
      pooler = await startPooler(server, { servers: pooled, clients: instances + 50 });
    const through = pooler && { LRS_DB_POOLER: 'true', LRS_DB_PORT: String(pooler.port) };
    const functions = await startFunctions({
      settings: { LRS_LOG_LEVEL: 'OFF', ...database.settings, ...through },
      first: clientSettings,
      quota: 'none',
    });
    try {
      const pool = functions.pools.statements;
      await pool.provision(instances, atOnce);
      const answers = await Promise.all(Array.from({ length: instances }, () => post(functions.url)));
      const connections = await connectionsTo({ ...server, dbName });
      const before = new Map(pool.instances.map((instance) => [instance, instance.durations.length]));
      const calm = await eachIn(atOnce, pool.instances, () => post(functions.url));
      const durations = [...before].flatMap(([instance, count]) => instance.durations.slice(count));
      const refused = [...answers, ...calm].filter(({ status }) => status === 503);
      const again = await eachIn(atOnce, refused, () => retried(functions.url));
      const attempts = again.map(({ count }) => count);
      return {
        ...{ instances: pool.instances.length, connections, statuses: counted(answers) },
        withoutRetryAfter: refused.filter(({ retryAfter }) => retryAfter === null).length,
        longest: Math.max(...durations),
        attempts: attempts.includes(undefined)
          ? undefined
          : Math.max(0, ...attempts.map((each) => each ?? 0)),
      };
    } finally {
      await functions.stop();
    }
  } finally {
    await pooler?.stop();
    await database.remove();
  }
}

async function post(url: string): Promise<{ readonly status: number; readonly retryAfter: string | null }> {
  const answer = await fetch(`${url}/xapi/statements`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${pair.key}:${pair.secret}`)}`,
      'content-type': 'application/json',
      'x-experience-api-version': '1.0.3',
    },
    body: JSON.stringify({
      id: randomUUID(),
      actor: { mbox: 'mailto:ann@example.org' },
      verb: { id: 'http://adlnet.gov/expapi/verbs/experienced' },
      object: { id: 'https://proof.example.org/activity' },
    }),
  });
  await answer.text();
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
}

/** Sends a request again after the time that each answer names, until it succeeds. */
async function retried(url: string): Promise<{ readonly count: number | undefined }> {
  for (let count = 1; count <= mostAttempts; count += 1) {
    const { status, retryAfter } = await post(url);
    if (status === 200) return { count };
    await sleep(Number(retryAfter ?? 0) * 1000);
  }
  return { count: undefined };
}

/** Does the work for each, several at a time. */
async function eachIn<T, R>(
  several: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const waiting = [...items];
  const results: R[] = [];
  const take = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      results.push(await work(item));
  };
  await Promise.all(Array.from({ length: several }, take));
  return results;
}

function counted(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Without the one that asks. When all are taken, nobody can ask. */
async function connectionsTo({
  dbHost: host,
  dbPort: port,
  dbUser: user,
  dbName,
}: {
  readonly dbHost: string;
  readonly dbPort: number;
  readonly dbUser: string;
  readonly dbName: string;
}): Promise<number> {
  const client = new pg.Client({ host, port, user, database: 'postgres' });
  try {
    await client.connect();
  } catch {
    return 100;
  }
  try {
    const { rows } = await client.query<{ count: string }>(
      "SELECT COUNT(*) AS count FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'",
      [dbName],
    );
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}
