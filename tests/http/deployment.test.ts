import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { keys } from '../../config/schema/keys.ts';
import { createHandlers } from '../../functions/index.ts';
import { routes } from '../../functions/routes.ts';
import { readArguments } from '../../scripts/serve-arguments.mjs';
import { builtBundles } from '../support/built-screen.ts';

const root = join(import.meta.dirname, '../..');

interface Service {
  readonly provider: { readonly environment: Record<string, string> };
  readonly package: { readonly patterns: string[] };
  readonly functions: Record<string, { handler: string; events?: { httpApi: string }[]; url?: object }>;
}

/** A project with the given files beside `serverless.yml` and what that names. */
function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  for (const name of ['serverless.yml', 'package.json', 'scripts']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const sources = ['config', 'functions', 'lib', 'migrations', 'ui', 'package-lock.json', 'tsconfig.json'];

/** The same with everything that is built, and what it is built from. */
async function builtProjectWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  await builtBundles();
  const folder = projectWith(files);
  for (const name of [...sources, 'dist']) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (from) => !/\.map$|selfsigned|lrs\.json$/.test(from),
    });
  }
  return folder;
}

/** What a command of Serverless prints, in a folder and with settings. */
function serverless(command: readonly string[], cwd = root, settings: Readonly<Record<string, string>> = {}) {
  const program = join(root, 'node_modules/serverless/bin/serverless.js');
  const env = { PATH: process.env.PATH, ...settings };
  return spawnSync(process.execPath, [program, ...command], { cwd, encoding: 'utf8', env });
}

/** `serverless.yml` as Serverless itself reads it. */
const printed = (cwd?: string, settings?: Readonly<Record<string, string>>): Service =>
  JSON.parse(serverless(['print', '--format', 'json'], cwd, settings).stdout);

const service = printed();

const handlers = createHandlers(() => Promise.reject(new Error('nothing is called here')));

describe('serverless.yml', () => {
  it('has one function per handler and one that streams, each the export of that name', async () => {
    const names = [...Object.keys(handlers), 'streamCsv'].sort();
    expect(Object.keys(service.functions).sort()).toEqual(names);
    expect(Object.entries(service.functions).map(([name, { handler }]) => [name, handler])).toEqual(
      Object.keys(service.functions).map((name) => [name, `dist/lambda.${name}`]),
    );
    expect(Object.keys(await import('../../functions/lambda.ts')).sort()).toEqual(names);
  });

  it('routes exactly what the route table routes', () => {
    const events = Object.entries(service.functions).flatMap(([name, { events = [] }]) =>
      events.map(({ httpApi }) => `${httpApi} → ${name}`),
    );
    const table = routes.map(({ method, path, handler }) => `${method} ${path} → ${handler}`);
    expect(events.sort()).toEqual([...table, 'OPTIONS /{proxy+} → preflight', '* → unrouted'].sort());
  });

  it('lets the function URL of the export stream', () => {
    expect(service.functions.streamCsv?.url).toEqual({ invokeMode: 'RESPONSE_STREAM' });
  });

  it('sets nothing that the configuration does not take, and overrides no default', () => {
    const { config } = loadConfig({ env: service.provider.environment, cwd: root });
    expect(config.database.dbName).toBe('data/lrs.sqlite');
    expect(config.lrs.authorityUrl).toBe('http://example.org');
    expect(config.lrs.adminUserDefault).toBeUndefined();
  });

  it('hands on every setting that the environment has, under each of its names, and none that is empty', () => {
    const names = [...keys.values()].flatMap(({ envNames }) =>
      envNames.flatMap((name) => [`LRS_${name}`, `LRSQL_${name}`]),
    );
    const given = Object.fromEntries(names.map((name) => [name, `/${name.toLowerCase()}`]));
    expect(names.length).toBeGreaterThan(150);
    const files = { LRS_CONFIG: 'config/other.json', LRSQL_USER_CONFIG_JSON: 'config/third.json' };
    const others = { LRS_TEST_ENGINE: 'postgres', LANGUAGE: 'en' };
    expect(printed(root, { ...given, ...files, ...others }).provider.environment).toEqual({
      ...given,
      ...files,
    });
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(printed(root, empty).provider.environment).toEqual({ LRS_URL_PREFIX: '/xapi' });
  });

  it('routes by the prefix of the configuration, whether environment or file sets it', () => {
    const project = projectWith({ 'config/lrs.json': '{ "webserver": { "urlPrefix": "/file" } }' });
    const firstRoute = (settings?: Record<string, string>) =>
      printed(project, settings).functions.getStatements?.events?.[0]?.httpApi;
    expect(firstRoute()).toBe('GET /file/statements');
    expect(firstRoute({ LRS_URL_PREFIX: '/set' })).toBe('GET /set/statements');
  });

  it('packs files of the configuration, without its sources and self-signed keys', async () => {
    const files = ['lrs.json', 'authority.json.template', 'database.pem'].map((name) => `config/${name}`);
    const left = ['config/server.selfsigned.key.pem', 'data/lrs.sqlite'];
    const project = await builtProjectWith(
      Object.fromEntries(
        [...files, ...left].map((name) => [name, '{ "database": { "dbType": "postgres" } }']),
      ),
    );
    const { status, stdout, stderr } = serverless(['package'], project);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toContain('SQLite');
    const archive = readFileSync(join(project, '.serverless/serverless-lrs.zip')).toString('latin1');
    const built = ['dist/lambda.mjs', 'dist/password-worker.mjs', 'dist/web/index.html'];
    for (const name of [...files, ...built]) expect(archive).toContain(name);
    for (const name of [...left, 'config/config.ts', 'lib/lrs.ts']) expect(archive).not.toContain(name);
  });

  it.each([['package'], ['offline']])(
    'says what is missing when nothing is built: serverless %s',
    (command) => {
      const { status, stdout, stderr } = serverless([command], projectWith({}));
      expect(status).toBe(1);
      expect(stdout + stderr).toContain(
        'dist/lambda.mjs, which the functions come from, is missing: run `npm run build`',
      );
    },
  );

  it.each([['package'], ['offline']])('refuses a build of other sources: serverless %s', async (command) => {
    const project = await builtProjectWith();
    writeFileSync(join(project, 'lib/added.ts'), '');
    const { status, stdout, stderr } = serverless([command], project);
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('dist/ was built from other sources');
  });

  it('packs functions that would use SQLite with a warning', async () => {
    const { status, stdout, stderr } = serverless(['package'], await builtProjectWith());
    expect(status, stdout + stderr).toBe(0);
    expect(stdout + stderr).toContain('set LRS_DB_TYPE to postgres or mariadb');
  });

  it('refuses a database in memory where each function has a thread of its own', async () => {
    const settings = { LRS_DB_NAME: ':memory:' };
    const { status, stdout, stderr } = serverless(['offline'], await builtProjectWith(), settings);
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('LRS_DB_NAME=:memory: needs --useInProcess');
  });

  it('says which file is missing in the folder that --httpsProtocol names', async () => {
    const project = await builtProjectWith({ 'tls/key.pem': '' });
    for (const [folder, missing] of [
      ['nowhere', 'nowhere/key.pem'],
      ['tls', 'tls/cert.pem'],
    ] as const) {
      const { status, stdout, stderr } = serverless(['offline', '--httpsProtocol', folder], project);
      expect(status).toBe(1);
      expect(stdout + stderr).toContain(`${join(project, missing)} is missing`);
    }
  });

  it('packs the bundle, the screen and the native driver, and nothing of the sources', () => {
    expect(service.package.patterns[0]).toBe('!**');
    expect(service.package.patterns).toEqual(expect.arrayContaining(['dist/lambda.mjs', 'dist/web/**']));
    expect(
      service.package.patterns.filter((pattern) => /^(lib|functions|tests)\/|\bts\b/.test(pattern)),
    ).toEqual([]);
  });
});

describe.each(['postgres', 'mariadb'])('docker-compose.%s.yml', (mode) => {
  const lines = readFileSync(join(root, `docker-compose.${mode}.yml`), 'utf8').split('\n');
  const valuesOf = (pattern: RegExp) => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);

  it('runs the server itself, which gets the signal to stop, on its database', () => {
    const [command = '', ...others] = valuesOf(/^ +command: (.*)$/);
    expect(others).toEqual([]);
    const [program, script, ...args] = command.split(' ');
    expect([program, script]).toEqual(['node', 'scripts/start.mjs']);
    expect(readArguments(args).settings).toEqual({ LRS_DB_TYPE: mode });
  });

  it('publishes nothing beyond this machine', () => {
    expect(valuesOf(/^ +- "([\d.:]+:\d+)"$/)).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:8443:8443']);
  });
});
