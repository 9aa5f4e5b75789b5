import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkReadHosts, openDatabase } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { createLogger } from '../../lib/logger.ts';
import { serverOptions } from '../support/engines.ts';
import { type MariadbPair, startMariadbPair } from '../support/mariadb-pair.ts';
import { batchOf, exact, foundIds, serviceOn, statement } from '../support/statements.ts';

const pair = await startMariadbPair();
if (pair === undefined && process.env.LRS_TEST_FORBID_SKIP) {
  throw new Error('The programs of MariaDB are missing on this machine, so there is no replica.');
}

describe.skipIf(pair === undefined)('MariaDB with a replica that serves reads', () => {
  const { primaryPort, replicaPort, query, caughtUp, restartPrimary, remove } = pair as MariadbPair;
  let db: MonitoredDatabase;
  let dbName: string;
  let options: ServerOptions;

  const statusOf = async () => (await db.replicas?.status())?.[0];
  const becomes = (state: string) => expect.poll(async () => (await statusOf())?.state).toBe(state);

  beforeAll(async () => {
    options = serverOptions('mariadb', `mariadb://lrs@127.0.0.1:${primaryPort}/`);
    dbName = options.dbName;
    for (const sql of [
      `CREATE DATABASE ${options.dbName}`,
      "CREATE USER lrs@'%'",
      `GRANT ALL ON ${options.dbName}.* TO lrs@'%'`,
    ])
      await query(primaryPort, sql);
    await caughtUp();
    const replicas = { hosts: `127.0.0.1:${replicaPort}`, maxWait: 1000, gather: 0, maximumSize: 4 };
    options = { ...options, replicas };
    db = await openDatabase(options, createLogger('OFF'));
    await serverSecret(db);
  });

  afterAll(async () => {
    await db?.close();
    await remove();
  });

  it('each read sees what was acknowledged before, from the replica', async () => {
    const service = serviceOn(db);
    await becomes('used');
    const missed: string[] = [];
    for (let number = 0; number < 100; number += 1) {
      const [id = ''] = await service.store(batchOf([statement()]));
      const page = await service.get({ id, voided: false }, exact);
      if (page.statements.length !== 1) missed.push(id);
    }
    expect(missed).toEqual([]);
    expect((await statusOf())?.reads).toBeGreaterThan(50);
  });

  it('the primary serves what a replica has not applied, which is used again when it has', async () => {
    const service = serviceOn(db);
    await becomes('used');
    await query(replicaPort, 'STOP SLAVE SQL_THREAD');
    expect(await checkReadHosts(options)).toEqual([]);
    const [id = ''] = await service.store(batchOf([statement()]));
    const { reads = 0 } = (await statusOf()) ?? {};
    expect(await foundIds(service)).toContain(id);
    expect(await statusOf()).toMatchObject({ state: 'lagging', reads });
    expect(await checkReadHosts(options)).toMatchObject([
      { host: `127.0.0.1:${replicaPort}`, reason: expect.stringContaining('it is behind the primary') },
    ]);
    await query(replicaPort, 'START SLAVE SQL_THREAD');
    await becomes('used');
    expect(await foundIds(service)).toContain(id);
    expect((await statusOf())?.reads).toBeGreaterThan(reads);
  });

  it('each start of the primary makes a new lineage, and the replica is used again when it has it', async () => {
    const service = serviceOn(db);
    const lineage = async () =>
      (await query(primaryPort, `SELECT epoch FROM ${dbName}.cache_epoch WHERE name = 'lineage'`))[0]?.epoch;
    await becomes('used');
    const before = await lineage();
    await service.store(batchOf([statement()]));
    expect(await lineage()).toBe(before);
    await restartPrimary();
    await expect.poll(async () => foundIds(service).then(() => 'found', String)).toBe('found');
    await expect.poll(lineage).not.toBe(before);
    await becomes('used');
    const [id = ''] = await service.store(batchOf([statement()]));
    const { reads = 0 } = (await statusOf()) ?? {};
    expect(await foundIds(service)).toContain(id);
    expect((await statusOf())?.reads).toBeGreaterThan(reads);
  });

  it('a replica that accepts writes is not used', async () => {
    await becomes('used');
    await query(replicaPort, 'SET GLOBAL read_only = OFF');
    await becomes('primary');
    await query(replicaPort, 'SET GLOBAL read_only = ON');
    await becomes('used');
  });
});
