import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../lib/db/connect.ts';
import { isOnServer } from '../../../lib/db/dialects/facts.ts';
import { createLogger } from '../../../lib/logger.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { readBackupArguments } from '../../../scripts/backup-arguments.mjs';
import { codeBlocks } from '../../support/documentation.ts';
import { serverEngines } from '../../support/engines.ts';
import { serverEntrance } from '../../support/entrance.ts';
import { connect, parsed } from '../../support/lrs-client.ts';

const root = join(import.meta.dirname, '../../..');
const script = [
  '--import',
  join(root, 'node_modules/tsx/dist/esm/index.mjs'),
  join(root, 'scripts/backup.ts'),
];

const documented = codeBlocks('operation.md')
  .flatMap(({ code }) => [...code.matchAll(/npm run (backup|restore) -- (.*)/g)])
  .map(([, command = '', rest = '']) => [command, ...rest.split(' ')]);

describe('npm run backup and npm run restore', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-command-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Runs the command that npm runs, in an empty folder. */
  async function run(args: readonly string[], settings: Readonly<Record<string, string>>) {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...settings } };
    return promisify(execFile)(process.execPath, [...script, ...args], options).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }

  it('copy the database of a running server, which another server continues with', async () => {
    const database = join(folder, 'lrs.db');
    const server = await serverEntrance('http', { LRS_DB_NAME: database });
    const statement = {
      id: 'a8d1f0c6-4d0c-4b0a-8d8f-0f3f4b3f9a01',
      actor: { mbox: 'mailto:ann@example.org' },
      verb: { id: 'https://example.org/verbs/did' },
      object: { id: 'https://example.org/activities/something' },
    };
    try {
      const client = await connect(server);
      expect((await client.xapi('POST', { body: JSON.stringify(statement) })).status).toBe(200);
      const backup = await run(['backup', 'copy.sqlite'], {
        LRS_DB_NAME: database,
        LRS_CREDENTIAL_KEY: 'hidden-word-of-this-server',
        LRS_ATTACHMENT_BUCKET: 'some-bucket',
        AWS_ACCESS_KEY_ID: 'nobody',
        AWS_SECRET_ACCESS_KEY: 'hidden-word-of-the-bucket',
      });
      expect(backup).toMatchObject({ code: 0, stderr: '' });
      expect(backup.stdout).toContain(`${join(folder, 'copy.sqlite')} holds the database ${database}.`);
      expect(backup.stdout).toMatch(/does not contain these settings.*: credentialKey\./);
      expect(backup.stdout).toContain('the attachments in the bucket some-bucket');
      expect(backup.stdout).not.toContain('hidden-word');
    } finally {
      await server.close();
    }
    const restored = await run(['restore', 'copy.sqlite'], { LRS_DB_NAME: 'new/lrs.sqlite' });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const other = await serverEntrance('http', { LRS_DB_NAME: join(folder, 'new/lrs.sqlite') });
    try {
      const client = await connect(other);
      const found = await client.xapi('GET', { query: `statementId=${statement.id}` });
      expect(parsed(found)).toMatchObject(statement);
    } finally {
      await other.close();
    }
  });

  it('end with a sentence and status 1 where they cannot work', async () => {
    const missing = await run(['backup', 'other.sqlite'], { LRS_DB_NAME: 'nothing.db' });
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no database ${join(folder, 'nothing.db')}: set dbName (LRS_DB_NAME) to its file.\n`,
    });
    const schema = await run(['backup', 'other.sqlite'], { LRS_DB_SCHEMA: 'store_acme' });
    expect(schema.code).toBe(1);
    expect(schema.stderr).toMatch(/^dbSchema \(LRS_DB_SCHEMA\) is set, but SQLite has no schemas: /);
    const mistaken = await run(['backup', 'other.sqlite'], { LRS_DB_TYPE: 'oracle' });
    expect(mistaken.code).toBe(1);
    expect(mistaken.stderr).toContain('LRS_DB_TYPE');
  });

  it.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)('leave nothing behind after %s', async (signal) => {
    const pipe = join(folder, `pipe-${signal}`);
    execFileSync('mkfifo', [pipe]);
    const writer = await open(pipe, 'r+');
    const database = `interrupted-${signal}.sqlite`;
    const child = spawn(process.execPath, [...script, 'restore', pipe], {
      cwd: folder,
      env: { PATH: process.env.PATH, LRS_DB_NAME: database },
    });
    const output = text(child.stderr);
    const ended = once(child, 'close');
    await expect.poll(() => existsSync(join(folder, `${database}.partial`)), { timeout: 20_000 }).toBe(true);
    child.kill(signal);
    // Lets each read end that the command waits for, also one that begins only now: the signal may come later.
    const feeding = setInterval(() => void writer.write('some text'), 100);
    expect(await ended).toEqual([1, null]);
    clearInterval(feeding);
    await writer.close();
    expect(await output).toBe('Interrupted: the restore is not complete.\n');
    expect((await readdir(folder)).filter((name) => name.startsWith('interrupted'))).toEqual([]);
  });

  const hasDump = spawnSync('pg_dump', ['--version'], { stdio: 'ignore' }).status === 0;

  it.each(serverEngines.filter(({ family }) => family === 'postgres' && hasDump))(
    'name the schema that they copy on $name',
    async ({ reserve }) => {
      const place = await reserve();
      try {
        if (!isOnServer(place.options)) throw new Error('Postgres is a server.');
        const { dbType, dbHost, dbPort, dbName, dbUser, dbPassword } = place.options;
        await (await openDatabase({ ...place.options, dbSchema: 'acme' }, createLogger('OFF'))).close();
        const backup = await run(['backup', 'acme.dump'], {
          LRS_DB_TYPE: dbType,
          LRS_DB_HOST: dbHost,
          LRS_DB_PORT: String(dbPort),
          LRS_DB_NAME: dbName,
          LRS_DB_USER: dbUser,
          LRS_DB_SCHEMA: 'acme',
          ...(dbPassword !== undefined && { LRS_DB_PASSWORD: dbPassword }),
        });
        const file = join(folder, 'acme.dump');
        expect(backup.stderr).toBe('');
        expect(backup.stdout).toBe(`${file} holds the schema acme of the database ${dbName}.\n`);
      } finally {
        await place.remove();
      }
    },
  );

  it('are what docs/operation.md says', () => {
    expect(documented.map(([command]) => command)).toEqual(expect.arrayContaining(['backup', 'restore']));
    for (const args of documented) expect(() => readBackupArguments(args)).not.toThrow();
    const { backup, restore } = packageJson.scripts;
    expect([backup, restore]).toEqual(['node scripts/backup.mjs backup', 'node scripts/backup.mjs restore']);
  });
});
