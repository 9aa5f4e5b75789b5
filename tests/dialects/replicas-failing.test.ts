import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import type { ReadSession } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { administer, serverOptions } from '../support/engines.ts';
import { type PostgresCluster, startPostgresCluster } from '../support/postgres-cluster.ts';
import { openSilentProxy } from '../support/silent-proxy.ts';
import { batchOf, read, serviceOn, statement } from '../support/statements.ts';
import { conditionLimit } from '../support/time-limits.ts';

const cluster = await startPostgresCluster({ synchronous: false });
if (cluster === undefined && process.env.LRS_TEST_FORBID_SKIP) {
  throw new Error('The programs of Postgres are missing on this machine, so there are no replicas.');
}

/** Selects whether the read is on a replica. */
async function isStandby(session: ReadSession, after = '1'): Promise<boolean | undefined> {
  const [row] = await session.select<{ standby: boolean }>(
    `SELECT pg_is_in_recovery() AS standby FROM (SELECT ${after}) waited`,
  );
  return row?.standby;
}

describe.skipIf(cluster === undefined)('Reads of a replica of Postgres that fails while it reads', () => {
  const { nodes, remove } = cluster as PostgresCluster;
  const [primary, replica] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  const opened: MonitoredDatabase[] = [];
  let options: ServerOptions;

  const open = async (hosts = replica.host): Promise<MonitoredDatabase> => {
    const replicas = { hosts, maxWait: 1000, gather: 0, maximumSize: 4 };
    const database = await openDatabase({ ...options, replicas }, createLogger('OFF'));
    opened.push(database);
    await becomes(database, 'used');
    return database;
  };
  const becomes = (database: MonitoredDatabase, state: string) =>
    expect.poll(async () => (await database.replicas?.status())?.[0]?.state).toBe(state);

  beforeAll(async () => {
    const plain = serverOptions('postgres', `postgres://postgres@${primary.host}/postgres`);
    await administer(plain, `CREATE DATABASE ${plain.dbName}`);
    // Longer than the tests may take, so that it ends no read.
    options = { ...plain, pool: { ...plain.pool, transactionTimeout: 10 * conditionLimit } };
    const db = await openDatabase(options, createLogger('OFF'));
    await serverSecret(db);
    await db.close();
  });

  afterAll(async () => {
    for (const each of opened) await each.close();
    await remove();
  });

  it('are served by the primary when the replica falls silent between two statements', async () => {
    const [host = '', port] = replica.host.split(':');
    const proxy = await openSilentProxy({ host, port: Number(port) });
    const db = await open(`127.0.0.1:${proxy.port}`);
    const seen: unknown[] = [];
    const found = await db.read(
      async (session) => {
        seen.push(await isStandby(session));
        proxy.fallSilent();
        return isStandby(session);
      },
      { mayUseReplica: true },
    );
    expect({ seen, found }).toEqual({ seen: [true, false], found: false });
    await db.close();
    await proxy.close();
  });

  it('go on for as long as they take on a replica that responds', async () => {
    const db = await open();
    const found = await db.read((session) => isStandby(session, 'pg_sleep(5)'), { mayUseReplica: true });
    expect(found).toBe(true);
  });

  it('are served by the primary when pages of the replica are damaged, and the replica is left out', async () => {
    const db = await open();
    const service = serviceOn(db);
    const [id = ''] = await service.store(batchOf([statement()]));
    await becomes(db, 'used');
    // So that it is not repaired from the log when it starts again.
    await primary.query('CHECKPOINT');
    const [logged] = await primary.query('SELECT CAST(pg_current_wal_flush_lsn() AS TEXT) AS place');
    await expect
      .poll(() => replica.query(`SELECT pg_last_wal_replay_lsn() >= '${logged?.place}' AS has`))
      .toEqual([{ has: true }]);
    const [row] = await db.read((session) =>
      session.select<{ path: string }>("SELECT pg_relation_filepath('statement') AS path"),
    );
    const [data] = await replica.query('SHOW data_directory');
    await replica.query('CHECKPOINT');
    await replica.kill();
    const file = await openFile(join(String(data?.data_directory), row?.path ?? ''), 'r+');
    await file.write(Buffer.alloc(8192, 0xff), 0, 8192, 0);
    await file.close();
    await replica.start();
    await becomes(db, 'used');
    for (let count = 0; count < 5; count += 1) expect((await read(service, id)).id).toBe(id);
    expect((await db.replicas?.status())?.[0]?.state).toBe('unreachable');
  });
});
