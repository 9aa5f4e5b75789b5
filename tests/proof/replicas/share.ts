import { parseArgs } from 'node:util';
import pg from 'pg';
import { StatementGenerator } from '../../../bench/generate.ts';
import { quantile, takeTurns } from '../../../bench/interleave.ts';
import { type Call, measure, type Target } from '../../../bench/load.ts';
import { markdown } from '../../../bench/report.ts';
import { processorSecondsOfTree } from '../../../bench/usage.ts';
import { type BuiltServer, startBuiltServer } from '../../../scripts/built-server.ts';
import { startPostgresCluster } from '../../support/postgres-cluster.ts';

/*
 * What reads cost a primary of Postgres whose two replicas serve them: its share of the processor time of the three servers while
 * clients only read. Builds and values of `dbReadGather` take turns.
 */

const { values: options } = parseArgs({
  options: {
    with: { type: 'string' },
    gather: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    limits: { type: 'string', default: '50,500' },
    clients: { type: 'string', default: '32' },
  },
});
const seconds = Number(options.seconds);
const stored = 5000;
const database = 'lrs';

interface Contestant {
  readonly name: string;
  readonly server: BuiltServer;
}

/** What was measured in one round. */
interface Figures {
  readonly pages: number;
  readonly p50: number;
  /** Of the primary, and of all servers: seconds of processor time in a second. */
  readonly primary: number;
  readonly all: number;
}

const cluster = await startPostgresCluster({ synchronous: false });
if (cluster === undefined) throw new Error('The programs of Postgres are not installed.');
const [primary, ...replicas] = cluster.nodes;
const contestants: Contestant[] = [];
try {
  const client = new pg.Client({ connectionString: cluster.url() });
  await client.connect();
  await client.query(`CREATE DATABASE ${database}`);
  await client.end();
  const builds = [
    ...(options.with === undefined ? [] : [{ build: 'other build', checkout: options.with }]),
    { build: 'this build', checkout: undefined },
  ];
  const gathers = options.gather?.split(',') ?? [undefined];
  for (const { build, checkout } of builds)
    for (const gather of gathers) {
      const server = await startBuiltServer(settingsWith(gather), { checkout });
      const name = gather === undefined ? build : `${build}, dbReadGather ${gather}`;
      contestants.push({ name, server });
    }
  const [first] = contestants;
  if (first === undefined) throw new Error('There is no build.');
  await load(targetOf(first));
  for (const limit of options.limits.split(',').map(Number)) {
    const runs = contestants.map((contestant) => () => round(contestant, limit));
    // The first reads find what replicas have not replayed, and start connections.
    await takeTurns(1, runs);
    const measured = await takeTurns(Number(options.rounds), runs);
    const rows = contestants.map(({ name }, index) => {
      const rounds = measured[index] ?? [];
      const of = (figure: (figures: Figures) => number, share = 0.5) => quantile(rounds.map(figure), share);
      const percent = (share: number) => (100 * of((each) => each.primary / each.all, share)).toFixed(1);
      return [
        name,
        of((each) => each.pages).toFixed(0),
        of((each) => each.p50).toFixed(1),
        (1000 * of((each) => each.primary)).toFixed(0),
        (1000 * of((each) => each.all)).toFixed(0),
        `${percent(0.5)} (${percent(0.25)} to ${percent(0.75)})`,
      ];
    });
    const titles = [
      `${options.clients} clients, pages of ${limit}`,
      'pages/s',
      'p50 ms',
      'primary, CPU ms/s',
      'all three, CPU ms/s',
      "primary's share, % (quartiles)",
    ];
    process.stdout.write(`\n${markdown(titles, rows)}\n`);
  }
} finally {
  for (const { server } of contestants) await server.stop();
  await cluster.remove();
}

function settingsWith(gather: string | undefined): Record<string, string> {
  return {
    LRS_DB_TYPE: 'postgres',
    LRS_DB_HOST: primary?.host ?? '',
    LRS_DB_READ_HOSTS: replicas.map(({ host }) => host).join(','),
    LRS_DB_NAME: database,
    LRS_DB_USER: 'postgres',
    LRS_STMT_GET_MAX: '500',
    ...(gather !== undefined && { LRS_DB_READ_GATHER: gather }),
  };
}

function targetOf({ server }: Contestant): Target {
  return { ...server, endpoint: `${server.url}/xapi` };
}

async function load(target: Target): Promise<void> {
  const generator = new StatementGenerator();
  const calls = Array.from({ length: stored / 500 }, (): Call => {
    const { text } = generator.batch(500);
    return { method: 'POST', path: '/statements', body: Buffer.from(text), statements: 500 };
  });
  await measure(target, { name: 'load', connections: 2, seconds: 600, next: () => calls.shift() });
}

async function round(contestant: Contestant, limit: number): Promise<Figures> {
  const before = processorTimes();
  const { callsPerSecond, p50, failures, ...measured } = await measure(targetOf(contestant), {
    name: `pages of ${limit}`,
    connections: Number(options.clients),
    seconds,
    next: () => ({ method: 'GET', path: `/statements?limit=${limit}` }),
  });
  if (failures > 0) throw new Error(`${contestant.name}: ${failures} requests failed.`);
  const used = processorTimes().map((time, index) => (time - (before[index] ?? 0)) / measured.seconds);
  return {
    ...{ pages: callsPerSecond, p50, primary: used[0] ?? Number.NaN },
    all: used.reduce((sum, each) => sum + each, 0),
  };
}

function processorTimes(): number[] {
  return (cluster?.nodes ?? []).map(({ pid }) =>
    pid === undefined ? Number.NaN : processorSecondsOfTree(pid),
  );
}
