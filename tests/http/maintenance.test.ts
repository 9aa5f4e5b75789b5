import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maintenanceRouter } from '../../functions/ops/maintenance.ts';
import { forFetch } from '../../lib/http/gateways/fetch.ts';
import { type Administration, administrations } from '../support/admin-client.ts';
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

describe('maintenance', () => {
  const message = 'Back at 14:00 & <soon>.';
  const send = forFetch(maintenanceRouter(standInLrs(), message));
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
