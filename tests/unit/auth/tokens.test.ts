import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import type { TokenHolder } from '../../../lib/accounts/types.ts';
import { createTokenService, tokenKey } from '../../../lib/auth/tokens.ts';
import { InvalidError, UnauthenticatedError } from '../../../lib/errors.ts';

const account = { id: '01908a54-1111-8222-8333-abcdefabcdef', username: 'someadmin' };
const holder: TokenHolder = { ...account, tokenGeneration: 0, keptToken: null };
const key = randomBytes(32);
const start = Date.parse('2026-11-20T12:00:00.500Z');
const startSeconds = Math.floor(start / 1000);

function service({ at = start, accounts = [holder], signedWith = key, ...times }: ServiceOptions = {}) {
  return createTokenService({
    key: signedWith,
    jwtExpTime: 3600,
    jwtExpLeeway: 5,
    jwtRefreshExpTime: 86_400,
    ...times,
    findAccount: async (id) => accounts.find((candidate) => candidate.id === id),
    now: () => at,
  });
}

interface ServiceOptions {
  readonly at?: number;
  readonly accounts?: readonly TokenHolder[];
  readonly signedWith?: Buffer;
  readonly jwtExpTime?: number;
  readonly jwtRefreshExpTime?: number;
}

const claims = {
  acc: account.id,
  iat: startSeconds,
  exp: startSeconds + 60,
  ref: startSeconds + 60,
  jti: 'x',
};
const { exp: _, ...endless } = claims;
const claimsOf = (token: string): jwt.JwtPayload => jwt.decode(token, { json: true }) ?? {};
const signed = (payload: object, algorithm: jwt.Algorithm = 'HS256'): string =>
  jwt.sign(payload, key, { algorithm });

describe('a login token', () => {
  it('speaks for its account', async () => {
    expect((await service().verify(await service().issue(holder))).account).toEqual(account);
  });

  it('is HS256 and has the claims acc, iat, exp, ref, jti and gen', async () => {
    const { header, payload } = jwt.decode(await service().issue(holder), { complete: true }) ?? {};
    expect(header).toMatchObject({ alg: 'HS256' });
    expect(payload).toEqual({
      acc: account.id,
      iat: startSeconds,
      exp: startSeconds + 3600,
      ref: startSeconds + 86_400,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      gen: 0,
    });
  });

  it('is another one each time', async () => {
    expect(await service().issue(holder)).not.toBe(await service().issue(holder));
  });

  it('ends, with some tolerance for clocks', async () => {
    const token = await service().issue(holder);
    expect((await service({ at: start + 3_604_000 }).verify(token)).account).toEqual(account);
    await expect(service({ at: start + 3_605_000 }).verify(token)).rejects.toThrow(UnauthenticatedError);
  });

  it('counts no more when its account is gone', async () => {
    const token = await service().issue(holder);
    await expect(service({ accounts: [] }).verify(token)).rejects.toThrow(UnauthenticatedError);
  });

  it('without an id is not the one that is kept where none is', async () => {
    const later = service({ accounts: [{ ...holder, tokenGeneration: 1 }] });
    for (const jti of [null, undefined]) {
      await expect(later.verify(signed({ ...claims, jti }))).rejects.toThrow(UnauthenticatedError);
    }
  });

  it('counts no more when the account has begun a new generation, except the one that is kept', async () => {
    const [token, other] = [await service().issue(holder), await service().issue(holder)];
    const keptToken = String(claimsOf(token).jti);
    const later = service({ accounts: [{ ...holder, tokenGeneration: 1, keptToken }] });
    await expect(later.verify(other)).rejects.toThrow(UnauthenticatedError);
    const renewed = await later.renew(await later.verify(token));
    const none = service({ accounts: [{ ...holder, tokenGeneration: 1 }] });
    await expect(none.verify(token)).rejects.toThrow(UnauthenticatedError);
    expect((await none.verify(renewed)).account).toEqual(account);
  });

  it('takes a correct token that was signed with the shared key elsewhere, until its account logs out', async () => {
    expect((await service().verify(signed(claims))).account).toEqual(account);
    const later = service({ accounts: [{ ...holder, tokenGeneration: 1 }] });
    await expect(later.verify(signed(claims))).rejects.toThrow(UnauthenticatedError);
  });

  it('never ends after it can be renewed no more', async () => {
    const { exp, ref } = claimsOf(await service({ jwtExpTime: 3600, jwtRefreshExpTime: 60 }).issue(holder));
    expect([exp, ref]).toEqual([startSeconds + 60, startSeconds + 60]);
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
    await expect(refusal).rejects.toThrow(/^The token is not valid, has expired or was revoked\.$/);
  });
});

describe('renewing a token', () => {
  it('gives a new one that keeps the claim ref, and ends no later than that', async () => {
    const token = await service().issue(holder);
    const soon = service({ at: start + 1_800_000 });
    const { exp, ref, jti } = claimsOf(await soon.renew(await soon.verify(token)));
    expect([exp, ref]).toEqual([startSeconds + 1800 + 3600, startSeconds + 86_400]);
    expect(jti).not.toBe(claimsOf(token).jti);
    const late = service({ at: start + 86_000_000, jwtExpTime: 90_000 });
    const lateToken = signed({ ...claims, exp: startSeconds + 90_000, ref: startSeconds + 86_400 });
    expect(claimsOf(await late.renew(await late.verify(lateToken))).exp).toBe(startSeconds + 86_400);
  });

  it('is refused from the time of ref on, and for a token without it', async () => {
    const token = signed({ ...claims, exp: startSeconds + 90, ref: startSeconds + 60 });
    const before = service({ at: start + 59_000 });
    expect(await before.renew(await before.verify(token))).toEqual(expect.any(String));
    const after = service({ at: start + 60_000 });
    const login = await after.verify(token);
    await expect(after.renew(login)).rejects.toThrow(UnauthenticatedError);
    const { ref: __, ...endlessClaims } = claims;
    const without = await service().verify(signed(endlessClaims));
    await expect(service().renew(without)).rejects.toThrow(UnauthenticatedError);
  });

  it('is refused for a token that this LRS has not issued', async () => {
    await expect(service().renew({ account, token: undefined })).rejects.toThrow(InvalidError);
  });
});

describe('the key of tokens', () => {
  it('is the configured secret, or comes from the database’s own', async () => {
    expect(tokenKey('shared secret', key).toString()).toBe('shared secret');
    expect(tokenKey(undefined, key)).toEqual(tokenKey(undefined, key));
    expect(tokenKey(undefined, key)).not.toEqual(key);
    expect(tokenKey(undefined, key)).toHaveLength(32);
  });
});
