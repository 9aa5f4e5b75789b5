import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, openDatabase } from '../../lib/db/connect.ts';
import type { TlsOptions } from '../../lib/db/dialects/server/options.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import { createReadiness } from '../../lib/db/readiness.ts';
import { UnavailableError } from '../../lib/errors.ts';
import { createFeed } from '../../lib/feed/feed.ts';
import { createLogger } from '../../lib/logger.ts';
import { addingEffects, createEffects, effectsIn, statementPositions } from '../support/effects.ts';
import { administer, serverEngines, serverOptions } from '../support/engines.ts';
import { hasPrivateServer, type PrivateServer, startPrivateServer } from '../support/private-server.ts';
import { batchOf, foundIds, serviceOn, statement } from '../support/statements.ts';

const kinds = (['postgres', 'mariadb'] as const).filter((kind) =>
  serverEngines.some(({ dialect }) => dialect === kind),
);

/** The servers that the other tests share must not be killed, so these tests need the servers' programs on this machine. */
const installed = kinds.filter(hasPrivateServer);
if (process.env.LRS_TEST_FORBID_SKIP && installed.length < kinds.length) {
  throw new Error('The programs of a database server are missing on this machine, so it can not be killed.');
}

describe.skipIf(installed.length === 0).each(installed)('a %s server of its own', (kind) => {
  let server: PrivateServer;
  let options: ReturnType<typeof serverOptions>;
  let db: MonitoredDatabase;

  beforeAll(async () => {
    const started = await startPrivateServer(kind);
    if (started === undefined) throw new Error('The programs of this server were found a moment ago.');
    server = started;
    options = serverOptions(kind, server.url);
    await administer(options, `CREATE DATABASE ${options.dbName}`);
    db = await openDatabase(options, createLogger('OFF'));
  });

  afterAll(async () => {
    await db.close();
    await server.remove();
  });

  it('speaks TLS to those who ask for it, and is believed only as far as they ask', async () => {
    const encrypted = async (dbHost: string, tls: TlsOptions): Promise<boolean> => {
      const opened = await connect({ ...options, dbHost, tls });
      const sql =
        kind === 'postgres'
          ? "SELECT CASE WHEN ssl THEN version ELSE '' END AS version FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
          : "SELECT variable_value AS version FROM information_schema.session_status WHERE variable_name = 'SSL_VERSION'";
      const [row] = await opened.read((session) => session.select<{ version: string }>(sql));
      await opened.close();
      return row?.version.startsWith('TLS') === true;
    };
    const authorityFile = server.certificateFile;
    expect(await encrypted('localhost', { verify: 'authority and host', authorityFile })).toBe(true);
    expect(await encrypted('127.0.0.1', { verify: 'authority', authorityFile })).toBe(true);
    expect(await encrypted('127.0.0.1', { verify: 'nothing' })).toBe(true);
    const refused = (dbHost: string, tls: TlsOptions) =>
      encrypted(dbHost, tls).then(
        () => 'nothing',
        (error: Error) => String(error instanceof UnavailableError ? error.cause : error),
      );
    const remedy = /The certificate of .* does not name this host .*sslRootCert.*dbHost/;
    expect(await refused('127.0.0.1', { verify: 'authority and host', authorityFile })).toMatch(remedy);
    expect(await refused('localhost', { verify: 'authority and host' })).toMatch(remedy);
  });

  it('costs no acknowledged statement when it is killed under load; meanwhile all is refused as unavailable, afterwards it goes on by itself', async () => {
    const service = serviceOn(db);
    const readiness = createReadiness(db);
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    let done = false;
    await expect.poll(() => readiness.check().then(() => 'ready', String)).toBe('ready');
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
    await expect.poll(() => acknowledged.length).toBeGreaterThan(0);
    await killed(server, async () => {
      await expect(readiness.check()).rejects.toThrow(UnavailableError);
      await expect(foundIds(service)).rejects.toThrow(UnavailableError);
    });
    await expect.poll(() => readiness.check().then(() => 'ready')).toBe('ready');
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20);
    done = true;
    await Promise.all(clients);

    expect(failures.length).toBeGreaterThan(0);
    expect(failures.filter((error) => !(error instanceof UnavailableError))).toEqual([]);
    const found = await foundIds(service, { limit: 1000 });
    expect(new Set(found).size).toBe(found.length);
    const stored = new Set(found);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  });

  it('interrupts the feed when it is killed, which goes on by itself, and each statement has its effect once', async () => {
    await createEffects(db);
    const feed = createFeed(db, {
      logger: createLogger('OFF'),
      limits: { statements: 5, bytes: 1_048_576 },
      leaseSeconds: 1,
    });
    feed.register('test', addingEffects('one'));
    await feed.ensureConsumer({ name: 'one', kind: 'test', cursor: 0 });
    feed.start();
    const service = serviceOn(db, { onCommitted: () => feed.wake() });
    let done = false;
    const clients = Array.from({ length: 4 }, async () => {
      while (!done) await service.store(batchOf([statement(), statement()])).catch(() => sleep(20));
    });
    const effects = async () => (await effectsIn(db)).map(({ position }) => position);
    await expect.poll(async () => (await effects()).length).toBeGreaterThan(50);
    await killed(server, async () => {
      await expect(foundIds(service)).rejects.toThrow(UnavailableError);
    });
    const ready = createReadiness(db);
    await expect
      .poll(() =>
        ready
          .check()
          .then(() => 'ready')
          .catch(() => 'out'),
      )
      .toBe('ready');
    const before = (await effects()).length;
    await expect.poll(async () => (await effects()).length).toBeGreaterThan(before + 50);
    done = true;
    await Promise.all(clients);
    const stored = await statementPositions(db);
    await expect.poll(async () => (await effects()).length).toBe(stored.length);
    expect(await effects()).toEqual(stored);
    expect(await feed.list()).toMatchObject([{ state: 'running', attempts: 0, error: null }]);
    await feed.stop();
  });
});

async function killed(server: PrivateServer, meanwhile: () => Promise<void>): Promise<void> {
  await server.kill();
  await meanwhile();
  await server.start();
}
