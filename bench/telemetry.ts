import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { groupCommitted, isMeasured, measureDatabase } from '../lib/telemetry/measure.ts';
import { currentSpan, traced, tracedGroup } from '../lib/telemetry/trace.ts';
import { type BuiltServer, startBuiltServer } from '../scripts/built-server.ts';
import {
  createScratchDatabase,
  type Engine,
  isEngine,
  type ScratchDatabase,
} from '../scripts/scratch-database.ts';
import { StatementGenerator } from './generate.ts';
import { compared, takeTurns } from './interleave.ts';
import { measure } from './load.ts';
import { markdown } from './report.ts';
import { processorSeconds } from './usage.ts';
import { buildWithoutTelemetry } from './without-telemetry.ts';

/*
 * What telemetry costs: single statements at 64 connections, stored by servers that take turns. The first has no telemetry in its
 * code. Metrics are collected once in each round, and traces are sent to a collector that drops them.
 */

const { values: options } = parseArgs({
  options: {
    engines: { type: 'string', default: 'postgres' },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '2' },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const connections = 64;
/** Statements a second; a server that stores more ends its round early. */
const fastest = 12_000;
const token = 'a token of the benchmark';

interface Contestant {
  readonly name: string;
  readonly server: BuiltServer;
  readonly database: ScratchDatabase;
  readonly generator: StatementGenerator;
}

interface Figures {
  readonly perSecond: number;
  /** Seconds of CPU time that the process of the server takes for a statement. */
  readonly processorTime: number;
}

const collector = createServer((request, response) => {
  request.resume().once('end', () => response.setHeader('Content-Type', 'application/json').end('{}'));
});
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
const { port } = collector.address() as AddressInfo;
const telemetry = {
  LRS_METRICS_TOKEN: token,
  LRS_ENABLE_TRACES: 'true',
  LRS_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
};
console.log(
  `What a request calls while telemetry is disabled takes ${(await disabledTime()).toFixed(0)} ns.`,
);
const checkout = await buildWithoutTelemetry();
const nowhere = openSync(devNull, 'w');
const log = openSync(join(tmpdir(), 'serverless-lrs-bench.log'), 'w');

for (const engine of options.engines.split(',').filter(isEngine)) await compareOn(engine);
collector.close();
for (const file of [nowhere, log]) closeSync(file);

async function compareOn(engine: Engine): Promise<void> {
  const contestants = [
    await enter(engine, 'without telemetry', { LRS_LOG_LEVEL: 'INFO' }, { checkout, log }),
    await enter(engine, 'disabled', { LRS_LOG_LEVEL: 'INFO' }, { log }),
    await enter(engine, 'metrics', { LRS_METRICS_TOKEN: token, LRS_LOG_LEVEL: 'INFO' }, { log }),
    await enter(engine, 'metrics, traces', { ...telemetry, LRS_LOG_LEVEL: 'INFO' }, { log }),
    await enter(
      engine,
      'metrics, traces, a line of the log for each request',
      { ...telemetry, LRS_LOG_LEVEL: 'DEBUG' },
      { log },
    ),
  ];
  try {
    await takeTurns(1, contestants.map(run));
    const measured = await takeTurns(rounds, contestants.map(run));
    const of = (figure: keyof Figures, from: number) =>
      compared(measured.slice(from).map((figures) => figures.map((round) => round[figure])));
    const rows = contestants.map(({ name }, index) => [
      name,
      of('perSecond', index).medians[0]?.toFixed(0) ?? '',
      ((of('processorTime', index).medians[0] ?? 0) * 1e6).toFixed(0),
      ...(index < 1 ? ['', ''] : [shown(of('perSecond', 0), index), shown(of('processorTime', 0), index)]),
      ...(index < 2
        ? ['', '']
        : [shown(of('perSecond', 1), index - 1), shown(of('processorTime', 1), index - 1)]),
    ]);
    const titles = [
      'Server',
      'statements/s',
      'CPU µs',
      'rate, to the first',
      'CPU, to the first',
      'rate, to disabled',
      'CPU, to disabled',
    ];
    console.log(`\n## ${engine}\n\n${markdown(titles, rows)}`);
  } finally {
    for (const { server, database } of contestants) {
      await server.stop();
      await database.drop();
    }
  }
}

async function enter(
  engine: Engine,
  name: string,
  settings: Readonly<Record<string, string>>,
  start: { readonly checkout?: string; readonly log: number },
): Promise<Contestant> {
  const database = await createScratchDatabase(engine);
  const server = await startBuiltServer({ ...database.settings, ...settings }, start);
  return { name, server, database, generator: new StatementGenerator() };
}

function run({ name, server, generator }: Contestant): () => Promise<Figures> {
  return async () => {
    const calls = Array.from({ length: Math.ceil(seconds * fastest) }, () => ({
      method: 'POST' as const,
      path: '/statements',
      body: Buffer.from(generator.next().text),
    })).values();
    const before = processorSeconds(server.pid);
    const scraping = fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
    const measured = await measure(
      { ...server, endpoint: `${server.url}/xapi` },
      { name, connections, seconds, next: () => calls.next().value },
    );
    await (await scraping).text();
    if (measured.failures > 0) throw new Error(`${measured.failures} requests failed.`);
    return {
      perSecond: measured.statementsPerSecond,
      processorTime: (processorSeconds(server.pid) - before) / measured.calls,
    };
  };
}

/** Nanoseconds of the calls that storing one statement makes, those of a transaction of its own included: the least of 20 loops. */
async function disabledTime(): Promise<number> {
  const count = 100_000;
  const work = Promise.resolve();
  let least = Number.POSITIVE_INFINITY;
  for (let loop = 0; loop < 20; loop += 1) {
    const before = process.cpuUsage();
    for (let call = 0; call < count; call += 1) {
      for (const part of ['admission', 'prepare', 'commit']) traced(part, work);
      const spans = [currentSpan()];
      tracedGroup('group commit', spans, () => work);
      measureDatabase('batch', traced('BATCH', work, { 'db.operation.name': 'BATCH' }));
      if (isMeasured()) groupCommitted(1, 1, 0);
    }
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, ((user + system) * 1000) / count);
  }
  await work;
  return least;
}

/** A ratio with its quartiles, e.g. `0.98 (0.97 to 0.99)`. */
function shown({ ratios }: ReturnType<typeof compared>, contestant: number): string {
  const ratio = ratios[contestant - 1];
  const quartiles = ratio?.quartiles.map((value) => value.toFixed(3)).join(' to ');
  return `${ratio?.median.toFixed(3)} (${quartiles})`;
}
