import { parseArgs } from 'node:util';
import { type BuiltServer, startBuiltServer } from '../scripts/built-server.ts';
import {
  createScratchDatabase,
  type Engine,
  engines,
  isEngine,
  type ScratchDatabase,
} from '../scripts/scratch-database.ts';
import { StatementGenerator } from './generate.ts';
import { interleave, quantile } from './interleave.ts';
import { type Call, measure, type Target } from './load.ts';
import { ProcessorTime } from './processor-time.ts';
import { type Administration, administer } from './reaction-administration.ts';
import { generatedStatements, matchingRules, otherRules, type Rule } from './reaction-rules.ts';
import { markdown } from './report.ts';

const usage =
  'npm run bench:reactions -- [--engines sqlite,postgres,mariadb] [--rounds 7] [--seconds 6] [--triggers 20000] [--only ingestion,latency,catch-up]';

/**
 * What reactions cost: the rate of ingestion beside reactions that match much or nothing, the time from an acknowledged
 * trigger to its readable result, and how fast past statements are gone through.
 */

const { values: options } = parseArgs({
  options: {
    engines: { type: 'string', default: 'sqlite,postgres,mariadb' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '6' },
    triggers: { type: 'string', default: '20000' },
    only: { type: 'string', default: 'ingestion,latency,catch-up' },
  },
});
const chosen = options.engines.split(',').filter(isEngine);
const [rounds, seconds, triggers] = [options.rounds, options.seconds, options.triggers].map(Number) as [
  number,
  number,
  number,
];
if (chosen.length === 0 || !(rounds >= 1 && seconds > 0 && triggers >= 1)) {
  console.error(`${usage}\nEngines: ${engines.join(', ')}.`);
  process.exit(2);
}

const batchSize = 50;
const connections = 8;
/** Statements a second of a server that stores them fast. */
const fastest = 30_000;
const latencyRate = 500;

interface Contestant {
  readonly server: BuiltServer;
  readonly database: ScratchDatabase;
  readonly administration: Administration;
  readonly generator: StatementGenerator;
  readonly processor: ProcessorTime;
  readonly costs: Cost[];
}

/** What statements have cost in CPU time, in microseconds each: until they were stored, and until they were reacted to as well. */
interface Cost {
  readonly stored: number;
  readonly done: number;
}

const wanted = options.only.split(',');
const parts = Object.entries({ ingestion, latency, 'catch-up': catchUp }).flatMap(([name, part]) =>
  wanted.includes(name) ? [part] : [],
);

for (const engine of chosen) {
  console.log(`\n## ${engine}\n`);
  const rows: string[][] = [];
  for (const part of parts) rows.push(...(await part(engine)));
  console.log(markdown(['Measured', 'result'], rows));
}

/** @param rules those that are active; undefined where reactions are switched off. */
async function withReactions<T>(
  engine: Engine,
  rules: readonly Rule[] | undefined,
  work: (contestant: Contestant) => Promise<T>,
): Promise<T> {
  const database = await createScratchDatabase(engine);
  try {
    const server = await startBuiltServer({
      ...database.settings,
      LRS_ENABLE_REACTIONS: String(rules !== undefined),
    });
    try {
      const administration = await administer(server.url);
      for (const rule of rules ?? []) await administration.create(rule);
      return await work({
        server,
        database,
        administration,
        generator: new StatementGenerator(),
        processor: new ProcessorTime(server.pid, engine, database),
        costs: [],
      });
    } finally {
      await server.stop();
    }
  } finally {
    await database.drop();
  }
}

/** Batches of 50 without reactions, beside 50 of which 5 match a tenth of the statements, and beside 10 that match nothing. */
async function ingestion(engine: Engine): Promise<string[][]> {
  return withReactions(engine, undefined, (without) =>
    withReactions(engine, [...matchingRules(), ...otherRules(45)], (beside50) =>
      withReactions(engine, otherRules(10), async (beside10) => {
        const contestants = [without, beside50, beside10];
        const runs = contestants.map((contestant) => () => ingest(contestant));
        const { medians, ratios } = await interleave(rounds, runs);
        const alone = medianOf(without.costs);
        const others = [beside50, beside10].map(({ costs }) => medianOf(costs));
        const names = ['50 reactions, 5 match a tenth', '10 reactions that match nothing'];
        return [
          ['statements/s in batches of 50, no reactions', (medians[0] ?? 0).toFixed(0)],
          ...ratios.map(({ median, quartiles }, index) => [
            `ratio beside ${names[index]}`,
            `${median.toFixed(2)} (${quartiles.map((ratio) => ratio.toFixed(2)).join(' to ')})`,
          ]),
          ['CPU µs for a statement, no reactions: stored, all done', shown(alone)],
          ...others.map((cost, index) => [`the same beside ${names[index]}`, shown(cost, alone)]),
        ];
      }),
    ),
  );
}

function medianOf(costs: readonly Cost[]): Cost {
  return {
    stored: quantile(
      costs.map(({ stored }) => stored),
      0.5,
    ),
    done: quantile(
      costs.map(({ done }) => done),
      0.5,
    ),
  };
}

/** @param alone what it is compared with. */
function shown({ stored, done }: Cost, alone?: Cost): string {
  const times = (cost: number, base: number | undefined): string =>
    `${cost.toFixed(0)}${base === undefined ? '' : ` (× ${(cost / base).toFixed(2)})`}`;
  return `${times(stored, alone?.stored)}, ${times(done, alone?.done)}`;
}

/** What is left to react to is waited for behind the clock, so that it does not weigh on the next one. */
async function ingest(contestant: Contestant): Promise<number> {
  const { server, administration, generator, processor, costs } = contestant;
  const calls = Array.from({ length: Math.ceil((seconds * fastest) / batchSize) }, () =>
    post(generator.batch(batchSize).text, batchSize),
  ).values();
  const work = { name: 'POST', connections, seconds, next: () => calls.next().value };
  const before = await processor.read();
  const { statementsPerSecond, failures, calls: answered } = await measure(targetOf(server), work);
  if (failures > 0) throw new Error(`${failures} batches failed.`);
  const behind = await processor.read();
  await administration.caughtUp();
  const after = await processor.read();
  const each = 1_000_000 / (answered * batchSize);
  costs.push({ stored: (behind - before) * each, done: (after - before) * each });
  return statementsPerSecond;
}

/** 500 statements a second, of which a tenth trigger: from the answer to the trigger until the result can be read. */
function latency(engine: Engine): Promise<string[][]> {
  return withReactions(engine, [...matchingRules(), ...otherRules(45)], async (contestant) => {
    const { server, generator } = contestant;
    const acknowledged = new Map<string, number>();
    const seen = new Map<string, number>();
    const posting = pace(seconds * 5, async () => {
      const { facts, text } = generator.batch(latencyRate / 50);
      await ask(server, post(text, facts.length));
      const now = performance.now();
      for (const { id } of facts) acknowledged.set(id, now);
    });
    let done = false;
    const watching = watch(server, seen, () => done);
    await posting;
    await contestant.administration.caughtUp();
    done = true;
    await watching;
    const delays = [...seen].map(([id, at]) => at - (acknowledged.get(id) ?? at));
    const [p50, p95] = [0.5, 0.95].map((share) => quantile(delays, share).toFixed(0));
    return [
      [
        `ms from trigger to result at ${latencyRate} statements/s: p50, p95 (${delays.length} results)`,
        `${p50}, ${p95}`,
      ],
    ];
  });
}

/** Calls 50 times a second, without waiting for the one before, and waits for all. */
async function pace(duration: number, call: () => Promise<void>): Promise<void> {
  const start = performance.now();
  const calls: Promise<void>[] = [];
  for (let turn = 0; turn < duration * 50; turn += 1) {
    const wait = start + turn * 20 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    calls.push(call());
  }
  await Promise.all(calls);
}

/** Reads generated statements as they appear, by the id of their trigger; once more after the end. */
async function watch(server: BuiltServer, seen: Map<string, number>, ended: () => boolean): Promise<void> {
  let since = '';
  for (let last = false; !last; ) {
    last = ended();
    const path = `${generatedStatements}${since === '' ? '' : `&since=${since}`}`;
    const page = (await ask(server, { method: 'GET', path })) as {
      statements: { stored: string; object: { id: string } }[];
    };
    const now = performance.now();
    for (const { object } of page.statements) if (!seen.has(object.id)) seen.set(object.id, now);
    since = page.statements.at(-1)?.stored ?? since;
    if (page.statements.length > 0) last = false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Statements that were there before the reactions, of which a tenth match, gone through by a replay. */
function catchUp(engine: Engine): Promise<string[][]> {
  return withReactions(engine, [], async ({ server, administration, generator }) => {
    const calls = Array.from({ length: triggers / 500 }, () => post(generator.batch(500).text, 500)).values();
    const work = { name: 'load', connections: 4, seconds: 600, next: () => calls.next().value };
    await measure(targetOf(server), work);
    await administration.caughtUp();
    const [rule] = matchingRules();
    const id = await administration.create(rule as Rule);
    const start = performance.now();
    const fired = await administration.replay(id);
    const rate = (triggers * 1000) / (performance.now() - start);
    return [[`statements/s gone through by a replay (${triggers}, ${fired} results)`, rate.toFixed(0)]];
  });
}

function targetOf(server: BuiltServer): Target {
  return { ...server, endpoint: `${server.url}/xapi` };
}

function post(text: string, statements: number): Call {
  return { method: 'POST', path: '/statements', body: Buffer.from(text), statements };
}

async function ask({ url, key, secret }: BuiltServer, { method, path, body }: Call): Promise<unknown> {
  const response = await fetch(`${url}/xapi${path}`, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
      'Content-Type': 'application/json',
      'X-Experience-API-Version': '1.0.3',
    },
    ...(body !== undefined && { body: new Uint8Array(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
