import mariadb from 'mariadb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkHosts, openDatabase } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { openFunctionDatabase } from '../../lib/db/function-database.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import { createReadiness } from '../../lib/db/readiness.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { OutageError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import { administer, serverOptions } from '../support/engines.ts';
import { type GaleraCluster, startGaleraCluster } from '../support/galera-cluster.ts';
import { openSilentProxy } from '../support/silent-proxy.ts';
import { agent, batchOf, everything, exact, read, serviceOn, statement } from '../support/statements.ts';
import { testLimit } from '../support/time-limits.ts';

const logger = createLogger('OFF');
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
/** A node that shares a slow machine may answer later than requests wait by default. */
const withPatience = (options: ServerOptions): ServerOptions => ({
  ...options,
  pool: { ...options.pool, transactionTimeout: testLimit },
});
const cluster = await startGaleraCluster(2);
if (cluster === undefined && process.env.LRS_TEST_FORBID_SKIP) {
  throw new Error('MariaDB, galera-4 or rsync is missing on this machine.');
}

describe.skipIf(cluster === undefined)('two nodes of a Galera cluster that both take writes', () => {
  const { ports, leaveFirstAlone, bootstrapFirst, remove } = cluster as GaleraCluster;
  const opened: MonitoredDatabase[] = [];
  let services: StatementService[];
  let first: ServerOptions | undefined;

  beforeAll(async () => {
    const [one, ...others] = ports.map((port) =>
      withPatience(serverOptions('mariadb', `mariadb://root@127.0.0.1:${port}/`)),
    );
    if (one === undefined) throw new Error('There is no node.');
    first = one;
    await administer(first, `CREATE DATABASE ${first.dbName}`);
    for (const options of [one, ...others.map((other) => ({ ...other, dbName: one.dbName }))])
      opened.push(await openDatabase(options, logger));
    const [db] = opened;
    if (db !== undefined) await serverSecret(db);
    const inFunction = await openFunctionDatabase(one, logger);
    opened.push(inFunction.db);
    services = opened.map((each) => serviceOn(each, { upkeep: false }));
  });

  afterAll(async () => {
    await Promise.all(opened.map((db) => db.close()));
    await remove();
  });

  it('are recognised, whichever one a process is told to use', () => {
    for (const { dialect, batches } of opened) {
      expect(dialect.isReplicated).toBe(true);
      expect(batches).toBeUndefined();
    }
  });

  it('give each statement a position of its own, in the order of the acknowledgements, and all of them are found through each', async () => {
    const writers = Array.from({ length: 8 }, (_, writer) => services[writer % services.length]);
    const stored = await Promise.all(
      writers.map(async (service, writer) => {
        const ids: string[] = [];
        for (let round = 0; round < 10; round += 1) {
          ids.push(
            ...((await service?.store(
              batchOf([
                statement({ actor: { ...agent('someone'), name: `${writer} ${round}` } }),
                statement(),
              ]),
            )) ?? []),
          );
          // What was acknowledged through one node is found through another one at once.
          const elsewhere = services[(writer + 1) % services.length];
          const newest = ids.at(-1) ?? '';
          if (elsewhere !== undefined) expect((await read(elsewhere, newest)).id).toBe(newest);
        }
        return ids;
      }),
    );
    for (const service of services) {
      const page = await service.query({ ...everything, ascending: true, limit: 1000 }, exact);
      const found = page.statements.map(({ text }): string => JSON.parse(text).id);
      expect(found.toSorted()).toEqual(stored.flat().toSorted());
      for (const ids of stored) expect(found.filter((id) => ids.includes(id))).toEqual(ids);
    }
  });

  it('leave nothing of a transaction behind that another node was faster than', async () => {
    const rows = (sql: string) => opened[0]?.read((session) => session.select<{ count: number }>(sql));
    expect(
      await rows(
        'SELECT COUNT(*) AS count FROM statement_key LEFT JOIN statement USING (position) WHERE id IS NULL',
      ),
    ).toEqual([{ count: 0 }]);
    expect(
      await rows(
        'SELECT COUNT(*) AS count FROM agent_name LEFT JOIN statement ON position = first_seen WHERE id IS NULL',
      ),
    ).toEqual([{ count: 0 }]);
  });

  it('give out no watermark that a later statement of the other node has passed', async () => {
    const [one, two] = services;
    for (let round = 0; round < 5; round += 1) {
      const watermark = (await one?.consistentThrough()) ?? 0;
      const [id = ''] = (await two?.store(batchOf([statement()]))) ?? [];
      const page = await one?.query(everything, exact);
      const newest = page?.statements[0];
      expect(JSON.parse(newest?.text ?? '{}').id).toBe(id);
      expect(newest?.position).toBeGreaterThan(watermark);
    }
  });

  it('repeat a read that a node ends because it is behind, until it has what was acknowledged', async () => {
    const [one, two] = services;
    if (one === undefined || two === undefined) throw new Error('There is no node.');
    const connect = () => mariadb.createConnection({ host: '127.0.0.1', port: ports[0] ?? 0, user: 'root' });
    const limitReads = (seconds: number) =>
      `SET GLOBAL wsrep_provider_options = 'repl.causal_read_timeout=PT${seconds}S'`;
    const [operator, reader] = [await connect(), await connect()];
    try {
      await reader.query('SET SESSION wsrep_sync_wait = 1');
      await operator.query(limitReads(0.2));
      // The node applies nothing any more.
      await operator.query('FLUSH TABLES WITH READ LOCK');
      const [id = ''] = await two.store(batchOf([statement()]));
      const found = read(one, id);
      for (let round = 0; round < 2; round += 1) {
        expect(await failure(reader.query('SELECT 1'))).toMatchObject({ errno: 1205 });
      }
      await operator.query('UNLOCK TABLES');
      expect((await found).id).toBe(id);
    } finally {
      await operator.query(limitReads(30));
      await Promise.all([operator.end(), reader.end()]);
    }
  });

  it('say that they have no majority as soon as each host was tried, and what each host does', async () => {
    if (first === undefined) throw new Error('There is no node.');
    const severalHosts = `127.0.0.1:${ports[1]},127.0.0.1:${ports[0]}`;
    // A search that goes on until the time for a connection is over lasts longer than a test may.
    const endless = { ...first.pool, connectionTimeout: 2 * testLimit };
    const several = await openDatabase({ ...first, dbHost: severalHosts, pool: endless }, logger);
    const silent = await openSilentProxy({ host: '127.0.0.1', port: ports[1] ?? 0 });
    const withSilent = await openDatabase(
      {
        ...first,
        dbHost: `${severalHosts},127.0.0.1:${silent.port}`,
        pool: { ...first.pool, connectionTimeout: 6000 },
      },
      logger,
    );
    opened.push(several);
    onTestFinished(async () => {
      await withSilent.close();
      await silent.close();
    });
    await several.read((session) => session.select('SELECT 1 AS one'));
    silent.fallSilent();
    await leaveFirstAlone();
    const cases = [
      { db: several, noticed: { [ports[0] ?? 0]: 'no majority', [ports[1] ?? 0]: 'ECONNREFUSED' } },
      {
        db: withSilent,
        noticed: {
          [ports[0] ?? 0]: 'no majority',
          [ports[1] ?? 0]: 'ECONNREFUSED',
          [silent.port]: 'timeout',
        },
      },
    ];
    for (const { db: each, noticed } of cases) {
      const tried = Object.entries(noticed).map(([port, reason]) => `127.0.0.1:${port} (${reason})`);
      const onService = serviceOn(each, { upkeep: false });
      const requests = Array.from({ length: 4 }, () => [
        failure(onService.query(everything, exact)),
        failure(onService.store(batchOf([statement()]))),
      ]);
      for (const error of await Promise.all(requests.flat())) {
        expect(error).toBeInstanceOf(OutageError);
        const { message } = (error as { cause: Error }).cause;
        expect(message).toContain('None of the Galera nodes has a majority of its cluster, tried were ');
        for (const host of tried) expect(message).toContain(host);
      }
    }
  });

  it('say at once that they have no majority when the other one is lost, and go on when they have one again', async () => {
    const [db, , inFunction] = opened;
    const [service] = services;
    if (db === undefined || inFunction === undefined || service === undefined || first === undefined)
      throw new Error('There is no node.');
    await leaveFirstAlone();
    const noMajority = {
      message: 'The database is out of reach.',
      cause: { message: expect.stringContaining(`The Galera node at 127.0.0.1:${ports[0]} has no majority`) },
    };
    // Asked again until it is too busy, it would fail with another message. A statement that the connection has not prepared, which the node answers with a lock wait timeout.
    for (const each of [inFunction, db]) {
      const counting = each.read((session) => session.select('SELECT COUNT(*) AS count FROM statement'));
      expect(await failure(counting)).toMatchObject(noMajority);
    }
    // The second of each kind opens a new connection.
    for (let round = 0; round < 2; round += 1) {
      expect(await failure(service.store(batchOf([statement()])))).toMatchObject(noMajority);
      expect(await failure(service.query(everything, exact))).toMatchObject(noMajority);
    }
    await expect.poll(() => failure(createReadiness(db).check())).toMatchObject(noMajority);
    expect(await failure(openDatabase(first, logger))).toMatchObject(noMajority);
    expect(await failure(openFunctionDatabase(first, logger))).toMatchObject(noMajority);
    expect(await checkHosts(first)).toEqual([
      { host: `127.0.0.1:${ports[0]}`, reason: expect.stringContaining('has no majority') },
    ]);
    await bootstrapFirst();
    await expect.poll(() => failure(service.store(batchOf([statement()])))).toBeUndefined();
    await expect.poll(() => failure(createReadiness(db).check())).toBeUndefined();
  });
});
