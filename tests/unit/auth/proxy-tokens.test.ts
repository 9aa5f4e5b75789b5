import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoginService } from '../../../lib/accounts/types.ts';
import { createProxyTokens } from '../../../lib/auth/proxy-tokens.ts';
import { UnauthenticatedError } from '../../../lib/errors.ts';
import { type Administration, openAdministration } from '../../support/administration.ts';

let administration: Administration;
let tokens: LoginService;

beforeEach(async () => {
  administration = await openAdministration();
  const { accounts } = administration;
  tokens = createProxyTokens({
    ...{ uname: 'preferred_username', issuer: 'iss', roleKey: 'groups', role: '/lrs-admin' },
    accounts,
  });
});
afterEach(() => administration.db.close());

const claims = { preferred_username: 'ann', iss: 'https://sso.example', groups: ['/users', '/lrs-admin'] };
/** Signed with a key that nobody here knows. */
const signed = (payload: object): string => jwt.sign(payload, randomBytes(32));

describe('a token of a proxy', () => {
  it('speaks for its user, whoever signed it and however old it is', async () => {
    const { account, token } = await tokens.verify(signed({ ...claims, exp: 1 }));
    expect(account).toEqual({ id: expect.any(String), username: 'ann' });
    expect(token).toBeUndefined();
    expect(await administration.accounts.list()).toEqual([account]);
    expect((await tokens.verify(signed(claims))).account).toEqual(account);
  });

  it('makes one account when the first ones come at once', async () => {
    const logins = await Promise.all([1, 2, 3].map(() => tokens.verify(signed(claims))));
    expect(new Set(logins.map(({ account }) => account.id)).size).toBe(1);
    expect(await administration.accounts.list()).toHaveLength(1);
  });

  it('may have the role alone, as one text', async () => {
    await expect(tokens.verify(signed({ ...claims, groups: '/lrs-admin' }))).resolves.toBeDefined();
  });

  it.each(['base64', 'base64url'] as const)('may be written in %s', async (encoding) => {
    const payload = Buffer.from(JSON.stringify({ ...claims, preferred_username: 'añ>>???' })).toString(
      encoding,
    );
    expect((await tokens.verify(`x.${payload}.x`)).account.username).toBe('añ>>???');
  });

  it.each([
    ['another role', { ...claims, groups: '/users' }],
    ['a role that only contains it', { ...claims, groups: '/lrs-admins' }],
    ['no role', { ...claims, groups: undefined }],
    ['no user', { ...claims, preferred_username: undefined }],
    ['a user that is no text', { ...claims, preferred_username: 7 }],
    ['an empty user', { ...claims, preferred_username: '' }],
    ['a user with a NUL', { ...claims, preferred_username: 'a\0b' }],
    ['a user beyond 255 characters', { ...claims, preferred_username: 'a'.repeat(256) }],
    ['no issuer', { ...claims, iss: undefined }],
  ])('is refused with %s', async (_, payload) => {
    await expect(tokens.verify(signed(payload))).rejects.toThrow(UnauthenticatedError);
    expect(await administration.accounts.list()).toEqual([]);
  });

  it.each(['', 'x', 'a.b.c', `x.${btoa('[]')}.x`, `x.${btoa('null')}.x`])(
    'is refused when it is %j',
    async (token) => {
      await expect(tokens.verify(token)).rejects.toThrow(UnauthenticatedError);
    },
  );

  it('is refused when the name is that of another issuer or of an account with a password', async () => {
    await tokens.verify(signed(claims));
    await expect(tokens.verify(signed({ ...claims, iss: 'https://other.example' }))).rejects.toThrow(
      UnauthenticatedError,
    );
    await administration.accounts.create('localadmin', 'Tr1cky_pass!');
    await expect(tokens.verify(signed({ ...claims, preferred_username: 'localadmin' }))).rejects.toThrow(
      UnauthenticatedError,
    );
  });
});
