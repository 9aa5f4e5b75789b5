import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { createLogger } from '../../lib/logger.ts';
import { administer, serverOptions } from '../support/engines.ts';
import { type PostgresCluster, startPostgresCluster } from '../support/postgres-cluster.ts';
import { postgresFolder, startPrivateServer } from '../support/private-server.ts';
import { batchOf, read, serviceOn, statement } from '../support/statements.ts';

const run = promisify(execFile);
const cluster = await startPostgresCluster({ synchronous: false });
if (cluster === undefined && process.env.LRS_TEST_FORBID_SKIP) {
  throw new Error('The programs of Postgres are missing on this machine, so there are no replicas.');
}

describe.skipIf(cluster === undefined)('Replicas of Postgres whose primary has been replaced', () => {
  const { nodes, remove } = cluster as PostgresCluster;
  const [primary, ...standbys] = nodes as [(typeof nodes)[0], ...typeof nodes];
  const opened: MonitoredDatabase[] = [];
  let options: ServerOptions;

  const open = async (where: ServerOptions = options): Promise<MonitoredDatabase> => {
    const hosts = standbys.map(({ host }) => host).join(',');
    const replicas = { hosts, maxWait: 100, gather: 0, maximumSize: 4 };
    const database = await openDatabase({ ...where, replicas }, createLogger('OFF'));
    opened.push(database);
    return database;
  };
  const become = (database: MonitoredDatabase, state: string) =>
    expect
      .poll(async () => (await database.replicas?.status())?.map((replica) => replica.state))
      .toEqual(standbys.map(() => state));
  const storedIsFound = async (database: MonitoredDatabase) => {
    const service = serviceOn(database);
    const [id = ''] = await service.store(batchOf([statement()]));
    expect((await read(service, id)).id).toBe(id);
  };

  beforeAll(async () => {
    options = serverOptions('postgres', `postgres://postgres@${primary.host}/postgres`);
    await administer(options, `CREATE DATABASE ${options.dbName}`);
    const db = await open();
    await serverSecret(db);
  });

  afterAll(async () => {
    for (const each of opened) await each.close();
    await remove();
  });

  it('do not serve a server into which a dump of their primary was restored', async () => {
    const server = await startPrivateServer('postgres');
    if (server === undefined) throw new Error('Postgres does not start.');
    const restored = { ...serverOptions('postgres', server.url), dbName: options.dbName };
    await administer(restored, `CREATE DATABASE ${restored.dbName}`);
    const program = (name: string) => join(postgresFolder() ?? '', name);
    const dump = join(tmpdir(), `${options.dbName}.dump`);
    const from = ['-h', '127.0.0.1', '-p', primary.host.split(':')[1] ?? '', '-U', 'postgres'];
    await run(program('pg_dump'), [...from, '-Fc', '-f', dump, options.dbName]);
    await run(program('pg_restore'), ['-d', server.url.replace(/postgres$/, restored.dbName), dump]);
    await rm(dump);
    const db = await open(restored);
    await become(db, 'foreign');
    await storedIsFound(db);
    await db.close();
    await server.remove();
  });

  it('serve it again after its restart, but not after an older copy of its files was put in its place', async () => {
    const putBack = await primary.keepFiles();
    const db = await open();
    await become(db, 'used');
    for (let count = 0; count < 50; count += 1) await storedIsFound(db);
    await become(db, 'used');
    await putBack();
    const later = await open();
    await become(later, 'lagging');
    await storedIsFound(later);
    await expect.poll(() => storedIsFound(db).then(() => 'found', String)).toBe('found');
    await become(db, 'lagging');
  });
});
