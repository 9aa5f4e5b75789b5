import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factsOf } from '../../lib/db/dialects/facts.ts';
import { type CountingProxy, openCountingProxy } from '../emulator/counting-proxy.ts';
import { type EmulatedFunctions, type FunctionName, startFunctions } from '../emulator/functions.ts';
import { archiveSize } from '../emulator/package.ts';
import { FunctionPool } from '../emulator/pool.ts';
import { recordPrinted } from '../support/disclosure/record.ts';
import { serverEngines, type TestPlace } from '../support/engines.ts';
import { firstAccount, sendTo } from '../support/entrance.ts';
import type { ClientAnswer } from '../support/gateway-events.ts';
import { stringMember } from '../support/lrs-client.ts';
import { databaseSettings } from '../support/server-process.ts';

/* What a deployment may cost at most, in counts and sizes, which do not depend on the share of a processor. */

/**
 * MB that functions may take beyond a function that does nothing: 75 for statements and 100 for all, of which an empty function
 * takes 42 on Node.js 20 and 58 on Node.js 24.
 */
const moreOfStatements = 33;
const moreOfAny = 58;
const memory = 128;

let empty: number;

beforeAll(async () => {
  empty = await memoryOfEmptyFunction();
});

async function memoryOfEmptyFunction(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'lrs-empty-'));
  mkdirSync(join(directory, 'dist'));
  writeFileSync(join(directory, 'dist/lambda-empty.mjs'), 'export const handler = async () => ({});');
  const pool = new FunctionPool({
    ...{ name: 'empty', directory, environment: {}, memory, timeout: 60, concurrency: 1, freezes: true },
    ...{ quota: 'memory', node: process.execPath, onOutput: recordPrinted },
  });
  await pool.provision(1, 1);
  const { peak = 0 } = pool.instances[0]?.usage ?? {};
  await pool.stop();
  rmSync(directory, { recursive: true });
  return peak;
}

describe.each(serverEngines)('a new instance on $name', (engine) => {
  let place: TestPlace;
  let proxy: CountingProxy;
  let functions: EmulatedFunctions;

  beforeAll(async () => {
    place = await engine.reserve();
    const settings = databaseSettings(place.options);
    const standard = factsOf(engine.dialect).server?.standardPort;
    const target = { host: settings.LRS_DB_HOST ?? '', port: Number(settings.LRS_DB_PORT ?? standard) };
    proxy = await openCountingProxy(target);
    functions = await startFunctions({
      settings: {
        ...settings,
        LRS_DB_HOST: '127.0.0.1',
        LRS_DB_PORT: String(proxy.port),
        LRS_LOG_LEVEL: 'ALL',
      },
      first: {
        LRS_ADMIN_USER_DEFAULT: firstAccount.username,
        LRS_ADMIN_PASS_DEFAULT: firstAccount.password,
        LRS_API_KEY_DEFAULT: 'key',
        LRS_API_SECRET_DEFAULT: 'secret',
      },
      memory,
      quota: 'memory',
      onOutput: recordPrinted,
    });
  });
  afterAll(async () => {
    await functions?.stop();
    await proxy?.close();
    await place?.remove();
  });

  /** Starts an instance of a function and sends it one request. @returns what that took. */
  async function firstCall(name: FunctionName, work: () => Promise<ClientAnswer>) {
    const pool = functions.pools[name];
    await Promise.all(pool.instances.map((instance) => instance.kill()));
    const before = { roundTrips: proxy.roundTrips(), connections: proxy.connections() };
    await pool.provision(1, 1);
    const answer = await work();
    return {
      status: answer.status,
      roundTrips: proxy.roundTrips() - before.roundTrips,
      connections: proxy.connections() - before.connections,
      megabytes: pool.instances.find(({ ended }) => !ended)?.usage.peak ?? 0,
    };
  }

  /**
   * The least that the first call of three instances has taken: garbage that is collected late adds to the memory, and what is sent
   * without waiting counts as another round trip where an answer overtakes it.
   */
  async function leastOfFirstCalls(name: FunctionName, work: () => Promise<ClientAnswer>) {
    const calls = [await firstCall(name, work), await firstCall(name, work), await firstCall(name, work)];
    return {
      statuses: new Set(calls.map(({ status }) => status)),
      roundTrips: Math.min(...calls.map(({ roundTrips }) => roundTrips)),
      connections: new Set(calls.map(({ connections }) => connections)),
      megabytes: Math.min(...calls.map(({ megabytes }) => megabytes)),
    };
  }

  const headers = {
    authorization: `Basic ${btoa('key:secret')}`,
    'content-type': 'application/json',
    'x-experience-api-version': '1.0.3',
  };
  const statement = {
    actor: { mbox: 'mailto:ann@example.org' },
    verb: { id: 'https://example.org/verbs/read' },
    object: { id: 'https://example.org/page' },
  };
  const send = (method: string, target: string, body?: object): Promise<ClientAnswer> => {
    const [path = '', query = ''] = target.split('?');
    return sendTo(functions.url, {
      ...{ method, path, query, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  };
  const logIn = () => send('POST', '/admin/account/login', firstAccount);
  let token: string | undefined;
  const sendAsOperator = (path: string, query = ''): Promise<ClientAnswer> =>
    sendTo(path === '/admin/csv' ? functions.streamingUrl : functions.url, {
      ...{ method: 'GET', path, query },
      headers: { authorization: `Bearer ${token}` },
    });
  const state = `activityId=https://example.org/a&stateId=s&agent=${encodeURIComponent(JSON.stringify(statement.actor))}`;
  const columns = `property-paths=${encodeURIComponent('[["id"]]')}`;

  it('stores its first statement with 128 MB of memory, of which it takes some 75, over one connection', async () => {
    const { megabytes, ...counts } = await leastOfFirstCalls('statements', () =>
      send('POST', '/xapi/statements', statement),
    );
    expect(counts).toMatchObject({ statuses: new Set([200]), connections: new Set([1]) });
    // The connection, its settings (MariaDB), the schema, the key pair, what is prepared, and the transaction.
    expect(counts.roundTrips).toBeLessThanOrEqual(engine.family === 'postgres' ? 5 : 6);
    expect(megabytes).toBeGreaterThan(0);
    expect(megabytes - empty).toBeLessThanOrEqual(moreOfStatements);
  });

  /** Until the answer is complete. The second number is that of MariaDB, which is asked for a commit only when all else has succeeded. */
  it.each<[FunctionName, string, () => Promise<ClientAnswer>, number, number]>([
    ['resources', 'document', () => send('PUT', `/xapi/activities/state?${state}`, {}), 6, 6],
    ['administration', 'list of key pairs', () => sendAsOperator('/admin/creds'), 6, 7],
    ['administration', 'login', logIn, 9, 14],
    ['streaming', 'export', () => sendAsOperator('/admin/csv', columns), 7, 9],
  ])('of %s needs few round trips for its first %s', async (name, _what, work, postgres, mariadb) => {
    await send('POST', '/xapi/statements', statement);
    token ??= stringMember(await logIn(), 'json-web-token');
    const { statuses, roundTrips } = await leastOfFirstCalls(name, work);
    expect([...statuses].filter((status) => status >= 300)).toEqual([]);
    expect(roundTrips).toBeLessThanOrEqual(engine.family === 'postgres' ? postgres : mariadb);
  });

  it.each<[FunctionName, string, string, object | undefined, number]>([
    [
      'resources',
      'GET',
      '/xapi/agents?agent=%7B%22mbox%22%3A%22mailto%3Aann%40example.org%22%7D',
      undefined,
      1,
    ],
    ['administration', 'POST', '/admin/account/login', firstAccount, 1],
    ['screen', 'GET', '/xapi/about', undefined, 0],
  ])(
    'of %s works with 128 MB of memory, of which it takes some 100 at most',
    async (name, method, path, body, connections) => {
      const { megabytes, ...counts } = await leastOfFirstCalls(name, () => send(method, path, body));
      expect(counts).toMatchObject({ statuses: new Set([200]), connections: new Set([connections]) });
      expect(megabytes - empty).toBeLessThanOrEqual(moreOfAny);
    },
  );

  it('is made of a package of at most 1.5 MB without the screen', () => {
    const isScreen = (path: string) => path.startsWith('dist/web/');
    const size = archiveSize(functions.package, (path) => !isScreen(path));
    expect(size).toBeLessThanOrEqual(1_500_000);
    expect(archiveSize(functions.package)).toBeGreaterThan(size);
  });
});
