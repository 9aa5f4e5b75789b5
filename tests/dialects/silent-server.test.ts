import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import { createReadiness } from '../../lib/db/readiness.ts';
import { adminAccount } from '../../lib/db/tables/administration.ts';
import type { ReadSession } from '../../lib/db/types.ts';
import { UnavailableError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import { serverEngines, type TestDatabase } from '../support/engines.ts';
import { openSilentProxy, type SilentProxy } from '../support/silent-proxy.ts';
import { testLimit } from '../support/time-limits.ts';

const insert = "INSERT INTO task_progress (task, position) VALUES ('silence', 1)";
/** Short, because the tests wait for it; long enough that a slow machine opens a connection meanwhile. */
const pool = {
  maximumSize: 5,
  minimumIdle: 0,
  idleTimeout: 60_000,
  maximumLifetime: 0,
  connectionTimeout: 3000,
  transactionTimeout: 3000,
  maintenanceTimeout: 60_000,
};

/** Parts of what is sent on new connections after the login: one is opened as those of functions are, several as those of a pool. */
const sentAfterLogin: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
  postgres: [
    [1, 'pg_is_in_recovery'],
    [pool.maximumSize, 'pg_is_in_recovery'],
    [pool.maximumSize, 'pg_range'],
  ],
  mariadb: [
    [1, 'STRICT_ALL_TABLES'],
    [pool.maximumSize, 'STRICT_ALL_TABLES'],
  ],
};

const one = (session: ReadSession) => session.select('SELECT 1 AS one');

describe.each(serverEngines)('a network that drops packets between the server and $name', (engine) => {
  let database: TestDatabase;
  let proxy: SilentProxy;
  let db: MonitoredDatabase;

  beforeEach(async () => {
    database = await engine.create();
    const { options } = database;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    const { dbHost: host, dbPort: port = 0 } = options;
    proxy = await openSilentProxy({ host, port });
    db = await open();
  });

  afterEach(async () => {
    await db.close();
    await proxy.close();
    await database.remove();
  });

  function open(): Promise<MonitoredDatabase> {
    const { options } = database;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    const through = { ...options, dbHost: '127.0.0.1', dbPort: proxy.port, pool };
    return openDatabase(through, createLogger('OFF'));
  }

  const stored = () => database.db.read((session) => session.select('SELECT task FROM task_progress'));

  it('makes opening the database fail as unavailable', async () => {
    proxy.fallSilent();
    await expect(open()).rejects.toThrow(UnavailableError);
  });

  it('makes a login that stops half way fail as unavailable, and the next one succeed', async () => {
    proxy.fallSilentAfter(engine.family === 'postgres' ? 'application_name' : 'lrs_test_');
    await expect(open()).rejects.toThrow(UnavailableError);
    proxy.recover();
    await (await open()).close();
  });

  it('makes the setting up of a new connection fail as unavailable, and the next one succeed', async () => {
    proxy.fallSilentAfter(engine.family === 'postgres' ? 'pg_range' : 'STRICT_ALL_TABLES');
    await expect(open()).rejects.toThrow(UnavailableError);
    proxy.recover();
    await (await open()).close();
  });

  it('makes a read fail as unavailable, and the next one succeed when the network is back', async () => {
    const reading = db.read(async (session) => {
      await one(session);
      proxy.fallSilent();
      return one(session);
    });
    await expect(reading).rejects.toThrow(UnavailableError);
    proxy.recover();
    expect(await db.read(one)).toEqual([{ one: 1 }]);
  });

  it('makes a query of a model fail as unavailable too', async () => {
    const reading = db.read(async (session) => {
      await one(session);
      proxy.fallSilent();
      return (await session.model(adminAccount)).findAll({ ...session.options, raw: true });
    });
    await expect(reading).rejects.toThrow(UnavailableError);
  });

  it('makes a transaction fail as unavailable, without a trace, and the next one succeed', async () => {
    const writing = db.write(async (session) => {
      await session.execute(insert);
      proxy.fallSilent();
      await one(session);
    });
    await expect(writing).rejects.toThrow(UnavailableError);
    proxy.recover();
    await proxy.close();
    expect(await stored()).toEqual([]);
  });

  it('makes a commit that is not answered fail as one that may or may not have taken place', async () => {
    const writing = db.write((session) => {
      session.onCommitting(proxy.dropAnswers);
      return session.execute(insert);
    });
    await expect(writing).rejects.toThrow(/may or may not be stored/);
    proxy.recover();
    await expect.poll(stored).toEqual([{ task: 'silence' }]);
    await db.write((session) => session.execute('DELETE FROM task_progress'));
    expect(await stored()).toEqual([]);
  });

  it('makes a commit that does not arrive fail in the same way', async () => {
    const writing = db.write((session) => {
      session.onCommitting(proxy.fallSilent);
      return session.execute(insert);
    });
    await expect(writing).rejects.toThrow(/may or may not be stored/);
    await proxy.close();
    expect(await stored()).toEqual([]);
  });

  it('costs one request for all connections that have idled meanwhile', async () => {
    const readers = pool.maximumSize - 1;
    let reading = 0;
    const meet = async (session: ReadSession): Promise<void> => {
      reading += 1;
      await expect.poll(() => reading).toBeGreaterThanOrEqual(readers);
      await one(session);
    };
    await Promise.all(Array.from({ length: readers }, () => db.read(meet)));
    proxy.fallSilent();
    proxy.recover();
    await expect(db.read(one)).rejects.toThrow(UnavailableError);
    expect(await db.read(one)).toEqual([{ one: 1 }]);
  });

  it('does not make requests that wait for the write lock wait one after the other', async () => {
    await db.write(one);
    proxy.fallSilent();
    const count = 40;
    const started = performance.now();
    const outcomes = await Promise.allSettled(Array.from({ length: count }, () => db.write(one)));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) });
    }
    expect(performance.now() - started).toBeLessThan((count / 4) * pool.connectionTimeout);
    proxy.recover();
    await db.write(one);
  });

  it('makes the server unready, and ready again when the network is back', async () => {
    const readiness = createReadiness(db);
    const state = () => readiness.check().then(() => 'ready', String);
    await expect.poll(state).toBe('ready');
    proxy.fallSilent();
    await expect(readiness.check()).rejects.toThrow(UnavailableError);
    proxy.recover();
    await expect.poll(state).toBe('ready');
  });

  it('with several hosts, is told by readiness and once by the log, which names each host that was tried and what it did', async () => {
    const { options } = database;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    const { dbHost: host, dbPort: port = 0 } = options;
    const other = await openSilentProxy({ host, port });
    const dbHost = `127.0.0.1:${proxy.port},127.0.0.1:${other.port}`;
    const lines: { readonly msg: string; readonly err?: { readonly message: string } }[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line));
    // Each host has half of the time.
    const unhurried = { ...pool, connectionTimeout: 2 * pool.connectionTimeout };
    const several = await openDatabase(
      { ...options, dbHost, pool: unhurried },
      createLogger('INFO', { write }),
    );
    const readiness = createReadiness(several);
    const state = () => readiness.check().then(() => 'ready', String);
    await expect.poll(state).toBe('ready');
    proxy.fallSilent();
    other.fallSilent();
    await expect.poll(state).toBe('SilentHostsOutage: None of the hosts of the database answers.');
    await expect(several.read(one)).rejects.toThrow('None of the hosts of the database answers.');
    const told = (text: string) => lines.filter(({ msg }) => msg.includes(text));
    expect(told('none of the hosts of the database answers')).toMatchObject([{ err: expect.anything() }]);
    const { message = '' } = told('none of the hosts of the database answers')[0]?.err ?? {};
    for (const { port } of [proxy, other]) expect(message).toContain(`127.0.0.1:${port} (timeout)`);
    proxy.recover();
    await expect.poll(state).toBe('ready');
    expect(told('a host of the database answers again')).toHaveLength(1);
    await other.close();
    proxy.fallSilent();
    // Connections that were open are used first.
    await expect.poll(() => several.read(one).catch(String)).toContain('None of the hosts');
    const reads = Array.from({ length: pool.maximumSize - 1 }, () =>
      several.read(one).catch((error) => error),
    );
    for (const { cause } of await Promise.all(reads)) {
      expect(cause.message).toContain(`127.0.0.1:${proxy.port} (timeout)`);
      expect(cause.message).toContain(`127.0.0.1:${other.port} (ECONNREFUSED)`);
    }
    await several.close();
  });

  describe('of one of many hosts, that begins behind the login', () => {
    const others = 100;
    const cases = sentAfterLogin[engine.family] ?? [];

    it.each(cases)(
      'costs no more than the share of a host: %s connections, %s',
      async (maximumSize, text) => {
        const { options } = database;
        if (options.dbType === 'sqlite') throw new Error('There is no server.');
        const { dbHost: host, dbPort: port = 0 } = options;
        // The share is as long as elsewhere in this file, and the whole time longer than a test may take.
        const connectionTimeout = (others + 1) * pool.connectionTimeout;
        expect(connectionTimeout).toBeGreaterThan(testLimit);
        const dbHost = [`127.0.0.1:${proxy.port}`, ...Array(others).fill(`${host}:${port}`)].join(',');
        proxy.fallSilentAfter(text);
        const several = await openDatabase(
          { ...options, dbHost, pool: { ...pool, connectionTimeout, maximumSize } },
          createLogger('OFF'),
        );
        expect(await several.read(one)).toEqual([{ one: 1 }]);
        expect(several.writeTarget?.host).toBe(`${host}:${port}`);
        await several.close();
      },
    );
  });

  it('is not suspected during maintenance, which may take longer than what a request reads', async () => {
    const slow = (session: ReadSession) =>
      session.select(engine.family === 'postgres' ? 'SELECT pg_sleep(4)' : 'SELECT SLEEP(4) AS slept');
    await expect(db.read(slow)).rejects.toThrow(UnavailableError);
    expect(await db.read(slow, { maintenance: true })).toHaveLength(1);
  });

  it('does not hold up the end of the process', async () => {
    const other = await open();
    await other.read(one);
    await other.write(one);
    proxy.fallSilent();
    await other.close();
  });
});
