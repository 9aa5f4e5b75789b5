import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BuiltServer, startBuiltServer } from '../scripts/built-server.ts';
import {
  createScratchDatabase,
  type Engine,
  engines,
  isEngine,
  type ScratchDatabase,
} from '../scripts/scratch-database.ts';
import { documentWork } from './documents.ts';
import { type Generated, StatementGenerator } from './generate.ts';
import { type Compared, compared, takeTurns } from './interleave.ts';
import { type Call, measure, type Target, type Work } from './load.ts';
import { ProcessorTime } from './processor-time.ts';
import { queries } from './queries.ts';
import { markdown } from './report.ts';
import { usageOf } from './usage.ts';
import { walkWork } from './walk.ts';

const usage =
  'npm run bench:compare -- --with DIR [--engines sqlite,postgres,mariadb] [--rounds 11] [--seconds 1] [--stored 20000] [--only TEXT,…] [--set NAME=VALUE …]: DIR is another checkout of this project that has been built, or this one; NAME=VALUE is in the environment of this build only.';

/**
 * Compares this build with another one while both run on this machine: each round does the same work first with the one and then
 * with the other, in an order that alternates. Only the ratios count, because the machine's speed changes from minute to minute.
 */

interface Contestant {
  readonly server: BuiltServer;
  readonly database: ScratchDatabase;
  readonly target: Target;
  readonly processor: ProcessorTime;
  readonly generator: StatementGenerator;
  readonly sample: Generated[];
}

interface Discipline {
  readonly name: string;
  readonly connections: number;
  /** The work of one round for one server; its calls are generated before the clock runs. */
  readonly work: (contestant: Contestant, seconds: number) => Work;
}

/** What was measured in one round of one contestant. */
interface Figures {
  /** Statements or documents. */
  readonly perSecond: number;
  /** The same by the CPU time of the server alone. */
  readonly perServerSecond: number;
  /** The same by the CPU time of the server together with its connections to the database. */
  readonly perProcessorSecond: number;
  /** Of the latencies: milliseconds. */
  readonly p50: number;
}

/** Statements a second; a server that stores more ends its round early. */
const fastest = { single: 12_000, inBatches: 30_000 };

const { values: options } = parseArgs({
  options: {
    with: { type: 'string' },
    engines: { type: 'string', default: 'sqlite,postgres,mariadb' },
    rounds: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '1' },
    stored: { type: 'string', default: '20000' },
    only: { type: 'string', default: '' },
    set: { type: 'string', multiple: true, default: [] },
  },
});
const other = resolve(options.with ?? '');
const chosen = options.engines.split(',').filter(isEngine);
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const stored = Number(options.stored);
const ownSettings = Object.fromEntries(
  options.set.map((each) => [each.split('=', 1)[0] ?? '', each.slice(each.indexOf('=') + 1)]),
);
const counts = rounds >= 1 && seconds > 0 && stored >= 0;
if (
  options.with === undefined ||
  !counts ||
  chosen.length === 0 ||
  !existsSync(join(other, 'dist/serve.mjs'))
) {
  console.error(`${usage}\nEngines: ${engines.join(', ')}.`);
  process.exit(2);
}

for (const engine of chosen) await compare(engine);

async function compare(engine: Engine): Promise<void> {
  const before = await enter(engine, {}, other);
  const after = await enter(engine, ownSettings);
  try {
    for (const contestant of [before, after]) await load(contestant);
    const rows: string[][] = [];
    for (const discipline of disciplines().filter(isWanted)) {
      rows.push(await compete(discipline, before, after));
      console.error(`${engine}: ${rows.at(-1)?.join(' | ')}`);
    }
    const titles = [
      'Work',
      'connections',
      'other build /s',
      'this build /s',
      'ratio',
      'per CPU second of the server',
      'with its database',
      'p50',
      'failures',
    ];
    console.log(`\n## ${engine}\n\n${markdown(titles, rows)}`);
  } finally {
    for (const { server, database } of [before, after]) {
      await server.stop();
      await database.drop();
    }
  }
}

async function enter(
  engine: Engine,
  settings: Readonly<Record<string, string>>,
  checkout?: string,
): Promise<Contestant> {
  const database = await createScratchDatabase(engine);
  const server = await startBuiltServer({ ...database.settings, ...settings }, { checkout });
  const target = { ...server, endpoint: `${server.url}/xapi` };
  const processor = new ProcessorTime(server.pid, engine, database);
  return { server, database, target, processor, generator: new StatementGenerator(), sample: [] };
}

/** Stores the statements that the queries ask for. */
async function load(contestant: Contestant): Promise<void> {
  const { generator, sample } = contestant;
  const calls = Array.from({ length: Math.max(1, stored / 500) }, () => {
    const { facts, text } = generator.batch(500);
    sample.push(...facts.filter((_, index) => index % 50 === 0));
    return post(text, 500);
  });
  await measure(contestant.target, { name: 'load', connections: 4, seconds: 600, next: () => calls.shift() });
}

/** One row of the table: median rates, medians of the rounds' ratios with their quartiles, and failed requests of both. */
async function compete(discipline: Discipline, before: Contestant, after: Contestant): Promise<string[]> {
  let failures = 0;
  const run = (contestant: Contestant) => async (): Promise<Figures> => {
    const work = discipline.work(contestant, seconds);
    const cpuBefore = await cpuOf(contestant);
    const measured = await measure(contestant.target, work);
    const cpuAfter = await cpuOf(contestant);
    failures += measured.failures;
    const count = measured.statementsPerSecond * measured.seconds;
    return {
      perSecond: measured.statementsPerSecond,
      perServerSecond: count / (cpuAfter.server - cpuBefore.server),
      perProcessorSecond: count / (cpuAfter.all - cpuBefore.all),
      p50: measured.p50,
    };
  };
  const measured = await takeTurns(rounds, [run(before), run(after)]);
  const of = (figure: keyof Figures) =>
    compared(measured.map((figures) => figures.map((round) => round[figure])));
  const { name, connections } = discipline;
  const rates = of('perSecond').medians.map((rate) => rate.toFixed(0));
  const ratios = (['perSecond', 'perServerSecond', 'perProcessorSecond', 'p50'] as const).map((figure) =>
    shown(of(figure)),
  );
  return [name, String(connections), ...rates, ...ratios, String(failures)];
}

/** Seconds so far. */
async function cpuOf({ server, processor }: Contestant): Promise<{ server: number; all: number }> {
  return { server: usageOf(server.pid)?.cpuSeconds ?? Number.NaN, all: await processor.read() };
}

/** The ratio of the two contestants, e.g. `1.08 (1.02 to 1.11)`. */
function shown({ ratios }: Compared): string {
  const [ratio] = ratios;
  const quartiles = ratio?.quartiles.map((value) => value.toFixed(2)).join(' to ');
  return `${ratio?.median.toFixed(2)} (${quartiles})`;
}

function disciplines(): Discipline[] {
  const writing = [
    { size: 1, connections: 1 },
    { size: 1, connections: 16 },
    { size: 1, connections: 64 },
    { size: 50, connections: 8 },
    { size: 500, connections: 8 },
  ];
  return [
    ...writing.map(({ size, connections }) => ({
      name: size === 1 ? 'POST one statement' : `POST batches of ${size}`,
      connections,
      work: (contestant: Contestant, duration: number) =>
        writeWork(contestant, { size, connections, duration }),
    })),
    ...queries.map(({ name, call }) => ({
      name: `GET ${name}`,
      connections: 8,
      work: ({ sample }: Contestant, duration: number) => {
        let asked = 0;
        const next = (): Call | undefined => {
          asked += 1;
          const facts = sample[(asked * 7919) % sample.length];
          return facts === undefined ? undefined : call(facts);
        };
        return { name, connections: 8, seconds: duration, next };
      },
    })),
    {
      name: 'GET walk of 50 pages by more',
      connections: 8,
      work: (_contestant, duration) => walkWork(duration),
    },
    ...documentWork(seconds).map((work) => ({ ...work, work: () => work })),
  ];
}

/** @returns whether `--only` names it, as one of several texts between commas. */
function isWanted({ name }: Discipline): boolean {
  return options.only.split(',').some((text) => name.includes(text));
}

function writeWork(
  { generator }: Contestant,
  { size, connections, duration }: { size: number; connections: number; duration: number },
): Work {
  const rate = size === 1 ? fastest.single : fastest.inBatches;
  const calls = Array.from({ length: Math.ceil((duration * rate) / size) }, () =>
    post(size === 1 ? generator.next().text : generator.batch(size).text, size),
  ).values();
  return { name: `POST ${size}`, connections, seconds: duration, next: () => calls.next().value };
}

function post(text: string, statements: number): Call {
  return { method: 'POST', path: '/statements', body: Buffer.from(text), statements };
}
