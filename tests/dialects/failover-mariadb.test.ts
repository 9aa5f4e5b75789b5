import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, warnOfHosts } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { openFunctionDatabase } from '../../lib/db/function-database.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import { createReadiness } from '../../lib/db/readiness.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { outageOf, UnavailableError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import { serverOptions } from '../support/engines.ts';
import { type MariadbPair, startMariadbPair } from '../support/mariadb-pair.ts';
import { batchOf, foundIds, read, serviceOn, statement } from '../support/statements.ts';

const waitsForStandby = 'Nothing is stored at the moment: the commit waits for a synchronous standby.';

/** `stored`, or why a statement can't be stored. */
const outcomeOfStoring = (service: ReturnType<typeof serviceOn>): Promise<string> =>
  service.store(batchOf([statement()])).then(
    () => 'stored',
    (error: Error) => error.message,
  );

const pair = await startMariadbPair();
if (pair === undefined && process.env.LRS_TEST_FORBID_SKIP) {
  throw new Error('The programs of MariaDB are missing on this machine, so no primary can be killed.');
}

describe.skipIf(pair === undefined)('MariaDB with a semi-synchronous replica', () => {
  const { primaryPort, replicaPort, query, caughtUp, failOver, remove } = pair as MariadbPair;
  let db: MonitoredDatabase;
  let options: ServerOptions;

  beforeAll(async () => {
    const primary = serverOptions('mariadb', `mariadb://lrs@127.0.0.1:${primaryPort}/`);
    for (const sql of [
      `CREATE DATABASE ${primary.dbName}`,
      "CREATE USER lrs@'%'",
      `GRANT ALL ON ${primary.dbName}.* TO lrs@'%'`,
    ])
      await query(primaryPort, sql);
    await caughtUp();
    // The replica is tried first.
    const dbHost = `127.0.0.1:${replicaPort},127.0.0.1:${primaryPort}`;
    options = { ...primary, dbHost, pool: { ...primary.pool, connectionTimeout: 3000 } };
    db = await openDatabase(options, createLogger('OFF'));
    await serverSecret(db);
  });

  afterAll(async () => {
    await db?.close();
    await remove();
  });

  it('while no replica confirms commits, reads are answered at once, and writes are refused with the reason', async () => {
    const service = serviceOn(db);
    const readiness = createReadiness(db);
    const [known = ''] = await service.store(batchOf([statement()]));
    const failure = () => outcomeOfStoring(service);
    await query(replicaPort, 'STOP SLAVE');
    // Before any write has had to wait.
    await expect.poll(() => readiness.check().then(() => 'ready', String)).toContain(waitsForStandby);
    await expect.poll(failure).toContain('the commit waits for a synchronous standby');
    expect(await failure()).toBe(waitsForStandby);
    await expect(readiness.check()).rejects.toThrow(waitsForStandby);
    const asked = performance.now();
    await service.consistentThrough();
    expect((await read(service, known)).id).toBe(known);
    expect(performance.now() - asked).toBeLessThan(2000);
    await query(replicaPort, 'START SLAVE');
    await expect.poll(failure).toBe('stored');
  });

  it('goes on after a replica has received a commit without confirming it, when another transaction is confirmed', async () => {
    const service = serviceOn(db);
    const outcome = () => outcomeOfStoring(service);
    const reconnect = async (confirms: 'ON' | 'OFF') => {
      await query(replicaPort, 'STOP SLAVE');
      await query(replicaPort, `SET GLOBAL rpl_semi_sync_slave_enabled = ${confirms}`);
      await query(replicaPort, 'START SLAVE');
    };
    const confirming = async () => {
      const [row] = await query(primaryPort, "SHOW STATUS LIKE 'Rpl_semi_sync_master_clients'");
      return row?.Value;
    };
    await reconnect('OFF');
    await expect.poll(outcome).toContain(waitsForStandby);
    await reconnect('ON');
    await expect.poll(confirming).toBe('1');
    await query(primaryPort, 'CREATE DATABASE lrs_ack');
    await query(primaryPort, 'DROP DATABASE lrs_ack');
    await expect.poll(outcome).toBe('stored');
  });

  it('is used at its primary; when that is killed, requests are refused until the replica takes writes, and nothing acknowledged is lost', async () => {
    const service = serviceOn(db);
    const readiness = createReadiness(db);
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    let done = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!done) {
        try {
          acknowledged.push(...(await service.store(batchOf([statement(), statement()]))));
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
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50);
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
  });

  it('is left by a process whose server becomes read-only, and found again when it takes writes', async () => {
    const service = serviceOn(db);
    const storing = () => outcomeOfStoring(service);
    expect(await storing()).toBe('stored');
    const lines: { readonly msg: string; readonly err?: { readonly message: string } }[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line));
    const told = await openDatabase(options, createLogger('INFO', { write }));
    const logged = (end: string) => lines.filter(({ msg }) => msg.includes(end));
    await query(replicaPort, 'SET GLOBAL read_only = ON');
    const refused = await service.store(batchOf([statement()])).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      message: 'The database is out of reach.',
      cause: {
        message: expect.stringContaining(
          `None of the MariaDB servers at ${options.dbHost.replace(',', ', ')}`,
        ),
      },
    });
    for (let request = 0; request < 2; request += 1) {
      const toldService = serviceOn(told, { upkeep: false });
      expect(outageOf(await toldService.store(batchOf([statement()])).catch((error) => error))).toBeDefined();
    }
    expect(logged('out of reach')).toMatchObject([{ err: { message: expect.stringContaining('None of') } }]);
    const [dbHost, dbPort] = ['127.0.0.1', replicaPort];
    const only = await openFunctionDatabase({ ...options, dbHost, dbPort }, createLogger('OFF'));
    await expect(createReadiness(only.db).check()).rejects.toMatchObject({
      message: 'The database can store nothing at the moment.',
      cause: { message: expect.stringContaining(`MariaDB at ${dbHost}:${dbPort} is read_only:`) },
    });
    await only.db.close();
    await query(replicaPort, 'SET GLOBAL read_only = OFF');
    await expect.poll(storing).toBe('stored');
    await serviceOn(told, { upkeep: false }).store(batchOf([statement()]));
    expect(logged('within reach again')).toHaveLength(1);
    await told.close();
  });

  it('refuses requests for a while when the only server that answers refuses the login, and a start tells of each such server', async () => {
    const service = serviceOn(db);
    await service.store(batchOf([statement()]));
    await query(replicaPort, "ALTER USER lrs@'%' IDENTIFIED BY 'another'");
    await query(replicaPort, 'KILL CONNECTION USER lrs').catch(() => {});
    const failure = (request: Promise<unknown>) => request.catch((error: unknown) => error);
    await expect
      .poll(() => failure(service.store(batchOf([statement()]))))
      .toMatchObject({ kind: 'unavailable', message: 'The database is out of reach.' });
    expect(await failure(foundIds(service))).toMatchObject({ kind: 'unavailable' });
    const lines: string[] = [];
    await warnOfHosts(options, createLogger('WARN', { write: (line) => lines.push(line) }));
    const [refusing, dead] = lines.map((line): string => JSON.parse(line).msg);
    const [replica, primary] = [replicaPort, primaryPort].map((port) => `127.0.0.1:${port}`);
    expect(refusing).toBe(
      `the database could not move to ${replica}: MariaDB at ${replica} refuses the user "lrs": check dbUser and dbPassword, and from which hosts the user may connect.`,
    );
    expect(dead).toContain(`the database could not move to ${primary}: No MariaDB answers at ${primary}`);
    const start = await failure(openDatabase(options, createLogger('OFF')));
    expect(start).toMatchObject({ message: 'The database is out of reach.' });
    const reason = String((start as Error).cause);
    expect(reason).toContain(`MariaDB at ${replica} refuses the user "lrs"`);
    expect(reason).toContain(`No MariaDB answers at ${primary}:`);
    await query(replicaPort, "ALTER USER lrs@'%' IDENTIFIED BY ''");
    await expect.poll(() => failure(service.store(batchOf([statement()])))).toBeInstanceOf(Array);
  });
});
