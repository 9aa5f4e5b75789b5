import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headersFolder } from '../../../scripts/sqlite-driver.mjs';

const root = join(import.meta.dirname, '../../..');
const project = { name: 'project', version: '1.0.0' };
const server = { 'node_modules/server': { version: '1.0.0' } };
const tester = { 'node_modules/tester': { version: '1.0.0', dev: true } };
const elsewhere = { 'node_modules/elsewhere': { version: '1.0.0', optional: true } };

describe('what installs the packages', () => {
  let folder: string;
  let other: string;

  /** A project with nothing but a lockfile, a folder of packages that belongs to another one, and an npm that takes notes. */
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'installed-'));
    other = join(folder, 'other');
    mkdirSync(join(folder, 'project'));
    mkdirSync(join(other, 'package'), { recursive: true });
    cpSync(join(root, 'scripts'), join(folder, 'project/scripts'), { recursive: true });
    put('project/package.json', JSON.stringify(project));
    put('project/package-lock.json', lock({ '': project, ...server, ...tester, ...elsewhere }));
    put('bin/npm', `#!/bin/sh\necho "$@" > ${join(folder, 'npm-arguments')}\n`);
    chmodSync(join(folder, 'bin/npm'), 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const lock = (packages: object): string => JSON.stringify({ ...project, lockfileVersion: 3, packages });
  const put = (name: string, text: string): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const installed = (packages: object): void =>
    put('project/node_modules/.package-lock.json', lock(packages));

  const ensureInstalled = (purpose = 'to start') => {
    const script = `await (await import('./scripts/installed.mjs')).ensureInstalled('${purpose}')`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(folder, 'project'),
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
      encoding: 'utf8',
    });
    const notes = join(folder, 'npm-arguments');
    return { status, stderr, npm: existsSync(notes) ? readFileSync(notes, 'utf8') : '' };
  };

  it('installs for a start what the server needs, and says so at once', () => {
    const { status, stderr, npm } = ensureInstalled();
    expect(status).toBe(0);
    expect(stderr).toMatch(/^Installing packages, about 1 … \(.*minutes.*\)\n {2}done in [\d.]+ s\n$/);
    expect(npm).toMatch(/^ci --omit=dev --ignore-scripts /);
  });

  it('completes for the tests what a start has installed, and keeps it', () => {
    installed(server);
    expect(ensureInstalled('to develop').npm).toMatch(/^install --no-save --include=dev --ignore-scripts /);
  });

  it('keeps everything for who has everything when a version changes', () => {
    installed({ 'node_modules/server': { version: '0.9.0' }, ...tester });
    expect(ensureInstalled().npm).toMatch(/^install --no-save --include=dev /);
  });

  it.each([
    ['to start', server],
    ['to start', { ...server, ...tester }],
    ['to develop', { ...server, ...tester }],
  ])('installs nothing %s when it is there, whatever the times of the files', (purpose, packages) => {
    installed(packages);
    put('project/package-lock.json', readFileSync(join(folder, 'project/package-lock.json'), 'utf8'));
    expect(ensureInstalled(purpose)).toEqual({ status: 0, stderr: '', npm: '' });
  });

  it('starts anew after an installation that was interrupted', () => {
    mkdirSync(join(folder, 'project/node_modules/server'), { recursive: true });
    expect(ensureInstalled().npm).toMatch(/^ci /);
  });

  it('shows what npm printed when it fails', () => {
    put('bin/npm', '#!/bin/sh\necho "npm error network"\nexit 1\n');
    expect(ensureInstalled()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/npm error network\nThe packages could not be installed/),
    });
  });

  it('leaves alone what a symbolic link leads to, and says so', () => {
    symlinkSync(other, join(folder, 'project/node_modules'));
    const { status, stderr } = ensureInstalled();
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(/node_modules is a symbolic link .* Remove the link and start again\.$/);
    expect(existsSync(join(other, 'package'))).toBe(true);
  });

  it('takes a link to the packages of the lockfile as it is', () => {
    writeFileSync(join(other, '.package-lock.json'), lock({ ...server, ...tester }));
    symlinkSync(other, join(folder, 'project/node_modules'));
    expect(ensureInstalled()).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(other, 'package'))).toBe(true);
  });

  it('is not run by a start with a mistyped option', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', '--wrokers', '2'], {
      cwd: join(folder, 'project'),
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Unknown option '--wrokers'\. npm start .*\n$/);
    expect(existsSync(join(folder, 'npm-arguments'))).toBe(false);
  });

  describe('the SQLite driver', () => {
    const run = (program: string, env: Record<string, string> = {}) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd: join(folder, 'project'),
        env: { PATH: join(folder, 'bin'), ...env },
        encoding: 'utf8',
      });

    it('that can neither be downloaded nor compiled is reported with what to install and what does without it', () => {
      put('project/node_modules/prebuild-install/bin.js', 'process.exit(1);');
      put('bin/make', '');
      const { status, stderr } = run(
        "await (await import('./scripts/sqlite-driver.mjs')).ensureSqliteDriver('sqlite3')",
      );
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /^Looking for a SQLite driver to download … .*\n {2}done in [\d.]+ s\n {2}there is none .*\n/,
      );
      expect(stderr).toContain('Compiling it needs Python 3 and a C++ compiler, which this machine does not');
      expect(stderr).toContain('apt-get install python3 make g++');
      expect(stderr).toContain('npm run start:postgres, npm run start:mariadb');
    });

    it.each([
      ['that belong to it', '20.19.3', true],
      ['of another release', '20.19.4', false],
      ['that are none', undefined, false],
    ])(
      'is compiled with headers beside Node.js only if they are its own: headers %s',
      (_, version, isTaken) => {
        const [major, minor, patch] = version?.split('.') ?? [];
        const lines = { MAJOR: major, MINOR: minor, PATCH: patch };
        const text = Object.entries(lines).map(([part, value]) => `#define NODE_${part}_VERSION ${value}\n`);
        put('node/include/node/node_version.h', text.join(''));
        const node = { execPath: join(folder, 'node/bin/node'), version: 'v20.19.3' };
        expect(headersFolder(node)).toBe(isTaken ? join(folder, 'node') : undefined);
        expect(headersFolder({ ...node, execPath: join(folder, 'elsewhere/bin/node') })).toBeUndefined();
      },
    );

    it.each([
      [{}, true],
      [{ LRS_DB_TYPE: 'postgres' }, false],
    ])('is tried for by a build with %j, which goes on without it', (env, isTried) => {
      put('project/node_modules/sqlite3/package.json', '{}');
      put('project/node_modules/prebuild-install/bin.js', 'process.exit(1);');
      put('bin/make', '');
      const { status, stderr } = run(
        `process.getBuiltinModule = () => undefined;
         await (await import('./scripts/sqlite-driver.mjs')).provideDriverFor(${JSON.stringify(env)})`,
      );
      expect(status).toBe(0);
      expect(stderr.includes('The SQLite driver is missing')).toBe(isTried);
    });

    it.each([
      ['{}', {}, 0],
      ['{ "database": { "sqliteDriver": "sqlite3" } }', {}, 1],
      ['{}', { LRS_SQLITE_DRIVER: 'sqlite3' }, 1],
    ])(
      'is not needed where Node.js contains SQLite, unless it is demanded: file %s, environment %j',
      (file, env, status) => {
        put('project/config/lrs.json', file);
        put('project/node_modules/prebuild-install/bin.js', 'process.exit(1);');
        const outcome = run(
          `process.getBuiltinModule = () => ({});
         await (await import('./scripts/sqlite-driver.mjs')).ensureDriverFor(${JSON.stringify(env)})`,
        );
        expect(outcome.status).toBe(status);
      },
    );

    it.each<[string[], Record<string, string>, string, boolean]>([
      [[], {}, '{}', true],
      [['--db', 'memory'], { LRS_DB_TYPE: 'postgres' }, '{}', true],
      [['--workers', '2', '--db', 'postgres'], {}, '{}', false],
      [['--db', 'mariadb'], {}, '{}', false],
      [[], { LRS_DB_TYPE: 'mariadb' }, '{}', false],
      [[], { LRS_DB_TYPE: '' }, '{ "database": { "dbType": "postgres" } }', false],
      [[], { LRS_DB_TYPE: 'sqlite' }, '{ "database": { "dbType": "postgres" } }', true],
      [[], {}, 'no JSON', true],
      [[], { LRS_DB_JDBC_URL: 'jdbc:postgresql://db/lrs' }, '{}', false],
      [['--db', 'memory'], { LRS_DATABASE_URL: 'mysql://u:p@db/lrs' }, '{}', false],
      [[], { LRS_DATABASE_URL: 'sqlite:lrs.db', LRS_DB_TYPE: 'postgres' }, '{}', true],
      [[], {}, '{ "database": { "dbJdbcUrl": "postgres://db/lrs" } }', false],
      [[], { DATABASE_URL: 'postgres://u:p@db/lrs' }, '{}', false],
      [[], { DATABASE_URL: 'postgres://u:p@db/lrs', LRS_DB_NAME: 'lrs.db' }, '{}', true],
      [[], { DATABASE_URL: 'postgres://u:p@db/lrs', LRS_DB_TYPE: 'sqlite' }, '{}', true],
    ])('is needed by a server with %j, %j and the file %s: %s', (args, env, file, needed) => {
      put('project/config/lrs.json', file);
      const { stdout } = run(
        `const { usesSqlite } = await import('./scripts/sqlite-driver.mjs');
         const { readArguments } = await import('./scripts/serve-arguments.mjs');
         const { settings } = readArguments(${JSON.stringify(args)});
         console.log(usesSqlite({ ...${JSON.stringify(env)}, ...settings }));`,
      );
      expect(stdout.trim()).toBe(String(needed));
    });

    it.each([
      ['config/lrs.json', 'project/config/lrs.json', {}],
      ['config/lrsql.json where there is no config/lrs.json', 'project/config/lrsql.json', {}],
      ['a file anywhere that a variable names', 'elsewhere/lrs.json', { LRS_CONFIG: 'elsewhere/lrs.json' }],
    ])('is not needed where %s names a database server', (_, path, named) => {
      put(path, '{ "database": { "dbType": "postgres" } }');
      const env = Object.fromEntries(Object.entries(named).map(([name, file]) => [name, join(folder, file)]));
      const { stdout } = run(
        `const { usesSqlite } = await import('./scripts/sqlite-driver.mjs');
         console.log(usesSqlite(${JSON.stringify(env)}));`,
      );
      expect(stdout.trim()).toBe('false');
    });
  });
});
