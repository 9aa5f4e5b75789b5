import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { createScratchDatabase } from '../scripts/scratch-database.ts';
import { unpackFunctions } from '../tests/emulator/package.ts';
import { quantile } from './interleave.ts';
import { markdown } from './report.ts';

const usage =
  'npm run bench:import -- [--with DIR] [--node FILE] [--rounds 11] [--memory 128]: DIR is another checkout of this project that has been built, FILE the Node.js to measure with, and memory (MB) that of the functions.';

/*
 * What a cold start costs without the platform: each round starts one process for each function, in an order that alternates,
 * imports it with its settings packed and a Postgres that answers (the import opens the connection), and has it answer ten
 * requests. An empty module is one of the contestants, and its time is taken off the others'.
 */

interface Call {
  readonly handler: string;
  readonly event: unknown;
}

interface Contestant {
  readonly name: string;
  readonly module: string;
  readonly calls: readonly Call[];
  readonly env: Readonly<Record<string, string>>;
}

/** What `import-probe.mjs` prints; milliseconds of processor time, megabytes. */
interface Measured {
  readonly importCpu: number;
  readonly importRss: number;
  readonly builtins: readonly string[];
  readonly firstCpu: number;
  readonly statuses: readonly number[];
  readonly peakRss: number;
}

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const probe = join(import.meta.dirname, 'import-probe.mjs');

const { values: options } = parseArgs({
  options: {
    with: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    rounds: { type: 'string', default: '11' },
    memory: { type: 'string', default: '128' },
  },
});
const rounds = Number(options.rounds);
const memory = Number(options.memory);
const other = options.with === undefined ? undefined : resolve(options.with);
const oneBundle = other === undefined ? undefined : join(other, 'dist/lambda.mjs');
const groupBundles = other === undefined ? undefined : join(other, 'dist/lambda-statements.mjs');
const isBuilt = [oneBundle, groupBundles].some((file) => file !== undefined && existsSync(file));
if (!(rounds >= 1 && memory >= 64) || (other !== undefined && !isBuilt)) {
  console.error(usage);
  process.exit(2);
}

const key = { LRS_API_KEY_DEFAULT: 'bench', LRS_API_SECRET_DEFAULT: 'bench-secret' };
const account = { LRS_ADMIN_USER_DEFAULT: 'bench-admin', LRS_ADMIN_PASS_DEFAULT: 'Bench-passw0rd!' };
const authorization = `Basic ${Buffer.from(Object.values(key).join(':')).toString('base64')}`;

const undo: (() => void | Promise<void>)[] = [];
try {
  const contestants = await enter();
  const measured = contestants.map((): Measured[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contestants.length; turn += 1) {
      const index = (round + turn) % contestants.length;
      const contestant = contestants[index];
      if (contestant !== undefined) measured[index]?.push(await start(contestant));
    }
  }
  console.log(table(contestants, measured));
} finally {
  for (const step of undo.reverse()) await step();
}

async function enter(): Promise<Contestant[]> {
  const folder = mkdtempSync(join(tmpdir(), 'serverless-lrs-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  const contestants = [{ name: 'empty module', module: empty, calls: [], env: {} }];
  return [...contestants, ...(await otherFunctions()), ...(await theseFunctions())];
}

async function otherFunctions(): Promise<Contestant[]> {
  if (other === undefined || oneBundle === undefined) return [];
  const env = await scratchSettings();
  if (existsSync(oneBundle)) {
    const calls = statementCalls('postStatements', 'getStatements');
    const contestant = {
      name: 'other build: all endpoints',
      module: oneBundle,
      calls,
      env: { ...env, ...key, ...account },
    };
    // It makes its schema with the first call.
    await start(contestant);
    return [contestant];
  }
  await migrate(other, env);
  return functionsIn(unpack(env, other), env).map((each) => ({ ...each, name: `other build: ${each.name}` }));
}

async function theseFunctions(): Promise<Contestant[]> {
  const env = await scratchSettings();
  await migrate(root, env);
  return functionsIn(unpack(env), env);
}

function functionsIn(directory: string, env: Contestant['env']): Contestant[] {
  const about = event('GET', '/xapi/about');
  const profile = 'activityId=http%3A%2F%2Fexample.org%2Fa&profileId=p';
  const profileCalls = Array.from({ length: 10 }, (_, index) => ({
    handler: 'handler',
    event: event(index === 0 ? 'POST' : 'GET', '/xapi/activities/profile', profile, '{"a":1}'),
  }));
  const calls: Readonly<Record<string, readonly Call[]>> = {
    statements: statementCalls('handler', 'handler'),
    resources: profileCalls,
    all: [...statementCalls('handler', 'handler'), ...profileCalls],
    administration: Array.from({ length: 10 }, () => ({
      handler: 'handler',
      event: event('GET', '/admin/env'),
    })),
    screen: Array.from({ length: 10 }, () => ({ handler: 'handler', event: about })),
    streaming: [],
    background: [],
    migrate: [],
  };
  return Object.entries(calls)
    .map(([name, each]) => ({ name, module: join(directory, `dist/lambda-${name}.mjs`), calls: each, env }))
    .filter(({ module }) => existsSync(module));
}

async function scratchSettings(): Promise<Record<string, string>> {
  const database = await createScratchDatabase('postgres');
  undo.push(() => database.drop());
  return { ...database.settings, LRS_LOG_LEVEL: 'ERROR' };
}

async function migrate(checkout: string, env: Contestant['env']): Promise<void> {
  await run(process.execPath, [join(checkout, 'dist/migrate.mjs')], { env: { ...env, ...key, ...account } });
}

function unpack(env: Contestant['env'], checkout?: string): string {
  const { directory, remove } = unpackFunctions(env, checkout);
  undo.push(remove);
  return directory;
}

/** Five statements stored and five pages read, in turn. */
function statementCalls(post: string, get: string): Call[] {
  const statement = {
    actor: { mbox: 'mailto:somebody@example.org' },
    verb: { id: 'http://example.org/did' },
    object: { id: 'http://example.org/something' },
  };
  const query = 'limit=5&verb=http%3A%2F%2Fexample.org%2Fdid';
  return Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0
      ? { handler: post, event: event('POST', '/xapi/statements', '', JSON.stringify(statement)) }
      : { handler: get, event: event('GET', '/xapi/statements', query) },
  );
}

function event(method: string, rawPath: string, rawQueryString = '', body?: string) {
  return {
    version: '2.0',
    rawPath,
    rawQueryString,
    headers: {
      host: 'lrs.example.org',
      authorization,
      'x-experience-api-version': '1.0.3',
      'content-type': 'application/json',
    },
    requestContext: {
      domainName: 'lrs.example.org',
      stage: '$default',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7' },
    },
    ...(method === 'POST' && { body }),
    isBase64Encoded: false,
  };
}

/** The heap is limited as in a function of that size: 90 % of the memory for old objects, 5 % for each half of the young ones. */
async function start({ name, module, calls, env }: Contestant): Promise<Measured> {
  const limits = [
    `--max-old-space-size=${Math.floor(memory * 0.9)}`,
    `--max-semi-space-size=${Math.floor(memory * 0.05)}`,
  ];
  const { stdout } = await run(options.node, [...limits, probe, module, JSON.stringify(calls)], { env });
  const measured: Measured = JSON.parse(stdout);
  const failed = measured.statuses.find((status) => !(status < 300));
  if (failed !== undefined) throw new Error(`A request to ${name} was answered ${failed}.`);
  return measured;
}

/** Medians; the ratio of the import is to the other build's statements, whose rounds were the same. */
function table(contestants: readonly Contestant[], measured: readonly (readonly Measured[])[]): string {
  const median = (index: number, of: (each: Measured) => number): number =>
    quantile((measured[index] ?? []).map(of), 0.5);
  const importCpu = (index: number): number => median(index, (each) => each.importCpu);
  const reference = contestants.findIndex(({ name }) => name.startsWith('other build'));
  const importOf = (index: number): number => importCpu(index) - importCpu(0);
  const rows = contestants.map(({ name, calls }, index) => [
    name,
    importOf(index).toFixed(1),
    reference < 0 ? '–' : (importOf(index) / importOf(reference)).toFixed(2),
    calls.length === 0 ? '–' : median(index, (each) => each.firstCpu).toFixed(1),
    median(index, (each) => each.importRss).toFixed(1),
    calls.length === 0 ? '–' : median(index, (each) => each.peakRss).toFixed(1),
    String(measured[index]?.[0]?.builtins.length),
  ]);
  const titles = [
    'Function',
    'import CPU ms',
    'ratio',
    'first request CPU ms',
    'RSS after import MB',
    'largest RSS MB',
    'modules of Node.js',
  ];
  return markdown(titles, rows);
}
