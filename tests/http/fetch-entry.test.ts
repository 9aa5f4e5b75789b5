import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { serverEngines, type TestPlace } from '../support/engines.ts';

const root = join(import.meta.dirname, '../..');
const account = { username: 'opsadmin', password: 'Tr1cky_pass!' };
const statement = {
  actor: { mbox: 'mailto:first@example.org' },
  verb: { id: 'http://example.org/did' },
  object: { id: 'http://example.org/activity' },
};

/** What a platform does with the bundle: it calls `fetch` of the default export, here from a file. */
const platform = `
const { default: entry } = await import(process.argv[2]);
const call = async (path, init) => {
  const response = await entry.fetch(new Request('https://lrs.example.org' + path, init), { env: 'of the platform' });
  return { status: response.status, body: await response.text(), type: response.headers.get('content-type') };
};
const json = { 'content-type': 'application/json' };
const results = {};
results.health = await call('/health');
results.screen = await call('/');
results.unknown = await call('/nowhere');
results.refused = await call('/xapi/statements', { headers: { 'x-experience-api-version': '1.0.3' } });
const login = await call('/admin/account/login', { method: 'POST', headers: json, body: process.env.ACCOUNT });
const token = JSON.parse(login.body)['json-web-token'];
const headers = { ...json, authorization: 'Bearer ' + token };
const pair = JSON.parse((await call('/admin/creds', { method: 'POST', headers, body: '{"scopes":["all"]}' })).body);
const authorization = 'Basic ' + btoa(pair['api-key'] + ':' + pair['secret-key']);
const xapi = { ...json, authorization, 'x-experience-api-version': '1.0.3' };
results.stored = await call('/xapi/statements', { method: 'POST', headers: xapi, body: process.env.STATEMENT });
const many = Array.from({ length: 5 }, () => call('/xapi/statements?limit=1', { headers: xapi }));
results.pages = await Promise.all(many);
process.stdout.write(JSON.stringify(results), () => process.exit(0));
`;

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type: string;
}

describe.each(serverEngines)('the entry for the Fetch API on $name', (engine) => {
  let place: TestPlace;
  let folder: string;
  let results: Readonly<Record<'health' | 'screen' | 'unknown' | 'refused' | 'stored', Answer>> & {
    readonly pages: readonly Answer[];
  };

  beforeAll(async () => {
    place = await engine.reserve();
    folder = mkdtempSync(join(tmpdir(), 'fetch-'));
    writeFileSync(join(folder, 'platform.mjs'), platform);
    const env = { ...process.env, ...settingsOf(place.options as ServerOptions) };
    await run(env, [join(root, 'dist/migrate.mjs')]);
    results = JSON.parse(await run(env, [join(folder, 'platform.mjs'), join(root, 'dist/fetch.mjs')]));
  });
  afterAll(async () => {
    await place?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers what needs no database', () => {
    expect(results.health.status).toBe(200);
    expect(results.screen).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    expect(results.unknown.status).toBe(404);
  });

  it('stores a statement and shows it to several requests at once', () => {
    expect(results.refused.status).toBe(401);
    expect(results.stored.status).toBe(200);
    const [id] = JSON.parse(results.stored.body);
    expect(results.pages.map(({ body }) => JSON.parse(body).statements[0].id)).toEqual([id, id, id, id, id]);
  });
});

function settingsOf({ dbType, dbHost, dbPort, dbName, dbUser, dbPassword, dbSchema }: ServerOptions) {
  return {
    LRS_DB_TYPE: dbType,
    LRS_DB_HOST: dbHost,
    LRS_DB_PORT: String(dbPort ?? -1),
    LRS_DB_NAME: dbName,
    LRS_DB_USER: dbUser,
    LRS_DB_PASSWORD: dbPassword ?? '',
    LRS_DB_SCHEMA: dbSchema ?? '',
    LRS_LOG_LEVEL: 'ERROR',
    LRS_ADMIN_USER_DEFAULT: account.username,
    LRS_ADMIN_PASS_DEFAULT: account.password,
    ACCOUNT: JSON.stringify(account),
    STATEMENT: JSON.stringify(statement),
  };
}

/** What a program of Node.js prints. */
async function run(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${errors}`);
  return output;
}
