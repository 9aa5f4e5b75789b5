import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { createTokenService, tokenKey } from '../../../lib/auth/tokens.ts';
import { UnauthenticatedError } from '../../../lib/errors.ts';

const account = { id: '01908a54-1111-8222-8333-abcdefabcdef', username: 'someadmin' };
const key = randomBytes(32);
const start = Date.parse('2026-11-20T12:00:00.500Z');
const startSeconds = Math.floor(start / 1000);

function service({ at = start, accounts = [account], signedWith = key } = {}) {
  return createTokenService({
    key: signedWith,
    jwtExpTime: 3600,
    jwtExpLeeway: 5,
    jwtRefreshExpTime: 86_400,
    findAccount: async (id) => accounts.find((candidate) => candidate.id === id),
    now: () => at,
  });
}

const claims = {
  acc: account.id,
  iat: startSeconds,
  exp: startSeconds + 60,
  ref: startSeconds + 60,
  jti: 'x',
};
const { exp: _, ...endless } = claims;
const signed = (payload: object, algorithm: jwt.Algorithm = 'HS256'): string =>
  jwt.sign(payload, key, { algorithm });

describe('a login token', () => {
  it('speaks for its account', async () => {
    expect(await service().verify(await service().issue(account.id))).toEqual(account);
  });

  it('is HS256 and has the claims acc, iat, exp, ref and jti', async () => {
    const { header, payload } = jwt.decode(await service().issue(account.id), { complete: true }) ?? {};
    expect(header).toMatchObject({ alg: 'HS256' });
    expect(payload).toEqual({
      acc: account.id,
      iat: startSeconds,
      exp: startSeconds + 3600,
      ref: startSeconds + 86_400,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('is another one each time', async () => {
    expect(await service().issue(account.id)).not.toBe(await service().issue(account.id));
  });

  it('ends, with some tolerance for clocks', async () => {
    const token = await service().issue(account.id);
    expect(await service({ at: start + 3_604_000 }).verify(token)).toEqual(account);
    await expect(service({ at: start + 3_605_000 }).verify(token)).rejects.toThrow(UnauthenticatedError);
  });

  it('counts no more when its account is gone', async () => {
    const token = await service().issue(account.id);
    await expect(service({ accounts: [] }).verify(token)).rejects.toThrow(UnauthenticatedError);
  });

  it('takes a correct token that was signed with the shared key elsewhere', async () => {
    expect(await service().verify(signed(claims))).toEqual(account);
  });

  it.each([
    ['another key', () => jwt.sign(claims, randomBytes(32))],
    ['another algorithm', () => signed(claims, 'HS512')],
    ['no signature', () => jwt.sign(claims, null, { algorithm: 'none' })],
    ['no account', () => signed({ ...claims, acc: undefined })],
    ['an account that is no text', () => signed({ ...claims, acc: null })],
    ['the mark of a one-time token', () => signed({ ...claims, oti: 'x' })],
    ['no end', () => signed(endless)],
    ['a start in the future', () => signed({ ...claims, nbf: startSeconds + 60 })],
    ['no claims', () => jwt.sign('text', key)],
    ['no form of a token', () => 'nonsense'],
    ['nothing in it', () => ''],
  ])('is refused with %s, always by the same text', async (_, token) => {
    const refusal = service().verify(token());
    await expect(refusal).rejects.toThrow(UnauthenticatedError);
    await expect(refusal).rejects.toThrow(/^The token is not valid, or no longer\.$/);
  });
});

describe('the key of tokens', () => {
  it('is the configured secret, or comes from the database’s own', () => {
    expect(tokenKey('shared secret', key).toString()).toBe('shared secret');
    expect(tokenKey(undefined, key)).toEqual(tokenKey(undefined, key));
    expect(tokenKey(undefined, key)).not.toEqual(key);
    expect(tokenKey(undefined, key)).toHaveLength(32);
  });
});
