import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { maintenanceRouter } from '../../functions/ops/maintenance.ts';
import { forFetch } from '../../lib/http/gateways/fetch.ts';
import { MemoryBudget } from '../../lib/http/memory-budget.ts';
import { createLogger } from '../../lib/logger.ts';
import { openLrs } from '../../lib/lrs.ts';
import { type Administration, administrations } from '../support/admin-client.ts';
import { builtProgram } from '../support/built-program.ts';
import { sendTo, settings } from '../support/entrance.ts';
import { clientAnswer, gatewayEvents } from '../support/gateway-events.ts';
import { startServerProcess } from '../support/server-process.ts';
import { standInLrs } from '../support/stand-in-lrs.ts';
import { newStatement } from '../support/statement-client.ts';

const version = { 'x-experience-api-version': '1.0.3' };

describe.each(administrations.filter(({ shared }) => shared))('a read-only LRS on $name', ({ open }) => {
  let writable: Administration;
  let readOnly: Administration;
  let headers: Record<string, string>;
  const stored = newStatement();
  beforeAll(async () => {
    writable = await open({ LRS_ENABLE_REACTIONS: 'true' });
    readOnly = await writable.elsewhere({ LRS_READ_ONLY: 'true', LRS_ENABLE_REACTIONS: 'true' });
    const pair = await writable.call('POST', '/admin/creds', {
      token: await writable.firstToken(),
      body: { scopes: ['all'] },
    });
    const { 'api-key': key, 'secret-key': secret } = JSON.parse(pair.body.toString());
    headers = { ...version, authorization: `Basic ${btoa(`${key}:${secret}`)}` };
    const sent = await writable.call('POST', '/xapi/statements', { headers, body: stored });
    expect(sent.status).toBe(200);
  });
  afterAll(async () => {
    await writable?.close();
  });

  it('is read as ever', async () => {
    const read = await readOnly.call('GET', '/xapi/statements', {
      headers,
      query: `statementId=${stored.id}`,
    });
    expect(read.status).toBe(200);
  });

  it.each([
    ['POST', '/xapi/statements'],
    ['PUT', '/xapi/statements'],
    ['PUT', '/xapi/agents/profile'],
    ['DELETE', '/xapi/activities/state'],
  ])('refuses what would change it, for clients to try again: %s %s', async (method, path) => {
    const refused = await readOnly.call(method, path, { headers, body: newStatement() });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '60']);
    const stranger = await readOnly.call(method, path, { headers: version, body: newStatement() });
    expect(stranger.status).toBe(401);
  });

  it('lets operators log in, preview reactions and log out, and change nothing', async () => {
    const token = await readOnly.login();
    const refused = await readOnly.call('POST', '/admin/creds', { token, body: { scopes: ['all'] } });
    expect(refused.status).toBe(503);
    const preview = await readOnly.call('POST', '/admin/reaction/preview', { token, body: {} });
    expect(preview.status).toBe(400);
    expect((await readOnly.call('POST', '/admin/account/logout', { token, body: {} })).status).toBe(200);
  });
});

describe('the start of an LRS', () => {
  const firstAccount = { LRS_ADMIN_USER_DEFAULT: 'firstadmin', LRS_ADMIN_PASS_DEFAULT: 'Maintained_1!' };

  it.each([
    ['true', false],
    ['false', true],
  ])(
    'creates the first account only if it may write: LRS_READ_ONLY=%s, created: %s',
    async (readOnly, expected) => {
      const env = { ...firstAccount, LRS_DB_NAME: ':memory:', LRS_READ_ONLY: readOnly };
      const { config, secrets } = loadConfig({ env, cwd: '/nowhere' });
      const lrs = await openLrs(config, secrets, createLogger('OFF'));
      try {
        expect(await lrs.accounts.exist()).toBe(expected);
      } finally {
        await lrs.close();
      }
    },
  );
});

describe('maintenance', () => {
  const message = 'Back at 14:00 & <soon>.';
  const send = forFetch(maintenanceRouter(standInLrs(), message), new MemoryBudget(0));
  const at = (path: string, init: RequestInit = {}) =>
    send(new Request(`https://lrs.example.org${path}`, init));

  it.each([
    ['GET', '/xapi/statements'],
    ['POST', '/xapi/statements'],
    ['GET', '/admin/me'],
    ['GET', '/health/ready'],
    ['GET', '/nothing'],
  ])('is what every request is told: %s %s', async (method, path) => {
    const response = await at(path, { method });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await response.json()).toEqual({ error: message, code: 'unavailable' });
  });

  it.each(['https://lrs.example.org/stores/acme', 'https://acme.lrs.example.org'])(
    'is what the requests to a store are told, too: %s',
    async (origin) => {
      const env = { LRS_ENABLE_STORES: 'true', LRS_STORES_HOST: '{name}.lrs.example.org' };
      const sendToStore = forFetch(maintenanceRouter(standInLrs(env), message), new MemoryBudget(0));
      const response = await sendToStore(new Request(`${origin}/xapi/statements`));
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
      expect(response.headers.has('x-experience-api-version')).toBe(true);
      expect(await response.json()).toEqual({ error: message, code: 'unavailable' });
      expect((await sendToStore(new Request('https://acme.lrs.example.org/health'))).status).toBe(200);
    },
  );

  it('is a page for browsers, in which nothing runs', async () => {
    const response = await at('/', { headers: { accept: 'text/html,*/*' } });
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(await response.text()).toContain('<p>Back at 14:00 &amp; &lt;soon&gt;.</p>');
  });

  it('leaves the health of the process alone', async () => {
    expect((await at('/health')).status).toBe(200);
    expect((await at('/health', { method: 'HEAD' })).status).toBe(200);
  });
});

describe('maintenance of a server, with and without workers', () => {
  it.each([[[]], [['--workers', '2']]])('needs no database, and ends with the setting: %j', async (args) => {
    const directory = mkdtempSync(join(tmpdir(), 'maintenance-'));
    const env = { ...settings(directory), LRS_MAINTENANCE_MESSAGE: 'Back soon.' };
    const server = startServerProcess({ directory, program: builtProgram('serve'), env, args });
    try {
      const origin = await server.origin();
      for (const path of ['/xapi/statements', '/admin/account', '/']) {
        const answer = await sendTo(origin, { method: 'GET', path, headers: { accept: 'text/html' } });
        expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60']);
        expect(answer.body.toString()).toContain('<p>Back soon.</p>');
      }
      const post = { method: 'POST', path: '/xapi/statements', headers: version, body: '[]' };
      expect(JSON.parse((await sendTo(origin, post)).body.toString())).toMatchObject({ code: 'unavailable' });
      expect((await sendTo(origin, { method: 'GET', path: '/health' })).status).toBe(200);
      expect(existsSync(join(directory, 'lrs.db'))).toBe(false);
    } finally {
      server.child.kill('SIGTERM');
      await server.exit();
      rmSync(directory, { recursive: true });
    }
  });
});

describe.each(Object.entries(gatewayEvents))('maintenance of a function behind a %s', (_, eventOf) => {
  it('is what every request is told, but that for the health', async () => {
    const route = maintenanceRouter(standInLrs(), 'Back soon.');
    const call = async (method: string, path: string) =>
      clientAnswer(await route(method, path)(eventOf({ method, path, headers: version })));
    const answer = await call('GET', '/xapi/statements');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60']);
    expect(JSON.parse(answer.body.toString())).toEqual({ error: 'Back soon.', code: 'unavailable' });
    expect((await call('GET', '/health')).status).toBe(200);
  });
});
