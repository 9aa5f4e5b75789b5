import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildImage } from '../../scripts/build-image.mjs';
import { engines, type TestPlace } from '../support/engines.ts';
import { databaseSettings, type ServerProcess, startServerProcess } from '../support/server-process.ts';

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
  ({ dialect, shared }) =>
    dialect !== 'sqlite' || (shared && process.getBuiltinModule('node:sqlite') !== undefined),
);

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
      const own = engine.dialect === 'sqlite' ? {} : databaseSettings(place.options);
      server = startServerProcess({
        directory: data,
        env: { ...own, ...firstAccount },
        program: [program('serve')],
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

  it('brings a database up to date by itself', async () => {
    const engine = contained.find(({ dialect }) => dialect === 'postgres');
    if (engine === undefined) throw new Error('There is no Postgres to test with.');
    place = await engine.reserve();
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
    expect(image).toMatch(/^HEALTHCHECK [\s\S]*\/health\/ready/m);
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
