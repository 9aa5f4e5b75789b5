import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildImage } from '../../scripts/build-image.mjs';
import { engines, type TestPlace } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { listens } from '../support/listens.ts';
import { databaseSettings, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { conditionLimit } from '../support/time-limits.ts';

const root = join(import.meta.dirname, '../..');
const account = { username: 'firstadmin', password: 'Contained_1!' };
const firstAccount = {
  LRS_ADMIN_USER_DEFAULT: account.username,
  LRS_ADMIN_PASS_DEFAULT: account.password,
};

/** Another user than the one of the tests, where these may become one: `nobody`. */
const user = process.getuid?.() === 0 ? 65_534 : undefined;
/** SQLite is the one of Node.js in the image; Node.js 20 has none. */
const contained = engines.filter(
  ({ family, shared }) =>
    family !== 'sqlite' || (shared && process.getBuiltinModule('node:sqlite') !== undefined),
);

function reserveOnServer(): Promise<TestPlace> {
  const engine = contained.find(({ dialect }) => dialect === 'postgres');
  if (engine === undefined) throw new Error('There is no Postgres to test with.');
  return engine.reserve();
}

describe('what a container image holds', () => {
  let folder = '';
  let data = '';
  let place: TestPlace | undefined;
  let server: ServerProcess | undefined;
  const program = (name: string) => join(folder, 'lrs', `${name}.mjs`);

  beforeAll(async () => {
    // Outside of the repository, whose packages would be found otherwise.
    folder = mkdtempSync(join(tmpdir(), 'image-'));
    chmodSync(folder, 0o755);
    await buildImage(join(folder, 'lrs'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'image-data-'));
    if (user !== undefined) chownSync(data, user, user);
  });
  afterEach(async () => {
    server?.child.kill('SIGKILL');
    await server?.exit();
    server = undefined;
    await place?.remove();
    place = undefined;
    rmSync(data, { recursive: true });
  });

  it.each(contained.map((engine) => [engine.name, engine] as const))(
    'serves from %s as another user, without the packages of the repository, and writes into its working directory only',
    async (_, engine) => {
      place = await engine.reserve();
      const own = engine.family === 'sqlite' ? {} : databaseSettings(place.options);
      server = startServerProcess({
        directory: data,
        env: { ...own, ...firstAccount },
        program: program('serve'),
        ...(user !== undefined && { user }),
      });
      const origin = await server.origin();
      const login = await fetch(`${origin}/admin/account/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(account),
      });
      expect(login.status).toBe(200);
      const page = await fetch(`${origin}/`);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
      expect(existsSync(join(data, 'config/server.selfsigned.crt.pem'))).toBe(true);
      server.child.kill('SIGTERM');
      expect(await server.exit()).toBe(0);
    },
  );

  it.each([
    ['lrs', /^serverless-lrs COMMAND/],
    ['import', /^npm run import/],
    ['export', /^npm run export/],
    ['backup', /^npm run backup/],
    ['migrate', /^npm run migrate/],
    ['reindex', /^npm run reindex/],
  ])('has the tool %s, which shows its usage', (name, usage) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program(name), '--help'], {
      cwd: data,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: expect.stringMatching(usage),
      stderr: '',
    });
  });

  it.each([
    ['by HTTP on the port of the environment', true, 'env'],
    ['by HTTPS where HTTP is off', false, 'env'],
    ['on a port that the configuration file names', true, 'file'],
  ])('is asked for its health %s', async (_, enableHttp, where) => {
    const ports = [await freePort(), await freePort()];
    const [httpPort = 0, sslPort = 0] = ports;
    const inFile = { webserver: { httpHost: '127.0.0.1', enableHttp, httpPort, sslPort } };
    const inEnv = {
      LRS_HTTP_HOST: '127.0.0.1',
      LRS_ENABLE_HTTP: String(enableHttp),
      LRS_HTTP_PORT: String(httpPort),
      LRS_SSL_PORT: String(sslPort),
    };
    if (where === 'file') {
      mkdirSync(join(data, 'config'));
      writeFileSync(join(data, 'config/lrs.json'), JSON.stringify(inFile));
    }
    place = await reserveOnServer();
    const own = databaseSettings(place.options);
    const env = { PATH: process.env.PATH, ...own, ...(where === 'env' && inEnv) };
    const options = { cwd: data, env };
    const ask = () => spawnSync(process.execPath, [program('healthy')], { ...options, encoding: 'utf8' });
    expect(ask()).toMatchObject({ status: 1, stderr: expect.stringContaining('ECONNREFUSED') });
    const child = spawn(process.execPath, [program('serve')], { ...options, stdio: 'ignore' });
    try {
      await vi.waitUntil(
        async () => child.exitCode !== null || (await listens(enableHttp ? httpPort : sslPort)),
        { timeout: conditionLimit },
      );
      expect(child.exitCode).toBe(null);
      expect(ask()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    } finally {
      const ended = once(child, 'exit');
      if (child.kill('SIGKILL')) await ended;
    }
  });

  it('brings a database up to date by itself', async () => {
    place = await reserveOnServer();
    const env = { PATH: process.env.PATH, ...databaseSettings(place.options), ...firstAccount };
    const { status, stdout } = spawnSync(process.execPath, [program('migrate')], {
      cwd: data,
      env,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/\S/) });
  });
});

describe('the Dockerfile', () => {
  const [build = '', image = ''] = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .split(/^(?=FROM )/m)
    .slice(1);

  it('builds with the packages of the lock file, whose scripts it does not run', () => {
    expect(build).toMatch(/^RUN npm ci --omit=dev --ignore-scripts/m);
  });

  it('copies what was built into an image without npm, which runs as an ordinary user and is asked for its health', () => {
    expect(image).toMatch(/^COPY --from=build \/lrs\/dist\/image \/lrs$/m);
    expect(image).toMatch(/^RUN rm -rf \/usr\/local\/lib\/node_modules /m);
    expect(image).toMatch(/^USER node$/m);
    expect(image).toMatch(/^HEALTHCHECK [\s\S]*"\/lrs\/healthy\.mjs"/m);
    expect(image).toMatch(/^ENTRYPOINT \["node", "\/lrs\/serve\.mjs"\]$/m);
  });

  it('sees of this folder only what the build reads', () => {
    const [first, ...kept] = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(kept.every((line) => line.startsWith('!'))).toBe(true);
    expect(kept.join('\n')).not.toMatch(/data|\.pem|json$(?<!package(-lock)?\.json|tsconfig\.json)/m);
  });
});
