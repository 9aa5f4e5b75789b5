import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { createLogger } from '../../lib/logger.ts';
import { type Lrs, openLrs } from '../../lib/lrs.ts';
import { examineHere } from '../../scripts/doctor/here.ts';
import { readCommand } from '../../scripts/lrs-arguments.mjs';
import { operate } from '../../scripts/operator/operate.ts';
import type { Outcome } from '../../scripts/operator/outcome.ts';
import { administer, serverOptions } from '../support/engines.ts';
import { type PostgresCluster, startPostgresCluster } from '../support/postgres-cluster.ts';

const cluster = await startPostgresCluster({ synchronous: false });
if (cluster === undefined && process.env.LRS_TEST_FORBID_SKIP) {
  throw new Error('The programs of Postgres are missing on this machine, so there are no replicas.');
}

const account = { username: 'operator of acme', password: 'Tr1cky_pass!' };

describe.skipIf(cluster === undefined)('operators of an LRS with hosts, replicas and stores', () => {
  const { nodes, remove } = cluster as PostgresCluster;
  const [primary, fast, slow] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]];
  /** Nothing answers there. */
  const dead = '127.0.0.1:1';
  let options: ServerOptions;
  let lrs: Lrs;
  let source: { readonly env: Record<string, string>; readonly cwd: string };

  beforeAll(async () => {
    options = serverOptions('postgres', `postgres://postgres@${primary.host}/postgres`);
    await administer(options, `CREATE DATABASE ${options.dbName}`);
    const second = `${options.dbName}_second`;
    await administer(options, `CREATE DATABASE ${second}`);
    const readHosts = encodeURIComponent(`${fast.host},${slow.host}`);
    const env = {
      LRS_DB_TYPE: 'postgres',
      LRS_DB_HOST: `${slow.host},${primary.host}`,
      LRS_DB_READ_HOSTS: `${fast.host},${dead}`,
      LRS_DB_NAME: options.dbName,
      LRS_DB_USER: 'postgres',
      LRS_ENABLE_STORES: 'true',
      LRS_STORES_SERVERS: `second=postgresql://postgres@${primary.host}/${second}?readHosts=${readHosts}`,
    };
    source = { env, cwd: import.meta.dirname };
    const { config, secrets } = loadConfig(source);
    lrs = await openLrs(config, secrets, createLogger('OFF'));
    await lrs.stores?.create({ name: 'acme', server: 'second', account });
  });
  afterAll(async () => {
    await lrs.close();
    await remove();
  });

  it('learn from the doctor which replica has no fault, and which one of a store is behind in the database of the store', async () => {
    const found = async () =>
      (await examineHere(source))
        .filter(({ check }) => check === 'read replicas')
        .map(({ message }) => message);
    const main = [
      `No fault is found in ${fast.host} (dbReadHosts).`,
      `No reads can be sent to ${dead} (dbReadHosts): No Postgres answers at ${dead}: start it, or check dbReadHosts.`,
    ];
    await expect.poll(found).toEqual(main);
    await slow.delay(60_000);
    await lrs.stores?.create({ name: 'globex', server: 'second', account });
    expect(await found()).toEqual([
      ...main,
      `No reads can be sent to ${slow.host} (readHosts of second in stores.storesServers): it is behind the primary, or follows another server. It is used again when it has caught up.`,
    ]);
    await slow.delay(0);
  });

  it('see where writes go, the state of each replica and how many stores there are in the status', async () => {
    await lrs.stores?.create({ name: 'umbrella', account });
    await lrs.stores?.change('umbrella', { state: 'closed' });
    const shown = async (): Promise<Outcome> => {
      const outcomes: Outcome[] = [];
      await operate(readCommand(['status']), source, {
        readPassword: async () => '',
        show: async (outcome) => void outcomes.push(outcome),
      });
      return outcomes[0] as Outcome;
    };
    await expect
      .poll(async () => (await shown()).lines)
      .toEqual(
        expect.arrayContaining([
          `database-server         ${primary.host}, of ${slow.host},${primary.host} (dbHost)`,
          `replicas                ${fast.host} used, 0 ms behind; ${dead} unreachable`,
          expect.stringMatching(/^stores {18}1 closed, \d open$/),
        ]),
      );
    expect((await shown()).value).toMatchObject({
      'database-server': primary.host,
      replicas: [{ host: fast.host }, { host: dead, state: 'unreachable' }],
      stores: { closed: 1 },
    });
  });
});
