import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { openFunctionDatabase } from '../../lib/db/function-database.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import { createReadiness } from '../../lib/db/readiness.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { UnavailableError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import { storedText } from '../../lib/position.ts';
import { administer, serverOptions } from '../support/engines.ts';
import { type PostgresCluster, startPostgresCluster } from '../support/postgres-cluster.ts';
import { batchOf, foundIds, read, serviceOn, statement } from '../support/statements.ts';

const logger = createLogger('OFF');
const cluster = await startPostgresCluster();
if (cluster === undefined && process.env.LRS_TEST_FORBID_SKIP) {
  throw new Error('The programs of Postgres are missing on this machine, so no primary can be killed.');
}

describe.skipIf(cluster === undefined)('Postgres with two synchronous standbys', () => {
  const { hosts, nodes, url, failOver, repair, endStandbys, startStandbys, remove } =
    cluster as PostgresCluster;
  let options: ServerOptions;
  let db: MonitoredDatabase;

  beforeAll(async () => {
    const primary = serverOptions('postgres', url());
    await administer(primary, `CREATE DATABASE ${primary.dbName}`);
    // In another order, so that a standby is tried first.
    const list = hosts.split(',').toReversed().join(',');
    options = { ...primary, dbHost: list, pool: { ...primary.pool, connectionTimeout: 3000 } };
    db = await openDatabase(options, logger);
    await serverSecret(db);
  });

  afterAll(async () => {
    await db?.close();
    await remove();
  });

  it('is used at its primary; when that is killed, requests are refused until a standby is promoted, and nothing acknowledged is lost', async () => {
    const service = serviceOn(db);
    const functions = await openFunctionDatabase(options, logger);
    const inFunction = serviceOn(functions.db, { upkeep: false });
    const readiness = createReadiness(db);
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    let done = false;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      while (!done) {
        try {
          const used = client === 0 ? inFunction : service;
          acknowledged.push(...(await used.store(batchOf([statement(), statement()]))));
        } catch (error) {
          failures.push(error);
          await sleep(20);
        }
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
    await failOver();
    await expect.poll(() => readiness.check().then(() => 'ready', String)).toBe('ready');
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 100);
    done = true;
    await Promise.all(clients);

    expect(failures.filter((error) => !(error instanceof UnavailableError))).toEqual([]);
    const found = await foundIds(service, { limit: 10_000 });
    expect(new Set(found).size).toBe(found.length);
    const stored = new Set(found);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    // What the process had cached of the former primary does not count any more.
    const epochs = await db.read((session) => session.select('SELECT name FROM cache_epoch WHERE epoch = 0'));
    expect(epochs).toEqual([]);
    const [id = ''] = await inFunction.store(batchOf([statement()]));
    expect((await read(inFunction, id)).id).toBe(id);
    await functions.db.close();
    await repair();
  });

  describe('while no standby confirms commits', () => {
    let hasty: MonitoredDatabase;

    beforeAll(async () => {
      hasty = await openDatabase({ ...options, pool: { ...options.pool, transactionTimeout: 1500 } }, logger);
    });

    afterAll(() => hasty?.close());

    const onPrimary = async <Row>(sql: string) =>
      (await administer(serverOptions('postgres', url()), sql)) as Row[];
    /** Since when (seconds) transactions wait for a standby. */
    const waiting = () =>
      onPrimary<{ pid: number; seconds: number }>(
        `SELECT pid, extract(epoch FROM clock_timestamp() - query_start)::int AS seconds FROM pg_stat_activity
         WHERE wait_event = 'SyncRep' AND backend_type = 'client backend'`,
      );
    const refusal = (stored: Promise<unknown>) =>
      stored.then(
        () => 'stored',
        (error: unknown) => error,
      );

    it('a statement is not acknowledged and not visible, however long it takes, and is when a standby is back', async () => {
      const service = serviceOn(hasty);
      const before = await foundIds(service, { limit: 10_000 });
      await endStandbys();
      const refused = await refusal(service.store(batchOf([statement()])));
      expect(refused).toBeInstanceOf(UnavailableError);
      // The server's own timeout, too, has passed then.
      await expect
        .poll(async () => Math.max(0, ...(await waiting()).map(({ seconds }) => seconds)))
        .toBeGreaterThan(4);
      expect(await foundIds(service, { limit: 10_000 })).toEqual(before);
      await startStandbys();
      await expect
        .poll(async () => (await foundIds(service, { limit: 10_000 })).length)
        .toBe(before.length + 1);
    });

    it('reads are answered at once with the last stored watermark, and writes are refused with the reason, as is readiness', async () => {
      const lines: string[] = [];
      const told = await openDatabase(
        { ...options, pool: { ...options.pool, transactionTimeout: 30_000 } },
        createLogger('INFO', { write: (line: string) => void lines.push(line) }),
      );
      const service = serviceOn(told);
      const readiness = createReadiness(told);
      const reason = 'Nothing is stored at the moment: the commit waits for a synchronous standby.';
      const [known = ''] = await service.store(batchOf([statement()]));
      await endStandbys();
      const timed = async <T>(work: Promise<T> | T) => {
        const start = performance.now();
        return { result: await work, took: performance.now() - start };
      };
      const given: number[] = [];
      const readOnce = async () => {
        const { result, took } = await timed(service.consistentThrough());
        given.push(result);
        expect(took).toBeLessThan(2000);
        expect((await timed(read(service, known))).took).toBeLessThan(2000);
      };
      // The stored watermark is older than a second, so a reader stores the next one, which waits for a standby.
      await expect
        .poll(async () => {
          await readOnce();
          return (await waiting()).length;
        })
        .toBeGreaterThan(0);
      const first = await timed(refusal(service.store(batchOf([statement()]))));
      expect(String(first.result)).toContain('the commit waits for a synchronous standby');
      // It is less than dbTransactionTimeout, and later ones are refused at once.
      expect(first.took).toBeLessThan(15_000);
      const next = await timed(refusal(service.store(batchOf([statement()]))));
      expect(next.result).toMatchObject({ kind: 'unavailable', message: reason });
      expect(next.took).toBeLessThan(2000);
      await expect(readiness.check()).rejects.toThrow(reason);
      await readOnce();
      expect(lines.filter((line) => line.includes('until one confirms it'))).toHaveLength(1);

      // The standbys never get what was not confirmed.
      await nodes.find(({ host }) => url().includes(host))?.kill();
      await startStandbys();
      await failOver();
      await repair();
      await expect.poll(() => readiness.check().then(() => 'ready', String)).toBe('ready');
      const [id = ''] = await service.store(batchOf([statement()]));
      const { stored = '' } = await read(service, id);
      expect(stored > storedText(Math.max(...given))).toBe(true);
      await expect.poll(() => service.consistentThrough()).toBeGreaterThan(Math.max(...given));
      await expect.poll(() => lines.some((line) => line.includes('confirms commits again'))).toBe(true);
      await told.close();
    });

    it('readiness says so before any write has had to wait, and so does whatever has to find the new primary', async () => {
      const reason = 'Nothing is stored at the moment: the commit waits for a synchronous standby.';
      const idle = await openDatabase(options, logger);
      const service = serviceOn(idle, { upkeep: false });
      const readiness = createReadiness(idle);
      const ready = () =>
        readiness.check().then(
          () => 'ready',
          (error: Error) => error.message,
        );
      expect(await ready()).toBe('ready');
      await endStandbys();
      await expect.poll(ready).toBe(reason);
      await startStandbys();
      await expect.poll(ready).toBe('ready');

      await failOver();
      await endStandbys();
      await expect.poll(async () => onPrimary('SELECT pid FROM pg_stat_replication')).toEqual([]);
      const asked = performance.now();
      expect(await refusal(service.store(batchOf([statement()])))).toMatchObject({ message: reason });
      expect(await ready()).toBe(reason);
      // Nothing has waited for a standby.
      expect(performance.now() - asked).toBeLessThan(options.pool.connectionTimeout);
      await startStandbys();
      await repair();
      await expect.poll(ready).toBe('ready');
      await service.store(batchOf([statement()]));
      await idle.close();
    });

    it('a start that has to change the schema fails with the reason', async () => {
      const dbName = `${options.dbName}_new`;
      await onPrimary(`CREATE DATABASE ${dbName}`);
      await endStandbys();
      const started = openDatabase({ ...options, dbName }, logger);
      await expect(started).rejects.toMatchObject({
        message: 'Nothing is stored at the moment: the commit waits for a synchronous standby.',
        cause: { message: expect.stringContaining('synchronous_standby_names') },
      });
      await startStandbys();
      await (await openDatabase({ ...options, dbName }, logger)).close();
    });

    it('a statement is not acknowledged when the wait is cancelled, nor when it is sent again', async () => {
      const service = serviceOn(hasty);
      const [known = ''] = await service.store(batchOf([statement()]));
      const stored = await read(service, known);
      await endStandbys();
      const refused = refusal(service.store(batchOf([statement()])));
      await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
      for (const { pid } of await waiting()) await onPrimary(`SELECT pg_cancel_backend(${pid})`);
      expect(await refused).toBeInstanceOf(UnavailableError);
      expect(await refusal(service.store(batchOf([stored])))).toBeInstanceOf(UnavailableError);
      await startStandbys();
      await expect.poll(() => refusal(service.store(batchOf([stored])))).toBe('stored');
    });
  });

  it('is left for another host when the one in use accepts no writes any more, with idle connections too', async () => {
    const service = serviceOn(db);
    await foundIds(service);
    const readOnly = async (setting: string) => {
      await administer(
        serverOptions('postgres', url()),
        `ALTER SYSTEM SET default_transaction_read_only = ${setting}`,
      );
      await administer(serverOptions('postgres', url()), 'SELECT pg_reload_conf()');
    };
    await readOnly('on');
    await expect
      .poll(() =>
        service.store(batchOf([statement()])).then(
          () => 'stored',
          (error) => error.message,
        ),
      )
      .toBe('The database is out of reach.');
    await readOnly('off');
    await expect
      .poll(() => service.store(batchOf([statement()])).then(() => 'stored', String))
      .toBe('stored');
  });
});
