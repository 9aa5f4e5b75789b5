import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { DatabaseUnusableError } from '../../lib/db/unusable.ts';
import { UnavailableError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import { administer, serverEngines, timeouts } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { conditionLimit } from '../support/time-limits.ts';

const patient = { maximumSize: 2, minimumIdle: 0, idleTimeout: 1000, connectionTimeout: 20_000, ...timeouts };

/** What the person who starts the server is told. */
function forOperator(error: unknown): string {
  if (!(error instanceof Error)) throw new Error('The database was opened.');
  const said = error instanceof UnavailableError ? error.cause : error;
  if (!(said instanceof DatabaseUnusableError)) throw error;
  return said.message;
}

describe.each(serverEngines)('opening a database on $name', (engine) => {
  async function failure(change: Partial<ServerOptions>): Promise<unknown> {
    const place = await engine.reserve();
    try {
      if (place.options.dbType === 'sqlite') throw new Error('There is no server.');
      const options = { ...place.options, pool: patient, ...change };
      const db = await openDatabase(options, createLogger('OFF'));
      await db.close();
      return undefined;
    } catch (error) {
      return error;
    } finally {
      await place.remove();
    }
  }

  it.each([
    [
      'a user that the server does not know',
      { dbUser: 'nobody_here', dbPassword: 'hidden' },
      /refuses the user "nobody_here".*dbPassword/,
    ],
    ['a database that is not there', { dbName: 'not_there' }, /no database "not_there".*CREATE DATABASE/],
  ])('says what to do about %s', async (_, change, sentence) => {
    const error = await failure(change);
    expect(error).toBeInstanceOf(DatabaseUnusableError);
    expect(String(error)).toMatch(sentence);
    expect(String(error)).not.toContain('hidden');
  });

  it.each([
    [
      'a host that nobody knows',
      { dbHost: 'nowhere.invalid' },
      /host "nowhere\.invalid" is not known: check dbHost/,
    ],
    [
      'a port where nobody listens',
      { dbHost: '127.0.0.1', dbPort: 0 },
      /answers at 127\.0\.0\.1:\d+: start it, or check dbHost/,
    ],
  ])('says to the operator, and not to clients, what to do about %s', async (_, change, sentence) => {
    const port = await freePort();
    const error = await failure('dbPort' in change ? { ...change, dbPort: port } : change);
    if (!(error instanceof UnavailableError)) throw error;
    expect(error.message).toBe('The database is out of reach.');
    expect(String(error.cause)).toMatch(sentence);
  });

  it.each([
    ['of the default store', undefined, 'dbReadHosts'],
    ['of a server for stores', 'the server second', 'readHosts of the server second'],
  ])('says which setting names a replica %s that does not answer', async (_, hostsSetting, setting) => {
    const place = await engine.reserve();
    if (place.options.dbType === 'sqlite') throw new Error('There is no server.');
    const host = `127.0.0.1:${await freePort()}`;
    const replicas = { hosts: host, maxWait: 100, gather: 0, maximumSize: 1 };
    const lines: string[] = [];
    const logger = createLogger('WARN', { write: (line) => lines.push(line) });
    const db = await openDatabase({ ...place.options, replicas, hostsSetting }, logger);
    try {
      const sentence = `answers at ${host}: start it, or check ${setting}.`;
      await expect.poll(() => lines.join(''), { timeout: conditionLimit }).toContain(sentence);
    } finally {
      await db.close();
      await place.remove();
    }
  });

  it('says which file of TLS can’t be read', async () => {
    const tls = { verify: 'authority and host', authorityFile: '/nowhere/ca.pem' } as const;
    expect(String(await failure({ tls }))).toMatch(/The file \/nowhere\/ca\.pem.* can't be read/);
  });

  it('does not speak in clear when TLS is asked for, and says what to do where there is none that can be trusted', async () => {
    const sentence = await failure({ tls: { verify: 'authority and host' } }).then(forOperator);
    expect(sentence).toMatch(
      /offers no TLS: .*sslMode=disable.*LRS_DB_PROPERTIES|certificate .*sslRootCert.*LRS_DB_PROPERTIES/,
    );
  });

  it('says that another server may answer at the port', async () => {
    const other = serverEngines.find(({ family }) => family !== engine.family);
    if (other === undefined) return;
    const { options, remove } = await other.reserve();
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    const { dbHost, dbPort } = options;
    await remove();
    const hasty = { ...patient, connectionTimeout: 1000 };
    for (const change of [{}, { tls: { verify: 'nothing' } }] as const) {
      const sentence = await failure({ dbHost, dbPort, pool: hasty, ...change }).then(forOperator);
      expect(sentence).toMatch(
        /^(Something other than \w+ answers at|\w+ does not answer at \S+ in time:).*dbHost and dbPort/,
      );
    }
  });

  it('says what to do about a database that the user may not use', async () => {
    if (engine.family !== 'mariadb') return;
    const { options, remove } = await engine.reserve();
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    const user = `lrs_test_${Date.now() % 1_000_000}`;
    await administer(options, `CREATE USER ${user} IDENTIFIED BY 'Some-passw0rd'`);
    const login = { dbUser: user, dbPassword: 'Some-passw0rd', dbName: 'not_there' };
    const sentence = await failure(login).then(forOperator);
    expect(sentence).toMatch(/"not_there", or it does not exist: GRANT ALL .*, or create it/);
    await administer(options, `DROP USER ${user}`);
    await remove();
  });
});

describe.each(serverEngines.filter(({ family }) => family === 'postgres'))('a schema of $name', (engine) => {
  it('is made when it is missing and holds the tables', async () => {
    const place = await engine.reserve();
    const { options } = place;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    const first = await openDatabase({ ...options, dbSchema: 'one "lrs"' }, createLogger('OFF'));
    const second = await openDatabase({ ...options, dbSchema: 'two' }, createLogger('OFF'));
    const rows = await second.read((session) =>
      session.select<{ schema: string }>(
        `SELECT schemaname AS schema FROM pg_tables WHERE tablename = 'statement' ORDER BY schemaname`,
      ),
    );
    expect(rows).toEqual([{ schema: 'one "lrs"' }, { schema: 'two' }]);
    await first.close();
    await second.close();
    await place.remove();
  });
});
