import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError, expectJson } from '../../support/admin-client.ts';
import { firstAccount } from '../../support/entrance.ts';
import { parsed, stringMember } from '../../support/lrs-client.ts';

/* The titles are the sentences of the service specification. */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const password = 'N3w_and_longer?';

describe.each(administrations)('accounts, on $name', ({ open }) => {
  let lrs: Administration;

  beforeAll(async () => {
    lrs = await open();
  });
  afterAll(() => lrs?.close());

  const create = async (username: string, secret: string) =>
    lrs.call('POST', '/admin/account/create', {
      token: await lrs.firstToken(),
      body: { username, password: secret },
    });

  describe('POST /admin/account/create', () => {
    it('JSON object with the UUID of the new account', async () => {
      const made = await create('operator1', password);
      expectJson(made, {
        'account-id': expect.stringMatching(uuid),
        'json-web-token': expect.any(String),
      });
      const token = stringMember(made, 'json-web-token');
      const id = stringMember(made, 'account-id');
      expectJson(await lrs.call('GET', '/admin/me', { token }), {
        'account-id': id,
        username: 'operator1',
      });
      await lrs.login({ username: 'operator1', password });
    });

    it('409 if the account exists', async () => {
      expect((await create('operator2', password)).status).toBe(200);
      expectError(await create('operator2', 'An0ther-password'), 409);
      await lrs.login({ username: 'operator2', password });
    });

    it('A name in another case is another account', async () => {
      expect((await create('Operator3', password)).status).toBe(200);
      expect((await create('operator3', password)).status).toBe(200);
    });
  });

  describe('Limits', () => {
    it.each([
      ['username: Minimum 7 characters.', 'short1', password, 'username'],
      ['password: Minimum 10 characters.', 'operator', 'Sh0rt_one', 'password'],
      ['password: At least one lower case character.', 'operator', 'ALL_UPPER_C4SE', 'password'],
      ['password: At least one upper case character.', 'operator', 'all_lower_c4se', 'password'],
      ['password: At least one numeric character.', 'operator', 'No_digit_at_all', 'password'],
      [
        'password: At least one of the special characters `!@#$%^&*_-+=?`.',
        'operator',
        'N0specialCharacter~',
        'password',
      ],
    ])('%s', async (_, username, secret, path) => {
      const answer = await create(username, secret);
      expectError(answer, 400);
      expect(parsed(answer)).toMatchObject({ details: [{ path, message: expect.any(String) }] });
      expect(answer.body.toString()).not.toContain(secret);
    });

    it('Exactly these minima are enough.', async () => {
      expect((await create('seven-7', 'Abcdefgh1=')).status).toBe(200);
    });
  });

  describe('DELETE /admin/account', () => {
    it('JSON object with the id of the deleted account', async () => {
      const { id, token } = await lrs.newAccount();
      const other = await lrs.firstToken();
      expectJson(await lrs.call('DELETE', '/admin/account', { token: other, body: { 'account-id': id } }), {
        'account-id': id,
      });
      expectError(await lrs.call('GET', '/admin/me', { token }), 401);
    });

    it('404 if the account does not exist', async () => {
      const token = await lrs.firstToken();
      const body = { 'account-id': randomUUID() };
      expectError(await lrs.call('DELETE', '/admin/account', { token, body }), 404);
    });

    it('An account can delete itself.', async () => {
      const { id, token } = await lrs.newAccount();
      const answer = await lrs.call('DELETE', '/admin/account', { token, body: { 'account-id': id } });
      expectJson(answer, { 'account-id': id });
      expectError(await lrs.call('GET', '/admin/verify', { token }), 401);
    });
  });

  describe('GET /admin/account', () => {
    it('Array of all admin accounts', async () => {
      const { id, username, token } = await lrs.newAccount();
      const answer = await lrs.call('GET', '/admin/account', { token });
      const listed = parsed(answer);
      expectJson(answer, expect.arrayContaining([{ 'account-id': id, username }]));
      expect(listed).toContainEqual({
        'account-id': expect.stringMatching(uuid),
        username: firstAccount.username,
      });
    });
  });

  describe('PUT /admin/account/password', () => {
    const change = (token: string, oldPassword: string, newPassword: string) =>
      lrs.call('PUT', '/admin/account/password', {
        token,
        body: { 'old-password': oldPassword, 'new-password': newPassword },
      });

    it('The new password logs in and the old one no longer.', async () => {
      const { id, token, ...account } = await lrs.newAccount();
      expectJson(await change(token, account.password, 'Ch4nged-it-now'), { 'account-id': id });
      await lrs.login({ ...account, password: 'Ch4nged-it-now' });
      expectError(await lrs.call('POST', '/admin/account/login', { body: account }), 401);
    });

    it('It revokes the other tokens of the account, and not the one that it came with.', async () => {
      const { token, ...account } = await lrs.newAccount();
      const other = await lrs.login(account);
      expect((await change(token, account.password, 'Ch4nged-it-now')).status).toBe(200);
      expectError(await lrs.call('GET', '/admin/verify', { token: other }), 401);
      expect((await lrs.call('GET', '/admin/verify', { token })).status).toBe(204);
      const renewed = await lrs.call('GET', '/admin/account/renew', { token });
      const again = stringMember(renewed, 'json-web-token');
      expect((await lrs.call('GET', '/admin/verify', { token: again })).status).toBe(204);
    });

    it('A wrong old password gives 401 and changes nothing.', async () => {
      const { token, ...account } = await lrs.newAccount();
      const other = await lrs.login(account);
      expectError(await change(token, 'Wr0ng-password', 'Ch4nged-it-now'), 401);
      expect((await lrs.call('GET', '/admin/verify', { token: other })).status).toBe(204);
      await lrs.login(account);
    });

    it('The rules for passwords hold for the new one, and it must differ: 400 names each that is broken.', async () => {
      const { token, password: old } = await lrs.newAccount();
      const broken = await change(token, old, 'short');
      expectError(broken, 400);
      expect(parsed(broken)).toMatchObject({ details: expect.objectContaining({ length: 4 }) });
      const same = await change(token, old, old);
      expectError(same, 400);
      expect(same.body.toString()).not.toContain(old);
    });

    it('Two changes from the same old password at once: one counts, the other gives 401.', async () => {
      const { token, ...account } = await lrs.newAccount();
      const statuses = await Promise.all(
        ['0ne-new-Password', 'Tw0-new-Password'].map(
          async (next) => (await change(token, account.password, next)).status,
        ),
      );
      expect(statuses.toSorted()).toEqual([200, 401]);
    });
  });

  describe('PUT /admin/account/reset-password', () => {
    const reset = (token: string, id: string, password: string) =>
      lrs.call('PUT', '/admin/account/reset-password', {
        token,
        body: { 'account-id': id, 'new-password': password },
      });

    it('Another account logs in with the new password, and its tokens and old password are refused.', async () => {
      const [operator, { id, token, ...account }] = [await lrs.newAccount(), await lrs.newAccount()];
      expectJson(await reset(operator.token, id, 'Ch4nged-it-now'), { 'account-id': id });
      expectError(await lrs.call('GET', '/admin/verify', { token }), 401);
      expectError(await lrs.call('POST', '/admin/account/login', { body: account }), 401);
      await lrs.login({ ...account, password: 'Ch4nged-it-now' });
    });

    it('The audit trail names who did it and to whom, and not the password.', async () => {
      const [operator, other] = [await lrs.newAccount(), await lrs.newAccount()];
      await reset(operator.token, other.id, 'Ch4nged-it-now');
      const trail = await lrs.call('GET', '/admin/audit', {
        token: operator.token,
        query: new URLSearchParams({ username: operator.username }).toString(),
      });
      const { events } = parsed(trail) as { events: { action: string }[] };
      const entry = events.find(({ action }) => action === 'PUT /admin/account/reset-password');
      const filters = { username: other.username };
      expect(entry).toMatchObject({ kind: 'change', subject: other.id, filters, outcome: 'done' });
      expect(trail.body.toString()).not.toContain('Ch4nged-it-now');
    });

    it('The own account gives 400, an unknown one 404, and a password against the rules 400; nothing changes.', async () => {
      const [{ id, token, ...account }, other] = [await lrs.newAccount(), await lrs.newAccount()];
      expectError(await reset(token, id, 'Ch4nged-it-now'), 400);
      expectError(await reset(token, '00000000-0000-4000-8000-000000000000', 'Ch4nged-it-now'), 404);
      const broken = await reset(token, other.id, 'short');
      expectError(broken, 400);
      expect(parsed(broken)).toMatchObject({ details: expect.objectContaining({ length: 4 }) });
      await lrs.login(account);
      await lrs.login(other);
    });
  });
});

describe.each(administrations)('bootstrap, on $name', ({ open, shared }) => {
  let lrs: Administration | undefined;
  const none = { LRS_ADMIN_USER_DEFAULT: '', LRS_ADMIN_PASS_DEFAULT: '' };

  const opened = async (env = {}): Promise<Administration> => {
    await lrs?.close();
    lrs = await open(env);
    return lrs;
  };
  afterAll(() => lrs?.close());

  it('On startup, the initial admin account is created from `adminUserDefault` and `adminPassDefault`.', async () => {
    const here = await opened({ LRS_ADMIN_USER_DEFAULT: 'boot', LRS_ADMIN_PASS_DEFAULT: 'weak' });
    const token = await here.login({ username: 'boot', password: 'weak' });
    const accounts = await here.call('GET', '/admin/account', { token });
    expectJson(accounts, [{ 'account-id': expect.any(String), username: 'boot' }]);
  });

  it('Without them no admin account exists and the LRS cannot be used.', async () => {
    const here = await opened(none);
    expectError(await here.call('POST', '/admin/account/login', { body: firstAccount }), 401);
    expectError(await here.call('GET', '/admin/account'), 401);
    expectError(await here.call('GET', '/xapi/statements', { headers: xapi('a', 'b') }), 401);
  });

  it('An operator logs in with these temporary credentials, creates a permanent admin account and credential pairs, and deletes the bootstrap account.', async () => {
    const here = await opened();
    const boot = await here.firstToken();
    const operator = await here.newAccount();
    const pair = await here.call('POST', '/admin/creds', {
      token: operator.token,
      body: { scopes: ['all'] },
    });
    const bootId = stringMember(await here.call('GET', '/admin/me', { token: boot }), 'account-id');
    const body = { 'account-id': bootId };
    expectJson(await here.call('DELETE', '/admin/account', { token: operator.token, body }), body);
    expectError(await here.call('POST', '/admin/account/login', { body: firstAccount }), 401);
    const headers = xapi(stringMember(pair, 'api-key'), stringMember(pair, 'secret-key'));
    expect((await here.call('GET', '/xapi/statements', { headers })).status).toBe(200);
  });

  it('The service does not delete an admin account if it is the only one present.', async () => {
    const here = await opened();
    const token = await here.firstToken();
    const id = stringMember(await here.call('GET', '/admin/me', { token }), 'account-id');
    expectError(await here.call('DELETE', '/admin/account', { token, body: { 'account-id': id } }), 400);
    await here.login();
  });

  it('Two admins that delete each other at the same moment leave one.', async () => {
    const here = await opened();
    const first = await here.firstToken();
    const second = await here.newAccount();
    const firstId = stringMember(await here.call('GET', '/admin/me', { token: first }), 'account-id');
    const answers = await Promise.all([
      here.call('DELETE', '/admin/account', { token: first, body: { 'account-id': second.id } }),
      here.call('DELETE', '/admin/account', { token: second.token, body: { 'account-id': firstId } }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  if (shared)
    it('Otherwise the bootstrap account is re-created on every restart.', async () => {
      const here = await opened();
      const operator = await here.newAccount();
      const boot = await here.firstToken();
      const id = stringMember(await here.call('GET', '/admin/me', { token: boot }), 'account-id');
      await here.call('DELETE', '/admin/account', { token: operator.token, body: { 'account-id': id } });
      const without = await here.elsewhere(none);
      expectError(await without.call('POST', '/admin/account/login', { body: firstAccount }), 401);
      const restarted = await here.elsewhere();
      await restarted.login();
    });
});

const xapi = (key: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${btoa(`${key}:${secret}`)}`,
  'x-experience-api-version': '1.0.3',
});
