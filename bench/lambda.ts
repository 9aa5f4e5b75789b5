import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { costPerMillion } from '../scripts/deployment/cost.ts';
import { createScratchDatabase } from '../scripts/scratch-database.ts';
import { type CountingProxy, openCountingProxy } from '../tests/emulator/counting-proxy.ts';
import { type EmulatedFunctions, type FunctionName, startFunctions } from '../tests/emulator/functions.ts';
import { type OlderFunction, startOlderFunction } from '../tests/emulator/older-function.ts';
import { archiveSize, unpackFunctions } from '../tests/emulator/package.ts';
import type { FunctionPool } from '../tests/emulator/pool.ts';
import { hasQuotas } from '../tests/emulator/quota.ts';
import { quantile } from './interleave.ts';
import { compareRates, type Rates } from './lambda-rates.ts';
import { markdown } from './report.ts';

/*
 * `npm run bench:lambda`: what the packaged functions cost in an emulated Lambda, cold and warm, one instance at a time, and
 * how large their package is. With an older build beside it, what its function for statements costs, in turns, and what many
 * instances of both store.
 */

const { values } = parseArgs({
  options: {
    db: { type: 'string', default: 'postgres' },
    memory: { type: 'string', default: '512' },
    /** New instances of each function. */
    runs: { type: 'string', default: '7' },
    /** Requests to each instance after the first. */
    calls: { type: 'string', default: '50' },
    node: { type: 'string', default: process.execPath },
    json: { type: 'string' },
    /** A built checkout of an older build, whose functions are the exports of one bundle. */
    with: { type: 'string' },
    /** For the comparison with it: instances, their memory (MB), rounds, and statements that each instance stores before. */
    instances: { type: 'string', default: '12' },
    'rate-memory': { type: 'string', default: '256' },
    rounds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '1500' },
  },
});
const [runs, calls, memory] = [Number(values.runs), Number(values.calls), Number(values.memory)];
const db = serverNamed(values.db);

/** What one instance took; times in milliseconds, memory in MB. */
interface Sample {
  readonly init: number;
  readonly initCpu: number;
  readonly first: number;
  readonly firstCpu: number;
  readonly firstRoundTrips: number;
  readonly warm: number;
  readonly warmCpu: number;
  readonly warmRoundTrips: number;
  readonly connections: number;
  /** After the first call, and at most until the last. */
  readonly residentFirst: number;
  readonly residentMost: number;
}

const login = { username: 'opsadmin', password: 'Tr1cky_pass!' };
const pair = { key: 'key', secret: 'secret' };
const json = { 'content-type': 'application/json' };
const xapi = {
  ...json,
  authorization: `Basic ${btoa(`${pair.key}:${pair.secret}`)}`,
  'x-experience-api-version': '1.0.3',
};

const firstSettings = {
  ...{ LRS_ADMIN_USER_DEFAULT: login.username, LRS_ADMIN_PASS_DEFAULT: login.password },
  ...{ LRS_API_KEY_DEFAULT: pair.key, LRS_API_SECRET_DEFAULT: pair.secret },
};

const scratch = await createScratchDatabase(db);
const { LRS_DB_HOST: host = '127.0.0.1', LRS_DB_PORT, LRS_DB_TYPE: type } = scratch.settings;
const proxy = await openCountingProxy({
  host,
  port: Number(LRS_DB_PORT ?? (type === 'mariadb' ? 3306 : 5432)),
});
const settings = {
  LRS_LOG_LEVEL: 'WARN',
  ...scratch.settings,
  LRS_DB_HOST: '127.0.0.1',
  LRS_DB_PORT: String(proxy.port),
};
const functions = await startFunctions({
  settings,
  first: firstSettings,
  memory,
  node: values.node,
});
try {
  const token = await tokenOf(functions);
  const results = [];
  for (const [name, work] of works(functions, token)) {
    const samples: Sample[] = [];
    const isCompared = values.with !== undefined && name === 'statements';
    const older = isCompared
      ? await startOlder(values.with ?? '', { memory, concurrency: 1, isCounted: true })
      : undefined;
    const ofOlder: Sample[] = [];
    for (let run = 0; run < runs; run += 1) {
      if (older !== undefined) ofOlder.push(await sample(older.pool, () => post(older.url), older.proxy));
      samples.push(await sample(functions.pools[name], work, proxy));
    }
    await older?.stop();
    if (ofOlder.length > 0) results.push({ name: 'older build: statements', ...medians(ofOlder) });
    results.push({ name, ...medians(samples) });
  }
  console.log(
    `\n${values.db}, ${memory} MB${hasQuotas() ? '' : ' (not limited)'}, ${runs} instances of each, medians\n`,
  );
  console.log(table(results));
  const size = sizes();
  console.log(`\nPackage: ${kilobytes(size.all)}, without the screen ${kilobytes(size.functions)} (zipped)`);
  const stored = results.find(({ name }) => name === 'statements')?.warm ?? 0;
  const cost = costPerMillion({ gateway: 'http-api', database: 'existing', memory }, stored);
  console.log(
    `A million statements, one a request: $${cost.toFixed(2)} at list prices (${stored.toFixed(1)} ms each, HTTP API, logs; without the database)`,
  );
  const rates = values.with === undefined ? undefined : await ratesWith(values.with);
  if (rates !== undefined) {
    const [low, high] = rates.quartiles.map((each) => each.toFixed(1));
    console.log(
      `${values.instances} instances of ${values['rate-memory']} MB together stored ${rates.these.toFixed(0)} statements/s, those of the older build ${rates.older.toFixed(0)}: × ${rates.ratio.toFixed(1)} (quartiles ${low} to ${high}); one instance alone ${rates.alone.toFixed(0)}`,
    );
  }
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ results, size, cost, rates }));
} finally {
  await functions.stop();
  await proxy.close();
  await scratch.drop();
}

type Work = () => Promise<unknown>;

/** A request to each function that is typical of it. */
function works(
  { url, streamingUrl, invoke }: EmulatedFunctions,
  token: string,
): readonly (readonly [FunctionName, Work])[] {
  const bearer = { ...json, authorization: `Bearer ${token}` };
  const state =
    'activityId=https://bench.example.org/a&agent=%7B%22mbox%22%3A%22mailto%3Aann%40example.org%22%7D&stateId=s';
  const paths = encodeURIComponent('[["id"]]');
  return [
    ['statements', () => post(url)],
    [
      'resources',
      () => ask(`${url}/xapi/activities/state?${state}`, { method: 'PUT', headers: xapi, body: '{}' }),
    ],
    ['administration', () => ask(`${url}/admin/creds`, { headers: bearer })],
    ['screen', () => ask(`${url}/xapi/about`)],
    ['streaming', () => ask(`${streamingUrl}/admin/csv?property-paths=${paths}`, { headers: bearer })],
    ['background', () => invoke('background')],
    ['migrate', () => invoke('migrate')],
  ];
}

/** What a gateway makes of the same request. */
function postEvent() {
  const [path, host] = ['/xapi/statements', 'lrs.example.org'];
  return {
    ...{ version: '2.0', rawPath: path, rawQueryString: '', headers: { ...xapi, host } },
    requestContext: {
      ...{ domainName: host, requestId: randomUUID(), stage: '$default' },
      http: { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7' },
    },
    ...{ body: newStatement(), isBase64Encoded: false },
  };
}

function post(url: string): Promise<void> {
  return ask(`${url}/xapi/statements`, { method: 'POST', headers: xapi, body: newStatement() });
}

function serverNamed(name: string): 'postgres' | 'mariadb' {
  if (name === 'postgres' || name === 'mariadb') return name;
  throw new Error('--db takes postgres or mariadb.');
}

/** Its schema is there when it is given. */
async function startOlder(
  checkout: string,
  size: { memory: number; concurrency: number; isCounted: boolean },
): Promise<OlderFunction> {
  const { node } = values;
  const older = await startOlderFunction({
    ...{ db, node, first: firstSettings, checkout: resolve(checkout) },
    ...size,
  });
  await post(older.url);
  return older;
}

async function ratesWith(checkout: string): Promise<Rates> {
  const instances = Number(values.instances);
  const size = { memory: Number(values['rate-memory']), concurrency: instances };
  const database = await createScratchDatabase(db);
  const older = await startOlder(checkout, { ...size, isCounted: false });
  const these = await startFunctions({
    settings: { LRS_LOG_LEVEL: 'ERROR', ...database.settings },
    ...{ first: firstSettings, node: values.node },
    ...size,
  });
  try {
    await older.pool.provision(instances - 1, 2);
    await these.pools.statements.provision(instances, 2);
    return await compareRates({
      ...{ older: older.pool, these: these.pools.statements, event: postEvent, instances },
      ...{ rounds: Number(values.rounds), seconds: 10, warmUp: Number(values['warm-up']) },
    });
  } finally {
    await these.stop();
    await older.stop();
    await database.drop();
  }
}

async function ask(url: string, request: RequestInit = {}): Promise<void> {
  const answer = await fetch(url, request);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
}

function newStatement(): string {
  return JSON.stringify({
    id: randomUUID(),
    actor: { mbox: 'mailto:ann@example.org', name: 'Ann' },
    verb: { id: 'http://adlnet.gov/expapi/verbs/experienced', display: { en: 'experienced' } },
    object: { id: 'https://bench.example.org/course', definition: { name: { en: 'A course' } } },
    result: { score: { scaled: 0.5 }, success: true, duration: 'PT4M' },
  });
}

async function tokenOf({ url }: EmulatedFunctions): Promise<string> {
  const answer = await fetch(`${url}/admin/account/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(login),
  });
  const { 'json-web-token': token } = (await answer.json()) as { readonly 'json-web-token': string };
  return token;
}

/** Starts an instance of a function, sends it a first request and some more, and ends it. */
async function sample(
  pool: FunctionPool,
  work: Work,
  { roundTrips, connections }: CountingProxy,
): Promise<Sample> {
  const { name } = pool.options;
  await pool.stop();
  const before = { roundTrips: roundTrips(), connections: connections() };
  await pool.provision(1, 1);
  const [instance] = pool.instances;
  if (instance === undefined) throw new Error(`${name} has not started.`);
  const { init } = instance;
  await work();
  const first = { ...instance.usage, roundTrips: roundTrips() };
  // What runs once a minute or once a release is not measured fifty times.
  const more = name === 'background' || name === 'migrate' ? 3 : calls;
  for (let call = 0; call < more; call += 1) await work();
  const last = { ...instance.usage, roundTrips: roundTrips() };
  const [firstDuration = 0, ...durations] = instance.durations;
  return {
    init: init.milliseconds,
    initCpu: init.usage.cpu,
    first: firstDuration,
    firstCpu: first.cpu - init.usage.cpu,
    firstRoundTrips: first.roundTrips - before.roundTrips,
    warm: quantile(durations, 0.5),
    warmCpu: (last.cpu - first.cpu) / more,
    warmRoundTrips: (last.roundTrips - first.roundTrips) / more,
    connections: connections() - before.connections,
    residentFirst: first.resident,
    residentMost: last.peak,
  };
}

function medians(samples: readonly Sample[]): Sample {
  const median = (member: keyof Sample): number =>
    quantile(
      samples.map((each) => each[member]),
      0.5,
    );
  return {
    init: median('init'),
    initCpu: median('initCpu'),
    first: median('first'),
    firstCpu: median('firstCpu'),
    firstRoundTrips: median('firstRoundTrips'),
    warm: median('warm'),
    warmCpu: median('warmCpu'),
    warmRoundTrips: median('warmRoundTrips'),
    connections: median('connections'),
    residentFirst: median('residentFirst'),
    residentMost: median('residentMost'),
  };
}

function table(results: readonly (Sample & { readonly name: string })[]): string {
  return markdown(
    [
      ...['Function', 'init ms', 'CPU ms', 'first call ms', 'CPU ms', 'round trips until then'],
      ...['warm ms', 'CPU ms', 'round trips', 'connections', 'RSS after the first call MB', 'largest'],
    ],
    results.map((each) => [
      each.name,
      ...[each.init, each.initCpu, each.first, each.firstCpu].map((value) => value.toFixed(0)),
      String(each.firstRoundTrips),
      each.warm.toFixed(1),
      each.warmCpu.toFixed(1),
      each.warmRoundTrips.toFixed(1),
      String(each.connections),
      each.residentFirst.toFixed(0),
      each.residentMost.toFixed(0),
    ]),
  );
}

/** Bytes of the archive, with and without the screen. */
function sizes() {
  const unpacked = unpackFunctions(settings);
  try {
    const isScreen = (path: string) => path.startsWith('dist/web/');
    return { all: archiveSize(unpacked), functions: archiveSize(unpacked, (path) => !isScreen(path)) };
  } finally {
    unpacked.remove();
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
