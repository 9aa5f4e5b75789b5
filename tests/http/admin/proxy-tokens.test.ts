import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError, expectJson } from '../../support/admin-client.ts';
import { parsed } from '../../support/lrs-client.ts';

/* The titles that are sentences are those of the service specification. */

const noVal = {
  LRS_JWT_NO_VAL: 'true',
  LRS_JWT_NO_VAL_UNAME: 'usercertificate',
  LRS_JWT_NO_VAL_ISSUER: 'iss',
  LRS_JWT_NO_VAL_ROLE_KEY: 'group-simple',
  LRS_JWT_NO_VAL_ROLE: '/domain/app/ADMIN',
  LRS_JWT_NO_VAL_LOGOUT_URL: 'https://sso.example/logout',
};

const claims = {
  usercertificate: 'CN=Ann,O=Example',
  iss: 'https://sso.example',
  'group-simple': ['/other', '/domain/app/ADMIN'],
};
const signed = (changes: object = {}): string => jwt.sign({ ...claims, ...changes }, randomBytes(32));

describe.each(administrations)('with LRS_JWT_NO_VAL, on $name', ({ open }) => {
  let lrs: Administration;

  beforeAll(async () => {
    lrs = await open(noVal);
  });
  afterAll(() => lrs?.close());

  it('a token of the proxy speaks for its user, who gets an account', async () => {
    const token = signed();
    const me = await lrs.call('GET', '/admin/me', { token });
    expectJson(me, { 'account-id': expect.any(String), username: claims.usercertificate });
    expect((await lrs.call('GET', '/admin/verify', { token })).status).toBe(204);
    expect(parsed(await lrs.call('GET', '/admin/account', { token }))).toContainEqual(parsed(me));
    expectJson(await lrs.call('GET', '/admin/me', { token: signed({ exp: 1 }) }), parsed(me));
  });

  it('key pairs belong to that account', async () => {
    const made = await lrs.call('POST', '/admin/creds', { token: signed(), body: { scopes: ['all'] } });
    expect(made.status).toBe(200);
    const listed = await lrs.call('GET', '/admin/creds', { token: signed() });
    expect(parsed(listed)).toHaveLength(1);
  });

  it.each([
    ['without the role', { 'group-simple': ['/other'] }],
    ['without a user', { usercertificate: undefined }],
    ['of another issuer for the same user', { iss: 'https://other.example' }],
  ])('a token %s gives 401', async (_, changes) => {
    await lrs.call('GET', '/admin/me', { token: signed() });
    expectError(await lrs.call('GET', '/admin/me', { token: signed(changes) }), 401);
  });

  it('With `LRS_JWT_NO_VAL` true, logout returns 400.', async () => {
    for (const token of [signed(), await lrs.login()]) {
      expectError(await lrs.call('POST', '/admin/account/logout', { token, body: {} }), 400);
    }
    expect((await lrs.call('GET', '/admin/verify', { token: signed() })).status).toBe(204);
  });

  it('a renewal is refused with 400', async () => {
    expectError(await lrs.call('GET', '/admin/account/renew', { token: signed() }), 400);
  });

  it('a change of the password is refused with 400, for the account has none', async () => {
    const body = { 'old-password': 'anything', 'new-password': 'Ch4nged-it-now' };
    expectError(await lrs.call('PUT', '/admin/account/password', { token: signed(), body }), 400);
    const login = { username: claims.usercertificate, password: 'anything' };
    expectError(await lrs.call('POST', '/admin/account/login', { body: login }), 401);
  });

  it('a token of this LRS gives 401', async () => {
    expectError(await lrs.call('GET', '/admin/verify', { token: await lrs.login() }), 401);
  });

  it('env tells a page where to log out', async () => {
    expect(parsed(await lrs.call('GET', '/admin/env'))).toMatchObject({
      'no-val?': true,
      'no-val-logout-url': 'https://sso.example/logout',
    });
  });

  it('the last account with a password can be deleted, the last account cannot', async () => {
    const token = signed();
    const me = parsed(await lrs.call('GET', '/admin/me', { token }));
    const accounts = parsed(await lrs.call('GET', '/admin/account', { token }));
    const ids = (accounts as { 'account-id': string }[]).map((account) => account['account-id']);
    const own = (me as { 'account-id': string })['account-id'];
    for (const id of ids.filter((each) => each !== own)) {
      const body = { 'account-id': id };
      expectJson(await lrs.call('DELETE', '/admin/account', { token, body }), body);
    }
    expectError(await lrs.call('DELETE', '/admin/account', { token, body: { 'account-id': own } }), 400);
  });
});
