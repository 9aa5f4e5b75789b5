import { parseArgs } from 'node:util';
import { startBuiltServer } from '../scripts/built-server.ts';
import { createScratchDatabase, isEngine } from '../scripts/scratch-database.ts';
import { tokenOf } from '../scripts/screens.ts';
import { StatementGenerator } from './generate.ts';
import { compared, takeTurns } from './interleave.ts';
import { type Call, measure, type Target } from './load.ts';
import { markdown } from './report.ts';

/*
 * What busy stores store together, in alternating rounds: one store, two stores on one database server, and two on two servers.
 */

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    second: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
  },
});
if (!isEngine(options.engine) || options.second === undefined) {
  console.error(
    'npm run bench:busy-stores -- --second URL [--engine postgres] [--rounds 7] [--seconds 2]: URL is a database on another server.',
  );
  process.exit(2);
}
const seconds = Number(options.seconds);
const account = { username: 'operator of one', password: 'Tr1cky_pass!' };
/** So many statements a second are generated for each store before the clock runs. */
const fastest = { single: 8_000, inBatches: 16_000 };

const database = await createScratchDatabase(options.engine);
const server = await startBuiltServer({
  ...database.settings,
  LRS_ENABLE_STORES: 'true',
  LRS_STORES_SERVERS: `second=${options.second}`,
});
const made: string[] = [];
try {
  const own = await tokenOf(server);
  const stores = {
    alpha: await storeOn('main', 'alpha', own),
    beta: await storeOn('main', 'beta', own),
    gamma: await storeOn('second', 'gamma', own),
  };
  const contestants = [
    { name: 'one store', targets: [stores.alpha] },
    { name: 'two stores, one database server', targets: [stores.alpha, stores.beta] },
    { name: 'two stores, two database servers', targets: [stores.alpha, stores.gamma] },
  ];
  for (const work of [
    { name: 'one statement', size: 1, connections: 16 },
    { name: 'batches of 50', size: 50, connections: 8 },
  ]) {
    const runs = contestants.map(
      ({ targets }) =>
        () =>
          together(targets, work),
    );
    for (const run of runs) await run();
    const { medians, ratios } = compared(await takeTurns(Number(options.rounds), runs));
    const rows = contestants.map(({ name }, index) => [
      name,
      (medians[index] ?? 0).toFixed(0),
      index === 0 ? '1' : (ratios[index - 1]?.median ?? 0).toFixed(2),
      index === 0 ? '' : (ratios[index - 1]?.quartiles ?? []).map((value) => value.toFixed(2)).join(' to '),
    ]);
    const titles = [
      `POST ${work.name}, ${work.connections} connections to each store`,
      'statements/s',
      'ratio',
      'quartiles',
    ];
    console.log(`\n${markdown(titles, rows)}`);
  }
} finally {
  for (const name of made) await remove(name, await tokenOf(server));
  await server.stop();
  await database.drop();
}

/** Statements a second that clients of all targets store in the same time. */
async function together(
  targets: readonly Target[],
  { size, connections }: { readonly size: number; readonly connections: number },
): Promise<number> {
  const rate = size === 1 ? fastest.single : fastest.inBatches;
  const works = targets.map((target) => {
    const generator = new StatementGenerator();
    const calls = Array.from({ length: Math.ceil((seconds * rate) / size) }, (): Call => {
      const text = size === 1 ? generator.next().text : generator.batch(size).text;
      return { method: 'POST', path: '/statements', body: Buffer.from(text), statements: size };
    }).values();
    return { target, work: { name: 'POST', connections, seconds, next: () => calls.next().value } };
  });
  const measured = await Promise.all(works.map(({ target, work }) => measure(target, work)));
  if (measured.some(({ failures }) => failures > 0)) throw new Error('A request failed.');
  return measured.reduce((sum, { statementsPerSecond }) => sum + statementsPerSecond, 0);
}

/** Makes a store with a key pair. */
async function storeOn(place: string, name: string, token: string): Promise<Target> {
  await ask(`${server.url}/admin/stores`, token, { name, server: place, account });
  made.push(name);
  const url = `${server.url}/stores/${name}`;
  const { 'json-web-token': own = '' } = await ask(`${url}/admin/account/login`, undefined, account);
  const { 'api-key': key = '', 'secret-key': secret = '' } = await ask(`${url}/admin/creds`, own, {
    scopes: ['all'],
  });
  return { endpoint: `${url}/xapi`, key, secret };
}

async function remove(name: string, token: string): Promise<void> {
  const url = `${server.url}/admin/stores/${name}`;
  await ask(url, token, { state: 'closed' }, 'PUT');
  await ask(url, token, { name }, 'DELETE');
}

async function ask(
  url: string,
  token: string | undefined,
  body: object,
  method = 'POST',
): Promise<Record<string, string>> {
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const headers = { 'Content-Type': 'application/json', ...authorization };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text === '' ? {} : JSON.parse(text);
}
