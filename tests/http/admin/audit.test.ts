import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Administration,
  administrations,
  expectError,
  expectJson,
  tokenOf,
} from '../../support/admin-client.ts';
import { firstAccount } from '../../support/entrance.ts';
import { parsed, stringMember } from '../../support/lrs-client.ts';

interface Page {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly more: string;
}

describe.each(administrations)('the audit trail, on $name', ({ open, shared }) => {
  let lrs: Administration;

  beforeAll(async () => {
    lrs = await open();
  });
  afterAll(() => lrs?.close());

  async function page(query = '', at: Administration = lrs): Promise<Page> {
    const answer = await at.call('GET', '/admin/audit', { token: await at.firstToken(), query });
    expectJson(answer, { events: expect.any(Array), more: expect.any(String) });
    return parsed(answer) as Page;
  }
  const newest = async (): Promise<unknown> => (await page('limit=1')).events[0];

  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const client = expect.stringMatching(/^(127\.0\.0\.1|203\.0\.113\.7)$/);

  it('says who did what, when, from where and with which outcome', async () => {
    const before = Date.now() - 1;
    const { token, username, id: accountId } = await lrs.newAccount();
    const who = { 'account-id': accountId, username };
    const pair = await lrs.call('POST', '/admin/creds', { token, body: { scopes: ['all'] } });
    const event = await newest();
    expect(event).toEqual({
      ...{ id, at, ...who, client },
      ...{ kind: 'change', action: 'POST /admin/creds', subject: stringMember(pair, 'api-key') },
      ...{ status: 200, outcome: 'done' },
      'request-id': pair.headers['x-request-id'],
    });
    const time = Date.parse(String(Reflect.get(Object(event), 'at')));
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it('holds what was refused, too', async () => {
    const { token, username, id: accountId } = await lrs.newAccount();
    const who = { 'account-id': accountId, username };
    const subject = randomUUID();
    await lrs.call('DELETE', '/admin/account', { token, body: { 'account-id': subject } });
    expect(await newest()).toMatchObject({
      ...who,
      ...{ action: 'DELETE /admin/account', subject, status: 404 },
    });
    await lrs.call('POST', '/admin/creds', { token, body: '[' });
    expect(await newest()).toMatchObject({ ...who, action: 'POST /admin/creds', subject: null, status: 400 });
  });

  it('holds logins, right and wrong, and names nobody who is not there', async () => {
    const { username, password, id: accountId } = await lrs.newAccount();
    await lrs.login({ username, password });
    const login = { action: 'POST /admin/account/login', subject: null };
    expect(await newest()).toMatchObject({ ...login, 'account-id': accountId, username, status: 200 });
    await lrs.call('POST', '/admin/account/login', { body: { username, password: 'Wr0ng-password' } });
    expect(await newest()).toMatchObject({ ...login, 'account-id': accountId, username, status: 401 });
    const typo = { username: 'My-Passw0rd-by-mistake', password };
    await lrs.call('POST', '/admin/account/login', { body: typo });
    expect(await newest()).toMatchObject({ ...login, 'account-id': null, username: null, status: 401 });
  });

  it('holds that secrets were listed, and not what only looks at what is none', async () => {
    const { token, username } = await lrs.newAccount();
    await lrs.call('GET', '/admin/creds', { token });
    const event = await newest();
    expect(event).toMatchObject({ username, action: 'GET /admin/creds', status: 200 });
    for (const path of ['/admin/me', '/admin/verify', '/admin/account', '/admin/audit', '/admin/env']) {
      await lrs.call('GET', path, { token });
    }
    expect(await newest()).toEqual(event);
  });

  it('holds once, with their number, that the same secrets were listed again', async () => {
    const { token, username } = await lrs.newAccount();
    for (let times = 0; times < 3; times++) await lrs.call('GET', '/admin/creds', { token });
    const { events } = await page(`username=${username}&kind=disclosure`);
    expect(events).toMatchObject([{ action: 'GET /admin/creds', times: 3 }]);
  });

  it('cannot be filled by strangers', async () => {
    const event = await newest();
    await lrs.call('GET', '/admin/creds', { token: 'nonsense' });
    await lrs.call('POST', '/admin/creds', { body: {} });
    await lrs.call('POST', '/admin/account/login', { body: {} });
    expect(await newest()).toEqual(event);
  });

  it('cannot be filled by whoever has the address of a download that was made', async () => {
    const { token } = await lrs.newAccount();
    const once = tokenOf(await lrs.call('GET', '/admin/csv/auth', { token }));
    const query = new URLSearchParams({ token: once }).toString();
    expect((await lrs.call('GET', '/admin/csv', { query })).status).toBe(200);
    const event = await newest();
    for (const path of ['/admin/csv', '/admin/export']) {
      expectError(await lrs.call('GET', path, { query }), 401);
      expectError(await lrs.call('GET', path, { query: `${query}&preview=true` }), 401);
    }
    expect(await newest()).toEqual(event);
  });

  it('holds once that a download was tried several times at the same time', async () => {
    const { token, username } = await lrs.newAccount();
    const once = tokenOf(await lrs.call('GET', '/admin/csv/auth', { token }));
    const query = new URLSearchParams({ token: once }).toString();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => lrs.call('GET', '/admin/csv', { query })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    const { events } = await page(`username=${username}&kind=disclosure`);
    expect(events.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(events.filter(({ status }) => status !== 200).length).toBeLessThanOrEqual(1);
  });

  it('outlives the accounts', async () => {
    const { token, username, id: accountId } = await lrs.newAccount();
    await lrs.call('DELETE', '/admin/account', { token, body: { 'account-id': accountId } });
    expect(await newest()).toMatchObject({
      ...{ username, 'account-id': accountId },
      ...{ subject: accountId, filters: { username } },
    });
  });

  it('names the account that is created', async () => {
    const { token } = await lrs.newAccount();
    const username = `named ${randomUUID()}`;
    const body = { username, password: 'Tr1cky_pass!' };
    const created = await lrs.call('POST', '/admin/account/create', { token, body });
    expect(await newest()).toMatchObject({
      ...{ action: 'POST /admin/account/create', subject: stringMember(created, 'account-id') },
      filters: { username },
    });
  });

  it('never holds a secret', async () => {
    const { token, password } = await lrs.newAccount();
    const pair = await lrs.call('POST', '/admin/creds', { token, body: { scopes: [] } });
    const body = { 'old-password': password, 'new-password': 'Ch4nged-it-now' };
    await lrs.call('PUT', '/admin/account/password', { token, body });
    const text = JSON.stringify(await page());
    for (const secret of [
      password,
      'Ch4nged-it-now',
      firstAccount.password,
      token,
      stringMember(pair, 'secret-key'),
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('is read page by page, newest first, without a gap or a repetition', async () => {
    const { token } = await lrs.newAccount();
    for (let index = 0; index < 7; index++)
      await lrs.call('POST', '/admin/creds', { token, body: { scopes: [] } });
    const all = (await page('limit=1000')).events;
    const walked = [];
    let query = 'limit=3';
    for (;;) {
      const { events, more } = await page(query);
      expect(events.length).toBeLessThanOrEqual(3);
      walked.push(...events);
      if (more === '') break;
      expect(more.startsWith('/admin/audit?')).toBe(true);
      query = more.slice(more.indexOf('?') + 1);
    }
    expect(walked).toEqual(all);
    const times = all.map((event) => String(event.at));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'from=1', 'from=x-y', 'limit=1&limit=2', 'since=2020-01-01'])(
    'refuses %s',
    async (query) => {
      const answer = await lrs.call('GET', '/admin/audit', { token: await lrs.firstToken(), query });
      expectError(answer, 400);
    },
  );

  it('needs a login', async () => {
    expectError(await lrs.call('GET', '/admin/audit'), 401);
  });

  if (shared)
    it('is one for all processes', async () => {
      const elsewhere = await lrs.elsewhere();
      const { token, username } = await lrs.newAccount();
      await elsewhere.call('GET', '/admin/creds', { token });
      expect(await newest()).toMatchObject({ username, action: 'GET /admin/creds' });
      expect(await page('limit=1', elsewhere)).toMatchObject({
        events: [{ username: firstAccount.username }],
      });
    });
});
