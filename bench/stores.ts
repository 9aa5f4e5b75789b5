import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startBuiltServer } from '../scripts/built-server.ts';
import { createScratchDatabase, isEngine } from '../scripts/scratch-database.ts';
import { tokenOf } from '../scripts/screens.ts';
import { usageOf } from './usage.ts';

/*
 * What many stores in one process cost: how long the first request to a store takes that is not open, the memory of the process
 * after each store was used, and how often the database is asked while nobody uses any. With `--keep-open` all of them stay open
 * at the same time, which takes up to two connections each.
 */

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    stores: { type: 'string', default: '200' },
    idle: { type: 'string', default: '20' },
    'keep-open': { type: 'boolean', default: false },
  },
});
if (!isEngine(options.engine)) throw new Error(`There is no engine ${options.engine}.`);
const count = Number(options.stores);
const idleSeconds = Number(options.idle);
const password = 'Tr1cky_pass!';
const account = { username: 'operator of one', password };
const json = { 'Content-Type': 'application/json' };

const database = await createScratchDatabase(options.engine);
const server = await startBuiltServer({
  ...database.settings,
  LRS_ENABLE_STORES: 'true',
  ...(options['keep-open']
    ? { LRS_STORES_MAX_OPEN: options.stores, LRS_STORES_IDLE_TIMEOUT: '3600000' }
    : { LRS_STORES_IDLE_TIMEOUT: '5000' }),
  LRS_ENABLE_ADMIN_STATUS: 'true',
});
try {
  const token = await tokenOf(server);
  const names = Array.from({ length: count }, (_, number) => `store-${number}`);
  const headers = { ...json, Authorization: `Bearer ${token}` };
  for (const name of names) await ask(`${server.url}/admin/stores`, { headers, body: { name, account } });
  console.log(`${count} stores on ${options.engine}, made one after the other`);
  await passed(6);
  const times: number[] = [];
  for (const name of names) times.push(await used(name));
  times.sort((one, other) => one - other);
  const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(0);
  console.log(`first request to a store: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, at most ${at(1)} ms`);
  const memory = usageOf(server.pid)?.peakMemory ?? Number.NaN;
  console.log(
    `memory after all were used: ${memory.toFixed(0)} MiB at most, ${residentOf(server.pid)} MiB now`,
  );
  await passed(8);
  const before = await transactions();
  await passed(idleSeconds);
  const rate = ((await transactions()) - before) / idleSeconds;
  console.log(`transactions a second while nobody uses any: ${rate.toFixed(2)} (the default store has some)`);
} finally {
  await server.stop();
  await database.drop();
}

/** Milliseconds until the store has answered for the first time; then its operator signs in and looks at its status. */
async function used(name: string): Promise<number> {
  const url = `${server.url}/stores/${name}`;
  const start = performance.now();
  const response = await fetch(`${url}/health/ready`);
  if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  await response.text();
  const milliseconds = performance.now() - start;
  const login = await fetch(`${url}/admin/account/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(account),
  });
  const { 'json-web-token': own }: Record<string, string> = JSON.parse(await login.text());
  const status = await fetch(`${url}/admin/status`, { headers: { Authorization: `Bearer ${own}` } });
  if (status.status !== 200) throw new Error(`${name}: ${status.status} ${await status.text()}`);
  await status.text();
  return milliseconds;
}

async function ask(
  url: string,
  { headers, body }: { readonly headers: Record<string, string>; readonly body: object },
): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`);
}

async function transactions(): Promise<number> {
  if (options.engine !== 'postgres') return Number.NaN;
  const [row] = await database.query<{ count: string }>(
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(row?.count);
}

function residentOf(pid: number): string {
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(resident) / 1024).toFixed(0);
}

function passed(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
