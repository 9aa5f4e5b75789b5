import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { createLogger } from '../../lib/logger.ts';
import { insertStore } from '../../lib/stores/registry.ts';
import { latestMigration } from '../../migrations/latest.ts';
import { failureReasons } from '../../scripts/failure-reasons.ts';
import { runCommand } from '../../scripts/operator/run.ts';
import { openAdministrationOn } from '../support/administration.ts';
import { type Engine, sharedEngines, type TestDatabase } from '../support/engines.ts';
import { type ServerEntrance, serverEntrance } from '../support/entrance.ts';
import { lrsqlInSqlite, lrsqlOnServer } from '../support/lrsql-database.ts';
import { databaseSettings } from '../support/server-process.ts';

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

interface Surroundings {
  readonly env?: Record<string, string>;
  /** The password that is typed. */
  readonly input?: string;
  readonly cwd?: string;
  /** What takes the output. */
  readonly print?: (line: string) => Promise<void>;
}

async function run(
  args: readonly string[],
  { env = {}, input = '', cwd = import.meta.dirname, print }: Surroundings = {},
): Promise<Ended> {
  let [out, err] = ['', ''];
  const collect = async (line: string) => {
    out += `${line}\n`;
  };
  const status = await runCommand(args, {
    source: { env: { LRS_LOG_LEVEL: 'OFF', ...env }, cwd },
    readPassword: async () => input,
    print: print ?? collect,
    printError: (line) => {
      err += `${line}\n`;
    },
  });
  return { status, out, err };
}

describe.each(sharedEngines)('an operator at the command line, with $name', (engine: Engine) => {
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await engine.create();
    env = databaseSettings(database.options);
  });
  afterAll(() => database?.remove());

  const json = async (...args: readonly string[]) => {
    const { status, out, err } = await run([...args, '--json'], { env });
    expect([status, err]).toEqual([0, '']);
    return JSON.parse(out);
  };

  it('creates an account, whose password is not an argument, and gives it another password', async () => {
    const weak = await run(['account', 'create', 'operator1'], { env, input: 'weak' });
    expect([weak.status, weak.out]).toEqual([1, '']);
    expect(weak.err).toMatch(/password must have at least 10 characters/);
    const created = await run(['account', 'create', 'operator1'], { env, input: 'Tr1cky_pass!' });
    expect(created).toMatchObject({ status: 0, out: 'The account operator1 is created.\n' });
    const taken = await run(['account', 'create', 'operator1'], { env, input: 'Tr1cky_pass!' });
    expect(taken.status).toBe(1);
    expect(await json('account', 'list')).toMatchObject([{ username: 'operator1' }]);
    const { accounts } = await openAdministrationOn(database.db);
    const before = await accounts.login('operator1', 'Tr1cky_pass!');
    const changed = await run(['account', 'password', 'operator1'], { env, input: 'An0ther_pass!' });
    expect(changed.status).toBe(0);
    await expect(accounts.login('operator1', 'Tr1cky_pass!')).rejects.toThrow('wrong');
    const after = await accounts.login('operator1', 'An0ther_pass!');
    expect(after.tokenGeneration).toBe(before.tokenGeneration + 1);
    expect((await run(['account', 'password', 'nobody1'], { env, input: 'An0ther_pass!' })).status).toBe(1);
  });

  it('creates, lists, rotates and deletes key pairs', async () => {
    const secret = await serverSecret(database.db);
    const { credentials } = await openAdministrationOn(database.db, { credentialKey: secret });
    const pair = await json('keys', 'create', 'operator1', '--scope', 'statements/read', '--label', 'x');
    expect(await credentials.authenticate(pair.apiKey, pair.secretKey)).toMatchObject({
      scopes: ['statements/read'],
    });
    const listed = await run(['keys', 'list', 'operator1'], { env });
    expect(listed.out).toBe(`${pair.apiKey}  statements/read  x\n`);
    const rotated = await json('keys', 'rotate', pair.apiKey);
    credentials.forgetVerified();
    expect(await credentials.authenticate(pair.apiKey, pair.secretKey)).toBeUndefined();
    expect(await credentials.authenticate(pair.apiKey, rotated.secretKey)).toBeDefined();
    await json('keys', 'delete', pair.apiKey);
    credentials.forgetVerified();
    expect(await credentials.authenticate(pair.apiKey, rotated.secretKey)).toBeUndefined();
    expect(await run(['keys', 'delete', pair.apiKey], { env })).toMatchObject({
      ...{ status: 1, err: `There is no key pair ${pair.apiKey}.\n` },
    });
    expect((await run(['keys', 'create', 'operator1', '--scope', 'no'], { env })).err).toMatch(/no scope no/);
  });

  it('changes nothing while the LRS is read-only, unless the command says otherwise', async () => {
    const locked = { ...env, LRS_READ_ONLY: 'true' };
    for (const args of [
      ['account', 'create', 'operator2'],
      ['account', 'password', 'operator1'],
      ['keys', 'create', 'operator1'],
      ['keys', 'rotate', 'none'],
      ['keys', 'delete', 'none'],
    ]) {
      const { status, err } = await run(args, { env: locked, input: 'Tr1cky_pass!' });
      expect([status, err]).toEqual([
        1,
        expect.stringMatching(/^The LRS is read-only \(lrs\.readOnly, LRS_READ_ONLY\)/),
      ]);
    }
    expect((await run(['account', 'list'], { env: locked })).out).toMatch(/ {2}operator1\n$/);
    expect(await json('keys', 'list', 'operator1')).toEqual([]);
  });

  it('shows a new secret key before the audit trail says how the command has ended', async () => {
    const newestStatus = async () => {
      const [row] = await database.db.read((session) =>
        session.select<{ status: number }>('SELECT status FROM audit_event ORDER BY at DESC LIMIT 1'),
      );
      return row?.status;
    };
    const { apiKey } = await json('keys', 'create', 'operator1');
    let whenShown: number | undefined;
    const print = async (line: string) => {
      expect(line).toMatch(/Secret key {2}[0-9a-f]{64}$/);
      whenShown = await newestStatus();
    };
    expect(await run(['keys', 'rotate', apiKey], { env, print })).toMatchObject({ status: 0, err: '' });
    expect([whenShown, await newestStatus()]).toEqual([0, 200]);
    const full = async () => Promise.reject(new Error('ENOSPC: no space left on device, write'));
    expect(await run(['keys', 'rotate', apiKey], { env, print: full })).toEqual({
      ...{ status: 1, out: '' },
      err: 'The command is carried out, but its result could not be printed: ENOSPC: no space left on device, write\nThe new secret key is lost: `keys list ACCOUNT` shows the API key, and `keys rotate API-KEY` gives it another secret key.\n',
    });
    expect(await newestStatus()).toBe(200);
    await json('keys', 'delete', apiKey);
  });

  it('leaves what was changed, or refused, in the audit trail, without secrets', async () => {
    const rows = await database.db.read((session) =>
      session.select<{
        action: string;
        status: number;
        subject: string | null;
        client: string;
        username: string | null;
      }>('SELECT action, status, subject, client, username FROM audit_event ORDER BY at'),
    );
    expect(rows.map(({ action, status }) => `${action} ${status}`)).toEqual([
      'serverless-lrs account create 400',
      'serverless-lrs account create 200',
      'serverless-lrs account create 409',
      'serverless-lrs account password 200',
      'serverless-lrs keys create 200',
      'serverless-lrs keys rotate 200',
      'serverless-lrs keys delete 200',
      'serverless-lrs keys delete 404',
      'serverless-lrs keys create 200',
      'serverless-lrs keys rotate 200',
      'serverless-lrs keys rotate 200',
      'serverless-lrs keys delete 200',
    ]);
    expect(rows.every(({ subject, status }) => subject !== null || status >= 400)).toBe(true);
    expect(
      rows.every(({ client, username }) => /^command line \(.+\)$/.test(client) && username === null),
    ).toBe(true);
  });

  it('is told why the database refuses a statement, without SQL and values', async () => {
    const sql = 'SELECT nothing FROM admin_account WHERE username = :name';
    const failure: unknown = await database.db
      .read((session) => session.select(sql, { name: 'private-value' }))
      .catch((error: unknown) => error);
    const told = failureReasons(failure).join('\n');
    expect(told).toMatch(/nothing/);
    expect(told).not.toMatch(/admin_account|private-value/);
    expect(inspect(failure, { depth: 5 })).not.toContain('private-value');
  });

  it('reads no database with the schema of another release, and changes it not', async () => {
    const { db } = database;
    const versions = () =>
      db.read((session) => session.select('SELECT name FROM schema_migration ORDER BY name'));
    const before = await versions();
    const name = latestMigration;
    await db.write((session) => session.execute('DELETE FROM schema_migration WHERE name = :name', { name }));
    const older = await versions();
    for (const args of [['status'], ['account', 'list'], ['keys', 'list', 'someone']]) {
      const { status, err } = await run(args, { env: { ...env, LRS_READ_ONLY: 'true' } });
      expect([status, err]).toEqual([1, expect.stringContaining('is older than this release')]);
    }
    expect(await versions()).toEqual(older);
    await db.write((session) =>
      session.execute('INSERT INTO schema_migration (name) VALUES (:name)', { name }),
    );
    expect(await versions()).toEqual(before);
  });

  it('is told what to do with a database of lrsql', async () => {
    const place = await engine.reserve();
    const lrsql =
      engine.family === 'sqlite'
        ? await lrsqlInSqlite(databaseSettings(place.options).LRS_DB_NAME ?? '')
        : await lrsqlOnServer(place.options as ServerOptions);
    await lrsql.close();
    const advice = /of lrsql.*set dbName .*npm run import -- --from/;
    const surroundings = { env: databaseSettings(place.options), input: 'Tr1cky_pass!' };
    for (const args of [['status'], ['keys', 'list', 'someone'], ['account', 'create', 'operator3']]) {
      const { status, err } = await run(args, surroundings);
      expect([args, status, err]).toEqual([args, 1, expect.stringMatching(advice)]);
    }
    const { status, out } = await run(['doctor'], surroundings);
    expect([status, out]).toEqual([1, expect.stringMatching(advice)]);
    expect(out).not.toContain('older than this release');
    await place.remove();
  });

  it('sees the status, and that all is well', async () => {
    expect(await json('status')).toMatchObject({
      'statement-count': 0,
      database: { engine: engine.dialect },
    });
    const { findings, failed } = await json('doctor');
    expect(failed).toBe(0);
    const found = findings.map(({ check }: { check: string }) => check);
    expect(found).toEqual(
      expect.arrayContaining(['disk', 'certificate', 'database', 'privileges', 'clock', 'accounts']),
    );
    expect(found.includes('schema privileges')).toBe(engine.family !== 'sqlite');
  });
});

describe('the command line', () => {
  it('shows its usage when it is asked for it', async () => {
    const { status, out, err } = await run(['keys', 'create', '--help']);
    expect([status, out, err]).toEqual([0, expect.stringMatching(/^serverless-lrs COMMAND/), '']);
  });

  it.each([
    [[], /^serverless-lrs COMMAND/],
    [['account'], /^account is followed by one of list, create, password\.\nserverless-lrs COMMAND/],
    [['keys', 'lists', 'x'], /^keys is followed by one of list, create, rotate, delete\.\n/],
    [['acount', 'list'], /^There is no command acount\.\nserverless-lrs COMMAND/],
    [['keys', 'list'], /^keys list takes one ACCOUNT/],
    [['status', 'x'], /^status takes nothing more/],
    [['status', '--label', 'x'], /^--scope and --label/],
    [['status', '--nonsense'], /nonsense/],
    [['status', '--db', 'oracle'], /^--db must be/],
    [['keys', 'create', 'someone', '--scope', 'bogus'], /^There is no scope bogus; there are all, /],
  ])('ends with status 2 when it is wrong: %j', async (args, message) => {
    const { status, err } = await run(args);
    expect([status, err]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('a command that only reads', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'operator-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    [['status'], 'err' as const],
    [['account', 'list'], 'err' as const],
    [['keys', 'list', 'someone'], 'err' as const],
    [['doctor'], 'out' as const],
  ])('creates no database: %j', async (args, where) => {
    const file = join(directory, 'mistyped.db');
    const ended = await run(args, { cwd: directory, env: { LRS_DB_NAME: file, LRS_READ_ONLY: 'true' } });
    expect(ended.status).toBe(1);
    expect(ended[where]).toContain(`There is no database at ${file}`);
    expect(existsSync(file)).toBe(false);
  });

  it('makes no LRS of a database without its tables', async () => {
    const file = join(directory, 'empty.db');
    writeFileSync(file, '');
    for (const args of [['status'], ['account', 'list']]) {
      const { status, err } = await run(args, { env: { LRS_DB_NAME: file } });
      expect([status, err]).toEqual([1, expect.stringContaining('has no tables of an LRS')]);
    }
  });
});

describe('the doctor', () => {
  let directory: string;
  let entrance: ServerEntrance | undefined;
  let proxy: Server | undefined;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'doctor-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  afterEach(async () => {
    proxy?.closeAllConnections();
    proxy?.close();
    await entrance?.close();
    [entrance, proxy] = [undefined, undefined];
  });

  const outcomes = async (...args: readonly string[]) => {
    const { status, out } = await run(['doctor', ...args, '--json'], { cwd: directory });
    const { findings } = JSON.parse(out);
    return {
      status,
      ...Object.fromEntries(findings.map(({ check, outcome }: Record<string, string>) => [check, outcome])),
    };
  };

  it('names what is wrong with a configuration, or that there is no database yet', async () => {
    const wrong = await run(['doctor'], { cwd: directory, env: { LRS_HTTP_PORT: 'x' } });
    expect(wrong).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^failed {3}configuration .*httpPort/),
    });
    const none = await run(['doctor'], { cwd: directory, env: { LRS_DB_NAME: 'none/lrs.db' } });
    expect(none).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^failed {3}disk .*does not exist/m),
    });
  });

  it('warns of each host of the database that could not take over', async () => {
    const hosts = ['127.0.0.1:1', '127.0.0.1:2'];
    const env = { LRS_DB_TYPE: 'postgres', LRS_DB_USER: 'lrs', LRS_DB_HOST: hosts.join(',') };
    const { out } = await run(['doctor'], { cwd: directory, env });
    for (const host of hosts) {
      expect(out).toContain(`The database could not move to ${host}: No Postgres answers at ${host}`);
    }
  });

  it('warns of each replica that could serve no reads', async () => {
    const env = { LRS_DB_TYPE: 'postgres', LRS_DB_USER: 'lrs', LRS_DB_HOST: '127.0.0.1:1' };
    const { out } = await run(['doctor'], {
      cwd: directory,
      env: { ...env, LRS_DB_READ_HOSTS: '127.0.0.1:2,127.0.0.1:3' },
    });
    for (const host of ['127.0.0.1:2', '127.0.0.1:3']) {
      expect(out).toContain(`No reads can be sent to ${host} (dbReadHosts): No Postgres answers at ${host}`);
    }
    expect(out).toContain('or check dbReadHosts.');
    expect(out).not.toContain('could not move');
  });

  it('warns of stores on a database server that is not configured', async () => {
    const env = { LRS_DB_NAME: join(directory, 'stores.sqlite'), LRS_ENABLE_STORES: 'true' };
    const options = { dbType: 'sqlite', dbName: env.LRS_DB_NAME } as const;
    const db = await openDatabase(options, createLogger('OFF'));
    await serverSecret(db);
    const store = { name: 'acme', server: 'lost', state: 'open', settings: {}, created: 1 } as const;
    await db.write((session) => insertStore(session, store));
    await db.close();
    const { out } = await run(['doctor'], { cwd: directory, env });
    expect(out).toMatch(/^warning {2}stores .*1 store is on the server lost\. .* has no server lost/m);
  });

  it('warns of each database server of stores that can not be used', async () => {
    const env = {
      LRS_DB_NAME: 'none/lrs.db',
      LRS_ENABLE_STORES: 'true',
      LRS_STORES_SERVERS: 'second=postgresql://lrs:secret@127.0.0.1:1/lrs',
    };
    const { out } = await run(['doctor'], { cwd: directory, env });
    expect(out).toContain(
      "The server second (stores.storesServers) can't be used at 127.0.0.1:1: No Postgres answers at 127.0.0.1:1",
    );
    expect(out).not.toContain('secret');
  });

  it('finds nothing wrong with a server that answers directly, but for TLS', async () => {
    entrance = await serverEntrance('https');
    expect(await outcomes(entrance.url)).toMatchObject({
      ...{ status: 1, TLS: 'failed', certificate: 'ok', HSTS: 'ok', reachable: 'ok', clock: 'ok' },
      ...{ 'version header': 'ok', 'consistent-through': 'ok', authorization: 'ok', CORS: 'ok' },
      ...{ 'long queries': 'ok', 'large bodies': 'ok' },
    });
    const { out } = await run(['doctor', entrance.url], { cwd: directory });
    expect(out).toMatch(/^ok +consistent-through +X-Experience-API-Consistent-Through is in answers\.$/m);
    expect(out).toMatch(/^failed {3}TLS .*not trusted.*set NODE_EXTRA_CA_CERTS to its PEM file/m);
  });

  it('finds a proxy that drops headers and limits sizes, and a clock that differs', async () => {
    const answer: RequestListener = ({ url = '', method }, response) => {
      const date = new Date(Date.now() - 3_600_000).toUTCString();
      response.setHeader('Date', date).setHeader('Content-Type', 'application/json');
      if (url.length > 8000 || method === 'POST')
        response.setHeader('Content-Type', 'text/html').writeHead(413).end();
      else if (url.endsWith('/about')) response.end('{"version":["1.0.3"]}');
      else
        response
          .writeHead(401)
          .end(
            '{"error":"The header Authorization with a Basic key pair is missing.","code":"unauthenticated"}',
          );
    };
    proxy = createServer(answer).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    expect(await outcomes(`http://127.0.0.1:${port}`)).toMatchObject({
      ...{ status: 1, TLS: 'warning', reachable: 'ok', clock: 'failed' },
      ...{
        'version header': 'failed',
        'consistent-through': 'failed',
        authorization: 'failed',
        CORS: 'failed',
      },
      ...{ 'long queries': 'warning', 'large bodies': 'warning' },
    });
  });

  it('says when nothing answers, or no LRS', async () => {
    expect(await outcomes('http://127.0.0.1:1')).toEqual({ status: 1, reachable: 'failed' });
    expect(await outcomes('nonsense')).toEqual({ status: 1, address: 'failed' });
    const { out, err } = await run(['doctor', 'ht!tp://ann:hidden-word@lrs.example'], { cwd: directory });
    expect(out).toContain('That is not an address such as https://lrs.example.org.');
    expect(out + err).not.toContain('hidden-word');
  });
});
