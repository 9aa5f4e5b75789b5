import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, openDatabase } from '../../lib/db/connect.ts';
import { createLogger } from '../../lib/logger.ts';
import { latestMigration } from '../../migrations/latest.ts';
import { builtProgram } from '../support/built-program.ts';
import { serverEngines } from '../support/engines.ts';
import { lrsqlInSqlite, squuid } from '../support/lrsql-database.ts';
import { databaseSettings } from '../support/server-process.ts';
import { statement } from '../support/statements.ts';

describe('the commands that import and export', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lrs-transfer-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function run(
    name: 'import' | 'export',
    args: readonly string[],
    env: Record<string, string> = {},
    input = '',
    started: (pid: number | undefined) => void = () => {},
  ) {
    const child = spawn(process.execPath, [builtProgram(name), ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        LRS_DB_NAME: join(folder, 'lrs.db'),
        LRS_LOG_LEVEL: 'OFF',
        ...env,
      },
    });
    started(child.pid);
    child.stdin.end(input);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { status: child.exitCode, out, err };
  }

  /** Stores a statement. */
  async function importOne(env: Record<string, string> = {}) {
    const source = join(folder, 'statements.ndjson');
    writeFileSync(source, `${JSON.stringify(statement())}\n`);
    return run('import', ['--from', source, '--folder', join(folder, 'progress')], env);
  }

  it('write a file that is compressed where its name ends in .gz, and no other one', async () => {
    expect(await importOne()).toMatchObject({ status: 0 });
    const plain = join(folder, 'all.ndjson');
    const compressed = join(folder, 'all.ndjson.gz');
    for (const file of [plain, compressed]) expect(await run('export', [file])).toMatchObject({ status: 0 });
    const lines = readFileSync(plain, 'utf8').trimEnd().split('\n');
    const kinds = (lines: readonly string[]) => lines.map((line) => Object.keys(JSON.parse(line)));
    expect(lines.length).toBeGreaterThan(1);
    expect(kinds(gunzipSync(readFileSync(compressed)).toString().trimEnd().split('\n'))).toEqual(
      kinds(lines),
    );
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('export nothing from a database that is not there, and create none', async () => {
    const { status, err } = await run('export', [join(folder, 'all.ndjson')]);
    expect([status, err]).toEqual([
      1,
      expect.stringContaining(`There is no database at ${join(folder, 'lrs.db')}`),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('write through no file or link that has the name of the unfinished export', async () => {
    expect(await importOne()).toMatchObject({ status: 0 });
    const file = join(folder, 'all.ndjson');
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'theirs');
    for (const create of [
      () => symlinkSync(elsewhere, `${file}.partial`),
      () => writeFileSync(`${file}.partial`, 'theirs', { mode: 0o666 }),
    ]) {
      create();
      const { status, err } = await run('export', [file, '--with-secrets']);
      expect([status, err]).toEqual([1, expect.stringContaining(`${file}.partial exists`)]);
      expect(readFileSync(`${file}.partial`, 'utf8')).toBe('theirs');
      expect([existsSync(file), readFileSync(elsewhere, 'utf8')]).toEqual([false, 'theirs']);
      rmSync(`${file}.partial`);
    }
    expect(await run('export', [file, '--with-secrets'])).toMatchObject({
      status: 0,
      out: expect.stringContaining(': 1 statement.'),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('log no usual events of a server, unless they are asked for', async () => {
    const event = 'database schema brought up to date';
    expect((await importOne({ LRS_LOG_LEVEL: 'INFO' })).err).not.toContain(event);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    expect((await importOne({ LRS_LOG_LEVEL: 'DEBUG' })).err).toContain(event);
  });

  it('show that all is read and compared when they have ended', async () => {
    const { err } = await importOne();
    const lines = err.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/(100 % of |^)1 statement(,|$)/);
  });

  it('show that all is done where a record was refused, how many the source has, and when programs may read', async () => {
    const { from, insert, close } = await lrsqlInSqlite(join(folder, 'lrsql.db'));
    for (const [index, payload] of [statement(), { id: 'x' }].entries()) {
      const row = {
        id: squuid(index),
        statement_id: randomUUID(),
        verb_iri: 'x',
        payload: JSON.stringify(payload),
      };
      await insert('xapi_statement', { ...row, is_voided: false });
    }
    await close();
    const args = ['--trusted', '--from', from, '--folder', join(folder, 'progress')];
    const { status, out, err } = await run('import', args);
    expect([status, out]).toEqual([
      2,
      expect.stringContaining('Statements: 2 in the source, 1 of them refused, 1 here'),
    ]);
    expect(out).toContain('Programs may read this LRS incrementally from now on');
    expect(err.trimEnd().split('\n')).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('100 % of 2 statements')),
    );
  });

  it('overwrite no file', async () => {
    const file = join(folder, 'all.ndjson');
    writeFileSync(file, 'something else');
    const { status, err } = await run('export', [file]);
    expect([status, err]).toEqual([
      1,
      expect.stringContaining(`${file} is there already, and nothing is overwritten: name another file.`),
    ]);
    expect(readFileSync(file, 'utf8')).toBe('something else');
  });

  it('compare what came through the standard input, and keep no copy of it', async () => {
    const progress = join(folder, 'progress');
    const { status, out } = await run(
      'import',
      ['--from', '-', '--folder', progress],
      {},
      [statement(), statement()].map((each) => JSON.stringify(each)).join('\n'),
    );
    expect([status, out]).toEqual([0, expect.stringContaining('Statements: 2 in the source, 2 here')]);
    expect(readdirSync(progress)).not.toContain('input');
  });

  it('keep the progress in one folder, however the path of the source is written', async () => {
    writeFileSync(join(folder, 'a.ndjson'), `${JSON.stringify(statement())}\n`);
    expect(await run('import', ['--from', 'a.ndjson'])).toMatchObject({ status: 0 });
    const { status, out } = await run('import', ['--from', join(folder, 'a.ndjson')]);
    expect([status, out]).toEqual([0, expect.stringContaining('statement: nothing new; 1 read')]);
    expect(readdirSync(folder).filter((name) => name.startsWith('import-'))).toHaveLength(1);
  });

  it('import the database of an lrsql from the address that it is configured with, and show none that they do not understand', async () => {
    const lrsql = await lrsqlInSqlite(join(folder, 'lrsql.db'));
    await lrsql.close();
    const { err } = await run('import', ['--from', `jdbc:sqlite:${join(folder, 'lrsql.db')}`, '--dry-run']);
    expect(err).toBe('');
    const wrong = await run('import', ['--from', 'jdbc:oracle://h/x?user=u&password=hidden-word']);
    expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining('--from must be a URL such as')]);
    expect(wrong.out + wrong.err).not.toContain('hidden-word');
  });

  it.each(['-', '/dev/null'])('say when there is nothing in %s', async (from) => {
    const { status, out } = await run('import', ['--from', from, '--folder', join(folder, 'progress')]);
    expect([status, out]).toEqual([2, expect.stringContaining('Nothing was found in')]);
    expect(out).not.toContain('Differences');
  });

  it('keep no contents of attachments once an export is imported and compared', async () => {
    const content = Buffer.from('a certificate');
    const sha2 = createHash('sha256').update(content).digest('hex');
    const attachment = {
      ...{ usageType: 'https://example.org/certificate', display: { en: 'Certificate' } },
      ...{ contentType: 'text/plain', length: content.length, sha2 },
    };
    const file = join(folder, 'export.ndjson');
    const head = { format: 'serverless-lrs export', version: 1, made: '2026-01-01T00:00:00Z', statements: 1 };
    const lines = [
      { export: { ...head, secrets: false } },
      { content: { sha2, data: content.toString('base64') } },
      {
        statement: statement({ attachments: [attachment] }),
        contents: [{ sha2, contentType: 'text/plain' }],
      },
      { end: { contents: 1, statements: 1 } },
    ].map((line) => JSON.stringify(line));
    writeFileSync(file, lines.slice(0, 3).join('\n'));
    const args = ['--from', file, '--folder', join(folder, 'progress')];
    expect(await run('import', args)).toMatchObject({ status: 1, err: expect.stringContaining('cut off') });
    expect(readdirSync(join(folder, 'progress'))).toContain('contents');
    writeFileSync(file, lines.join('\n'));
    expect(await run('import', args)).toMatchObject({ status: 0 });
    expect(readdirSync(join(folder, 'progress')).sort()).toEqual(['progress.json', 'report.json']);
  });

  it('show what others have written without its control characters', async () => {
    const source = join(folder, 'statements.ndjson');
    writeFileSync(source, JSON.stringify({ ...statement(), id: '\u001b[2J\nDifferences: 0' }));
    const { status, out } = await run('import', ['--from', source, '--folder', join(folder, 'progress')]);
    expect([status, out]).toEqual([2, expect.stringContaining('\\u001b[2J\\u000aDifferences: 0')]);
    expect(out).not.toContain('\u001b');
  });

  it('that only read refuse a database with the schema of another release, and change it not', async () => {
    expect(await importOne()).toMatchObject({ status: 0 });
    const db = await openDatabase({ dbType: 'sqlite', dbName: join(folder, 'lrs.db') }, createLogger('OFF'));
    await db.write((session) =>
      session.execute('DELETE FROM schema_migration WHERE name = :name', { name: latestMigration }),
    );
    const dryRun = ['--dry-run', '--from', join(folder, 'statements.ndjson')];
    for (const { status, err } of [
      await run('export', [join(folder, 'all.ndjson')]),
      await run('import', dryRun),
    ])
      expect([status, err]).toEqual([1, expect.stringContaining('is older than this release')]);
    const left = await db.read((session) => session.select('SELECT name FROM schema_migration'));
    await db.close();
    expect(left).not.toContainEqual({ name: latestMigration });
    const elsewhere = await run('import', dryRun, { LRS_DB_NAME: join(folder, 'none-yet.db') });
    expect(elsewhere).toMatchObject({ status: 0, out: expect.stringContaining('1 would be stored') });
  });

  it('leave nothing behind when they only try, where there is no database or an empty one', async () => {
    const source = join(folder, 'statements.ndjson');
    writeFileSync(source, `${JSON.stringify(statement())}\n{"id":"x"}\n`);
    writeFileSync(join(folder, 'empty.db'), '');
    for (const name of ['none.db', 'empty.db']) {
      const dbName = join(folder, name);
      const own = ['--folder', join(folder, 'progress')];
      const tried = await run('import', ['--dry-run', '--trusted', '--from', source, ...own], {
        LRS_DB_NAME: dbName,
      });
      expect(tried.out).toContain(`into sqlite database ${dbName}, without storing anything`);
      expect(tried.out).toContain('statement: 1 would be stored, 0 there already, 1 refused');
      expect(readFileSync(join(folder, 'empty.db'), 'utf8')).toBe('');
      expect(readdirSync(folder).sort()).toEqual(['empty.db', 'progress', 'statements.ndjson']);
    }
  });

  it.each(serverEngines)(
    'create no tables when they only try, in an empty database on $name',
    async (engine) => {
      const source = join(folder, 'statements.ndjson');
      writeFileSync(source, `${JSON.stringify(statement())}\n`);
      const { options, remove } = await engine.reserve();
      const tried = await run(
        'import',
        ['--dry-run', '--from', source, '--folder', join(folder, 'progress')],
        databaseSettings(options),
      );
      expect(tried).toMatchObject({ status: 0, out: expect.stringContaining('1 would be stored') });
      const db = await connect(options);
      const tables = await db.read((session) => session.select(session.dialect.tablesSql));
      await db.close();
      await remove();
      expect(tables).toEqual([]);
    },
  );

  /** What the audit trail has, oldest first. */
  async function auditTrail() {
    const db = await openDatabase({ dbType: 'sqlite', dbName: join(folder, 'lrs.db') }, createLogger('OFF'));
    const rows = await db.read((session) =>
      session.select<{ kind: string; action: string; client: string; status: number; details: string }>(
        'SELECT kind, action, client, status, details FROM audit_event ORDER BY at',
      ),
    );
    await db.close();
    expect(rows.every(({ client }) => /^command line \(.+\)$/.test(client))).toBe(true);
    return rows.map(({ kind, action, status, details }) => ({
      kind,
      action,
      status,
      ...JSON.parse(details),
    }));
  }

  it('are in the audit trail, with the source and the counts, but for what only reads without secrets', async () => {
    const source = join(folder, 'statements.ndjson');
    writeFileSync(source, `${JSON.stringify(statement())}\n{"id":"x"}\n`);
    const args = ['--from', source, '--folder', join(folder, 'progress')];
    await run('import', [...args, '--dry-run']);
    await run('import', [...args, '--trusted']);
    const [plain, secret] = [join(folder, 'plain.ndjson'), join(folder, 'secret.ndjson')];
    await run('export', [plain]);
    await run('export', [secret, '--with-secrets']);
    expect(await auditTrail()).toEqual([
      {
        ...{ kind: 'change', action: 'serverless-lrs import', status: 200 },
        filters: { from: expect.stringContaining(source), trusted: 'true' },
        counts: { statements: 1, refused: 1 },
      },
      {
        ...{ kind: 'disclosure', action: 'serverless-lrs export (with secrets)', status: 200 },
        ...{ filters: { file: secret }, counts: { statements: 1 } },
      },
    ]);
  });

  it('are in the audit trail without the key of the source, also when they fail or are interrupted', async () => {
    const page = () => ({ statements: [statement({ id: randomUUID() })], more: '/xapi/next' });
    const child: { pid?: number | undefined } = {};
    const server = createServer((request, response) => {
      const isFirst = request.url?.startsWith('/xapi/statements') === true;
      if (isFirst)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page()));
      else if (child.pid === undefined) response.writeHead(500).end();
      else process.kill(child.pid, 'SIGINT');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const args = ['--from', `http://key:secret@127.0.0.1:${port}/xapi`, '--folder', join(folder, 'progress')];
    expect(await run('import', args)).toMatchObject({ status: 1 });
    const interrupted = await run('import', args, {}, '', (pid) => {
      child.pid = pid;
    });
    expect(interrupted).toMatchObject({ status: 1, out: expect.stringContaining('Interrupted') });
    server.closeAllConnections();
    server.close();
    const entry = { kind: 'change', action: 'serverless-lrs import' };
    const filters = { from: `http://127.0.0.1:${port}/xapi` };
    expect(await auditTrail()).toEqual([
      { ...entry, status: 503, filters, counts: { statements: 1 } },
      { ...entry, status: 200, filters, counts: { statements: 1 }, interrupted: true },
    ]);
  });

  it('say, before and after, that stored, authority and order are new where --trusted is not given', async () => {
    const source = join(folder, 'statements.ndjson');
    writeFileSync(source, `${JSON.stringify(statement())}\n`);
    const args = ['--from', source, '--folder', join(folder, 'progress')];
    const before = 'Each statement gets a new stored, authority and place in the order, because --trusted';
    const after = 'New and not compared: stored, authority and order, because --trusted was not given';
    const tried = await run('import', [...args, '--dry-run']);
    expect(tried).toMatchObject({ status: 0, out: expect.stringContaining(before) });
    expect((await run('import', [...args, '--trusted', '--dry-run'])).out).not.toContain(before);
    const imported = await run('import', args);
    expect(imported).toMatchObject({ status: 0, out: expect.stringContaining(before) });
    expect(imported.out).toContain(after);
  });

  it('end with status 2 when a record is refused, with and without a report', async () => {
    const source = join(folder, 'statements.ndjson');
    writeFileSync(source, `${JSON.stringify(statement())}\n{"id":"x"}\n`);
    for (const options of [[], ['--without-report'], ['--dry-run']]) {
      const own = join(folder, `progress${options.join('')}`);
      const { status, out } = await run('import', ['--from', source, '--folder', own, ...options]);
      expect([options, status, out]).toEqual([options, 2, expect.stringContaining('  item 2')]);
    }
    writeFileSync(source, `${JSON.stringify(statement())}\n`);
    const whole = ['--from', source, '--folder', join(folder, 'whole'), '--without-report'];
    expect(await run('import', whole)).toMatchObject({ status: 0 });
  });

  it('import nothing into an LRS that is read-only', async () => {
    const { status, err } = await importOne({ LRS_READ_ONLY: 'true' });
    expect([status, err]).toEqual([1, expect.stringContaining('The LRS is read-only')]);
    expect(existsSync(join(folder, 'lrs.db'))).toBe(false);
  });
});
