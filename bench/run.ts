import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { startBuiltServer } from '../scripts/built-server.ts';
import { createScratchDatabase, type Engine, engines, isEngine } from '../scripts/scratch-database.ts';
import type { Target } from './load.ts';
import { growth, type Result, sideBySide, sizeTable, table } from './report.ts';
import { sizesOf } from './sizes.ts';
import { Workload } from './workload.ts';

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}

function readArguments<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

const { values: options } = readArguments(() =>
  parseArgs({
    options: {
      engines: { type: 'string', default: 'sqlite' },
      compare: { type: 'string' },
      'compare-key': { type: 'string', default: 'bench-key' },
      'compare-secret': { type: 'string', default: 'bench-secret' },
      'compare-pid': { type: 'string' },
      data: { type: 'string' },
      seconds: { type: 'string', default: '8' },
      sizes: { type: 'string', default: '10000,100000' },
      json: { type: 'string' },
    },
  }),
);

const seconds = Number(options.seconds);
const sizes = options.sizes.split(',').map(Number);
const names = options.engines.split(',').filter((name) => name !== '');
const chosen = names.filter(isEngine);
if (chosen.length < names.length) refuse(`--engines takes ${engines.join(', ')}, not ${options.engines}.`);
if (!(seconds > 0)) refuse(`--seconds takes a number of seconds, not ${options.seconds}.`);
if (!sizes.every((size) => Number.isInteger(size) && size > 0)) {
  refuse(`--sizes takes numbers of statements with commas between them, not ${options.sizes}.`);
}

async function work(target: Target, pid: number | undefined): Promise<Workload> {
  const workload = new Workload(target, pid);
  if (options.data !== undefined) await workload.loadFile(options.data);
  for (const size of sizes) {
    await workload.growTo(size);
    await workload.ask(Math.max(2, seconds / 4));
  }
  await workload.write(seconds);
  await workload.documents(seconds);
  return workload;
}

async function measureEngine(engine: Engine): Promise<Result> {
  console.error(`\n${engine}`);
  const database = await createScratchDatabase(engine);
  const server = await startBuiltServer(database.settings);
  try {
    const { rows } = await work({ ...server, endpoint: `${server.url}/xapi` }, server.pid);
    return { name: engine, rows, sizes: await sizesOf(engine, database) };
  } finally {
    await server.stop();
    await database.drop();
  }
}

async function measureOther(url: string): Promise<Result> {
  console.error(`\n${url}`);
  const target = { endpoint: url, key: options['compare-key'], secret: options['compare-secret'] };
  const pid = options['compare-pid'] === undefined ? undefined : Number(options['compare-pid']);
  const { rows } = await work(target, pid);
  return { name: url, rows, sizes: [] };
}

function print({ name, rows, sizes: taken }: Result): void {
  console.log(`\n## ${name}\n\n${table(rows)}`);
  if (sizes.length > 1) console.log(`\n${growth(rows, sizes)}`);
  if (taken.length > 0) console.log(`\n${sizeTable(taken, rows.at(-1)?.stored ?? 0)}`);
}

const results: Result[] = [];
for (const engine of chosen) results.push(await measureEngine(engine));
if (options.compare !== undefined) results.push(await measureOther(options.compare));

const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
console.log(machine);
for (const result of results) print(result);
if (results.length > 1) console.log(`\n## Side by side\n\n${sideBySide(results)}`);
if (options.json !== undefined) {
  const report = { machine, date: new Date().toISOString(), results };
  writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
}
