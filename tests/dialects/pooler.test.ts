import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { type FunctionDatabase, openFunctionDatabase } from '../../lib/db/function-database.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { createLogger } from '../../lib/logger.ts';
import { serverEngines, type TestDatabase } from '../support/engines.ts';
import { hasPooler, type Pooler, startPooler } from '../support/pgbouncer.ts';
import { batchOf, read, serviceOn, statement } from '../support/statements.ts';

const logger = createLogger('OFF');
const [postgres] = serverEngines.filter(({ dialect }) => dialect === 'postgres');

describe.skipIf(!hasPooler || postgres === undefined)('PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Pooler;
  let options: ServerOptions;

  beforeEach(async () => {
    if (postgres === undefined) throw new Error('There is no Postgres.');
    database = await postgres.create();
    await serverSecret(database.db);
    // With one connection, whatever one client leaves behind would meet the next one.
    await start({ servers: 1 });
  });

  async function start(sizes: { readonly servers: number }): Promise<void> {
    if (database.options.dbType === 'sqlite') throw new Error('There is no server.');
    pooler = await startPooler(database.options, sizes);
    options = { ...database.options, dbHost: '127.0.0.1', dbPort: pooler.port, dbPooler: true };
  }

  afterEach(async () => {
    await pooler.stop();
    await database.remove();
  });

  /** What the connection of the pooler has left of those that have used it. */
  async function left(): Promise<object | undefined> {
    const { dbUser: user, dbName } = options;
    const client = new pg.Client({ host: '127.0.0.1', port: pooler.port, user, database: dbName });
    await client.connect();
    try {
      const { rows } = await client.query(
        `SELECT current_setting('statement_timeout') AS timeout, current_setting('enable_seqscan') AS seqscan,
           current_setting('transaction_read_only') AS readonly,
           (SELECT COUNT(*)::int FROM pg_prepared_statements) AS prepared`,
      );
      return rows[0];
    } finally {
      await client.end();
    }
  }

  const untouched = { timeout: '0', seqscan: 'on', readonly: 'off', prepared: 0 };

  it('is recognised without the setting dbPooler, and the advice is to set it', async () => {
    const unset = openDatabase({ ...options, dbPooler: false }, logger);
    await expect(unset).rejects.toThrow(/A pooler answers at 127\.0\.0\.1:\d+, .*: set dbPooler/);
  });

  it('lets a long-running server work, which leaves nothing behind on its connections', async () => {
    const db = await openDatabase(options, logger);
    const service = serviceOn(db);
    const ids = await Promise.all([1, 2, 3, 4].map(() => service.store(batchOf([statement()]))));
    for (const [id = ''] of ids) expect((await read(service, id)).id).toBe(id);
    // In a transaction of several round trips.
    const [id = ''] = ids[0] ?? [];
    await service.store(batchOf([{ ...(await read(service, id)) }]));
    await service.stop();
    await db.close();
    expect(await left()).toEqual(untouched);
  });

  it('serves many more functions than it has connections, and they leave nothing behind', async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, () => openFunctionDatabase(options, logger)));
    const services = opened.map(({ db }) => serviceOn(db, { upkeep: false }));
    const ids = (await Promise.all(services.map((each) => each.store(batchOf([statement()]))))).flat();
    const found = await Promise.all(services.map((each, index) => read(each, ids[index] ?? '')));
    expect(found.map(({ id }) => id)).toEqual(ids);
    await Promise.all(opened.map(({ db }) => db.close()));
    expect(await left()).toEqual(untouched);
  });

  it('gives 300 clients of 50 instances what they ask for at once, with ten connections to the server', async () => {
    await pooler.stop();
    await start({ servers: 10 });
    const opened: FunctionDatabase[] = [];
    // A few at a time, because an instance waits for its connection for a second at most.
    while (opened.length < 50)
      opened.push(...(await Promise.all([1, 2, 3, 4, 5].map(() => openFunctionDatabase(options, logger)))));
    const services = opened.map(({ db }) => serviceOn(db, { upkeep: false }));
    const clients = services.flatMap((service) => [1, 2, 3, 4, 5, 6].map(() => service));
    const stored = await Promise.allSettled(
      clients.map(async (service) => {
        const [id = ''] = await service.store(batchOf([statement()]));
        return (await read(service, id)).id === id;
      }),
    );
    expect(stored.filter((each) => each.status === 'rejected' || !each.value)).toEqual([]);
    expect(stored).toHaveLength(300);
    await Promise.all(opened.map(({ db }) => db.close()));
  });
});
