import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { createHandlers } from '../../functions/index.ts';
import { routes } from '../../functions/routes.ts';
import { readArguments } from '../../scripts/serve-arguments.ts';

const root = join(import.meta.dirname, '../..');

interface Service {
  readonly provider: { readonly environment: Record<string, string> };
  readonly package: { readonly patterns: string[] };
  readonly functions: Record<string, { handler: string; events?: { httpApi: string }[]; url?: object }>;
}

/** `serverless.yml` as Serverless itself reads it. */
const service: Service = JSON.parse(
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/serverless/bin/serverless.js'), 'print', '--format', 'json'],
    { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'ignore'] },
  ),
);

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

  it('packs the bundle, the screen and the native driver, and nothing of the sources', () => {
    expect(service.package.patterns[0]).toBe('!**');
    expect(service.package.patterns).toEqual(expect.arrayContaining(['dist/lambda.mjs', 'dist/web/**']));
    expect(
      service.package.patterns.filter((pattern) => /^(lib|functions|config|tests)\//.test(pattern)),
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
