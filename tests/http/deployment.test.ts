import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { keys } from '../../config/schema/keys.ts';
import { createHandlers } from '../../functions/index.ts';
import { routes } from '../../functions/routes.ts';
import { readArguments } from '../../scripts/serve-arguments.mjs';
import { builtProjectWith, projectWith, serverless } from '../support/serverless-project.ts';

const root = join(import.meta.dirname, '../..');

interface Service {
  readonly provider: { readonly environment: Record<string, string> };
  readonly package: { readonly patterns: string[] };
  readonly functions: Record<
    string,
    { handler: string; events?: { httpApi?: string; schedule?: string }[]; url?: object | true }
  >;
}

/** `serverless.yml` as Serverless itself reads it. */
const printed = (cwd?: string, settings?: Readonly<Record<string, string>>): Service =>
  JSON.parse(serverless(['print', '--format', 'json'], cwd, settings).stdout);

const service = printed();

const handlers = createHandlers(() => Promise.reject(new Error('nothing is called here')));

/** The groups of endpoints, over a database in memory. */
async function loadGroups() {
  vi.stubEnv('LRS_DB_NAME', ':memory:');
  vi.stubEnv('LRS_LOG_LEVEL', 'OFF');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return {
    statements: await import('../../functions/lambda/statements.ts'),
    resources: await import('../../functions/lambda/resources.ts'),
    administration: await import('../../functions/lambda/administration.ts'),
    screen: await import('../../functions/lambda/screen.ts'),
  };
}

describe('serverless.yml', () => {
  it('has one function for each group of endpoints, and those that no request reaches', () => {
    const groups = ['statements', 'resources', 'administration', 'screen'];
    const others = ['streaming', 'background', 'migrate'];
    expect(Object.entries(service.functions).map(([name, { handler }]) => [name, handler])).toEqual(
      [...groups, ...others].map((name) => [name, `dist/lambda-${name}.handler`]),
    );
  });

  it('has each endpoint in one group, under the name that the route table gives it', async () => {
    const names = Object.values(await loadGroups()).flatMap(({ endpoints }) => Object.keys(endpoints));
    // A gateway may take /admin/ for a path below /admin or for another one.
    const inTwo = 'findScreen';
    expect([...names, 'preflight', 'unrouted'].sort()).toEqual([...Object.keys(handlers), inTwo].sort());
  });

  it('brings each route to the group that has its handler', async () => {
    const groups: Readonly<Record<string, { readonly endpoints: object }>> = await loadGroups();
    const events = Object.entries(service.functions).flatMap(([name, { events: list = [] }]) =>
      list.flatMap(({ httpApi }) =>
        httpApi === undefined ? [] : [{ name, path: httpApi.replace(/^(ANY |\*)/, '') }],
      ),
    );
    /** An exact path goes before one with a variable at its end, of those the longest first, and that before the rest. */
    const chosen = (path: string): string | undefined =>
      events.find((event) => event.path === path)?.name ??
      events
        .filter((event) => event.path.endsWith('/{proxy+}') && path.startsWith(event.path.slice(0, -8)))
        .sort((a, b) => b.path.length - a.path.length)[0]?.name ??
      events.find((event) => event.path === '')?.name;
    const astray = routes.filter(
      ({ path, handler }) => !(handler in (groups[chosen(path) ?? '']?.endpoints ?? {})),
    );
    expect(astray).toEqual([]);
  });

  it.each(['function-url', 'alb'])('has one function for all endpoints behind %s', (gateway) => {
    const { functions } = printed(root, { DEPLOY_GATEWAY: gateway });
    expect(Object.entries(functions).map(([name, { handler }]) => [name, handler])).toEqual(
      ['all', 'streaming', 'background', 'migrate'].map((name) => [name, `dist/lambda-${name}.handler`]),
    );
    expect(functions.all?.url).toBe(gateway === 'function-url' ? true : undefined);
  });

  it('lets the function URL of the export stream', () => {
    expect(service.functions.streaming?.url).toEqual({ invokeMode: 'RESPONSE_STREAM' });
  });

  it('runs the background function by a schedule', () => {
    expect(service.functions.background?.events).toEqual([{ schedule: 'rate(1 minute)' }]);
  });

  it('makes at most 120 resources, and packs functions that would use SQLite with a warning', () => {
    const project = builtProjectWith();
    const { status, stdout, stderr } = serverless(['package'], project);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout + stderr).toContain('set LRS_DB_TYPE to postgres or mariadb');
    const template = readFileSync(
      join(project, '.serverless/cloudformation-template-update-stack.json'),
      'utf8',
    );
    expect(Object.keys(JSON.parse(template).Resources).length).toBeLessThanOrEqual(120);
  });

  it('packs settings that were checked, and refuses those that can not be used', async () => {
    const project = builtProjectWith();
    const refused = serverless(['package'], project, { LRS_DB_TYPE: 'postgres', LRS_HTTP_PORT: 'many' });
    expect(refused.status).toBe(1);
    expect(refused.stdout + refused.stderr).toMatch(/LRS_HTTP_PORT/);
    const settings = { LRS_DB_TYPE: 'postgres', LRS_DB_USER: 'lrs', LRS_DB_PASSWORD: 'hidden-word' };
    expect(serverless(['package'], project, settings).status).toBe(0);
    const packed = readFileSync(join(project, 'dist/settings.json'), 'utf8');
    expect(JSON.parse(packed).config.database.dbUser).toBe('lrs');
    expect(packed).not.toContain('hidden-word');
  });

  it('sets nothing that the configuration does not take, and overrides no default', () => {
    const { config } = loadConfig({ env: service.provider.environment, cwd: root });
    expect(config.database.dbName).toBe('data/lrs.sqlite');
    expect(config.lrs.authorityUrl).toBe('http://example.org');
    expect(config.lrs.adminUserDefault).toBeUndefined();
  });

  it('hands on every setting that the environment has, under each of its names, and none that is empty', () => {
    const all = [...keys.values()].flatMap(({ envNames }) =>
      envNames.flatMap((name) => [`LRS_${name}`, `LRSQL_${name}`]),
    );
    // These are for the function that migrates only.
    const names = all.filter((name) => !/_(ADMIN_(USER|PASS)|API_(KEY|SECRET))_DEFAULT$/.test(name));
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

  it.each(['config/lrs.json', 'config/lrsql.json'])(
    'routes by the prefix of the configuration, whether environment or %s sets it',
    (name) => {
      const project = projectWith({ [name]: '{ "webserver": { "urlPrefix": "/file" } }' });
      const firstRoute = (settings?: Record<string, string>) =>
        printed(project, settings).functions.statements?.events?.[0]?.httpApi;
      expect(firstRoute()).toBe('ANY /file/statements');
      expect(firstRoute({ LRS_URL_PREFIX: '/set' })).toBe('ANY /set/statements');
    },
  );

  it('packs files of the configuration, without its sources and self-signed keys', async () => {
    const files = ['lrs.json', 'authority.json.template', 'database.pem'].map((name) => `config/${name}`);
    const left = ['config/server.selfsigned.key.pem', 'data/lrs.sqlite'];
    const project = builtProjectWith(
      Object.fromEntries(
        [...files, ...left].map((name) => [
          name,
          '{ "database": { "dbType": "postgres", "dbUser": "lrs" } }',
        ]),
      ),
    );
    const { status, stdout, stderr } = serverless(['package'], project);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toContain('SQLite');
    const archive = readFileSync(join(project, '.serverless/serverless-lrs.zip')).toString('latin1');
    const built = ['dist/lambda-statements.mjs', 'dist/password-worker.mjs', 'dist/web/index.html'];
    for (const name of [...files, ...built]) expect(archive).toContain(name);
    for (const name of [...left, 'config/config.ts', 'lib/lrs.ts']) expect(archive).not.toContain(name);
  });

  it.each([['package'], ['offline']])(
    'says what is missing when nothing is built: serverless %s',
    (command) => {
      const { status, stdout, stderr } = serverless([command], projectWith({}));
      expect(status).toBe(1);
      expect(stdout + stderr).toContain(
        'dist/lambda-statements.mjs, which the functions come from, is missing: run `npm run build`',
      );
    },
  );

  it.each([['package'], ['offline']])('refuses a build of other sources: serverless %s', async (command) => {
    const project = builtProjectWith();
    writeFileSync(join(project, 'lib/added.ts'), '');
    const { status, stdout, stderr } = serverless([command], project);
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('dist/ was built from other sources');
  });

  it('refuses a database in memory where each function has a thread of its own', async () => {
    const settings = { LRS_DB_NAME: ':memory:' };
    const { status, stdout, stderr } = serverless(['offline'], builtProjectWith(), settings);
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('LRS_DB_NAME=:memory: needs --useInProcess');
  });

  it('says which file is missing in the folder that --httpsProtocol names', async () => {
    const project = builtProjectWith({ 'tls/key.pem': '' });
    for (const [folder, missing] of [
      ['nowhere', 'nowhere/key.pem'],
      ['tls', 'tls/cert.pem'],
    ] as const) {
      const { status, stdout, stderr } = serverless(['offline', '--httpsProtocol', folder], project);
      expect(status).toBe(1);
      expect(stdout + stderr).toContain(`${join(project, missing)} is missing`);
    }
  });

  it('packs the bundles and the screen, and nothing of the sources or the native driver', () => {
    expect(service.package.patterns[0]).toBe('!**');
    expect(service.package.patterns.join()).not.toMatch(/sqlite|node_modules/);
    expect(service.package.patterns).toEqual(
      expect.arrayContaining(['dist/lambda-*.mjs', 'dist/chunk-*.mjs', 'dist/web/**']),
    );
    expect(
      service.package.patterns.filter((pattern) => /^(lib|functions|tests)\/|\bts\b/.test(pattern)),
    ).toEqual([]);
  });
});

describe.each(['sqlite', 'postgres', 'mariadb'])('docker-compose.%s.yml', (mode) => {
  const lines = readFileSync(join(root, `docker-compose.${mode}.yml`), 'utf8').split('\n');
  const valuesOf = (pattern: RegExp) => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);

  it('runs the image of the Dockerfile on its database, without rights that it does not need', () => {
    const commands = valuesOf(/^ +command: (.*)$/);
    const settings = commands.map((command) => readArguments(command.split(' ')).settings);
    expect(settings).toEqual(mode === 'sqlite' ? [] : [{ LRS_DB_TYPE: mode }]);
    for (const line of ['build: .', 'read_only: true', 'cap_drop: [ALL]', '- data:/data']) {
      expect(lines.map((each) => each.trim())).toContain(line);
    }
  });

  it('publishes nothing beyond this machine', () => {
    expect(valuesOf(/^ +- "([\d.:]+:\d+)"$/)).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:8443:8443']);
  });
});
