import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { startBuiltServer } from '../scripts/built-server.ts';
import { documentWork } from './documents.ts';
import { type Generated, StatementGenerator } from './generate.ts';
import { type Call, type Measurement, measure, type Target, type Work } from './load.ts';
import { queries } from './queries.ts';
import { table } from './report.ts';
import { usageOf } from './usage.ts';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    key: { type: 'string', default: 'bench-key' },
    secret: { type: 'string', default: 'bench-secret' },
    pid: { type: 'string' },
    data: { type: 'string' },
    seconds: { type: 'string', default: '8' },
    sizes: { type: 'string', default: '10000,100000' },
    json: { type: 'string' },
  },
});

const seconds = Number(options.seconds);
const own = options.url === undefined ? await startBuiltServer('sqlite') : undefined;
const target: Target = own ?? { url: String(options.url), key: options.key, secret: options.secret };
const pid = own?.pid ?? (options.pid === undefined ? undefined : Number(options.pid));

const generator = new StatementGenerator();
/** A sample of what is stored, for the queries to ask about. */
const sample: Generated[] = [];
let stored = 0;
const rows: (Measurement & {
  stored: number;
  serverCpu: number | undefined;
  peakMemory: number | undefined;
})[] = [];

async function record(work: Work): Promise<void> {
  const before = pid === undefined ? undefined : usageOf(pid);
  const measurement = await measure(target, work);
  const after = pid === undefined ? undefined : usageOf(pid);
  const serverCpu =
    before && after ? (after.cpuSeconds - before.cpuSeconds) / measurement.seconds : undefined;
  rows.push({ ...measurement, stored, serverCpu, peakMemory: after?.peakMemory });
  console.error(
    `${work.name}: ${measurement.statementsPerSecond.toFixed(0)}/s, p50 ${measurement.p50.toFixed(2)} ms`,
  );
}

const postOne = (): Call => {
  const { facts, text } = generator.next();
  if (stored % 7 === 0) sample.push(facts);
  stored += 1;
  return { method: 'POST', path: '/xapi/statements', body: text };
};

const postBatch = (size: number): Call => {
  const { facts, text } = generator.batch(size);
  for (let i = 0; i < facts.length; i += 50) {
    const fact = facts[i];
    if (fact) sample.push(fact);
  }
  stored += size;
  return { method: 'POST', path: '/xapi/statements', body: text, statements: size };
};

async function loadFile(path: string): Promise<void> {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n');
  const batches: string[][] = [];
  for (let i = 0; i < lines.length; i += 500) batches.push(lines.slice(i, i + 500));
  await record({
    name: 'POST the file, batches of 500',
    connections: 1,
    seconds: 600,
    next: () => {
      const batch = batches.shift();
      if (batch === undefined) return undefined;
      stored += batch.length;
      return {
        method: 'POST',
        path: '/xapi/statements',
        body: `[${batch.join(',')}]`,
        statements: batch.length,
      };
    },
  });
}

/** Batches of 500 are generated before they are timed: the generator shares the machine with the server. */
async function load(count: number, batchSize: number, connections: number): Promise<void> {
  const calls: Call[] = [];
  for (let left = count; left > 0; left -= batchSize) calls.push(postBatch(Math.min(batchSize, left)));
  await record({
    name: `POST batches of ${batchSize}`,
    connections,
    seconds: 600,
    next: () => calls.shift(),
  });
}

async function ask(): Promise<void> {
  for (const { name, call } of queries) {
    let turn = 0;
    await record({
      name: `GET ${name}`,
      connections: 8,
      seconds: Math.max(2, seconds / 4),
      next: () => {
        turn += 1;
        const fact = sample[(turn * 7919) % sample.length];
        return fact === undefined ? undefined : call(fact);
      },
    });
  }
  await walk();
}

/** Each connection follows `more` for 50 pages, then starts again from the front. */
async function walk(): Promise<void> {
  const first: Call = { method: 'GET', path: '/xapi/statements?limit=50' };
  const ahead: Call[] = [];
  let pages = 0;
  await record({
    name: 'GET walk of 50 pages by more',
    connections: 8,
    seconds: Math.max(2, seconds / 4),
    next: () => ahead.shift() ?? first,
    answered: (_call, body) => {
      pages += 1;
      const more = /"more":"([^"]+)"\}$/.exec(body)?.[1];
      if (more !== undefined && pages % 50 !== 0) ahead.push({ method: 'GET', path: more });
    },
  });
}

const sizes = options.sizes.split(',').map(Number);
if (options.data !== undefined) await loadFile(options.data);
let generated = 0;
for (const size of sizes) {
  await load(size - generated, 500, 4);
  generated = size;
  await ask();
}
for (const connections of [1, 16, 64]) {
  await record({ name: 'POST one statement', connections, seconds, next: postOne });
}
await record({ name: 'POST batches of 50', connections: 8, seconds, next: () => postBatch(50) });
await record({ name: 'POST batches of 500', connections: 1, seconds, next: () => postBatch(500) });
for (const work of documentWork(seconds)) await record(work);
await own?.stop();

const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
console.log(`${machine}\n\n${table(rows)}`);
if (options.json !== undefined) {
  writeFileSync(
    options.json,
    `${JSON.stringify({ machine, date: new Date().toISOString(), rows }, null, 2)}\n`,
  );
}
