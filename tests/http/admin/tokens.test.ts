import { createSecretKey, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import jwt from 'jsonwebtoken';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '../../../functions/routes.ts';
import {
  type Administration,
  administrations,
  expectError,
  expectJson,
  tokenOf,
} from '../../support/admin-client.ts';
import { passSeconds } from '../../support/clock.ts';
import { firstAccount } from '../../support/entrance.ts';
import { parsed } from '../../support/lrs-client.ts';

/* The titles are the sentences of the service specification. */

const secret = 'a secret of more than 32 characters';
const key = createSecretKey(Buffer.from(secret));
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const claimsOf = (token: string): jwt.JwtPayload => jwt.decode(token, { json: true }) ?? {};

describe.each(administrations)('tokens, on $name', ({ name, open, shared }) => {
  let lrs: Administration;
  /** A database in memory has no others beside it. */
  const hasStores = !name.startsWith('SQLite in memory');

  beforeAll(async () => {
    lrs = await open({
      LRS_JWT_COMMON_SECRET: secret,
      LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true',
      LRS_ENABLE_REACTIONS: 'true',
      LRS_ENABLE_STORES: String(hasStores),
    });
  });
  afterAll(() => lrs?.close());

  const verify = (token: string, at: Administration = lrs) => at.call('GET', '/admin/verify', { token });
  const logIn = (body: unknown) => lrs.call('POST', '/admin/account/login', { body });

  describe('POST /admin/account/login', () => {
    it('Newly generated JWT', async () => {
      const answers = [await logIn(firstAccount), await logIn(firstAccount)];
      for (const answer of answers) {
        expectJson(answer, {
          'account-id': expect.stringMatching(uuid),
          'json-web-token': expect.any(String),
        });
      }
      const [one = '', two = ''] = answers.map(tokenOf);
      expect(one).not.toBe(two);
      const { iat = 0, ...claims } = claimsOf(one);
      expect(claims).toEqual({
        acc: expect.stringMatching(uuid),
        exp: iat + 3600,
        ref: iat + 86_400,
        jti: expect.stringMatching(uuid),
        gen: 0,
      });
    });

    it('401 if credentials are wrong: the same for a wrong password and an unknown name.', async () => {
      const wrong = await logIn({ ...firstAccount, password: 'Wr0ng-password' });
      const nobody = await logIn({ username: `nobody-${randomUUID()}`, password: firstAccount.password });
      expectError(wrong, 401);
      expect([nobody.status, nobody.body.toString()]).toEqual([401, wrong.body.toString()]);
    });

    it.each([
      [{ username: 'opsadmin' }],
      [{ username: 'opsadmin', password: '' }],
      [{ username: 7, password: 'x' }],
      [{ username: ['opsadmin'], password: 'x' }],
      [{}],
      [[]],
      ['{'],
      [''],
    ])('An invalid body gives 400: %j', async (body) => {
      expectError(await logIn(body), 400);
    });
  });

  describe('POST /admin/account/logout', () => {
    it('Revokes all unexpired JWTs of the user', async () => {
      const { id, token, ...account } = await lrs.newAccount();
      const other = await lrs.newAccount();
      const tokens = [token, await lrs.login(account), await lrs.login(account)];
      const renewed = tokenOf(await lrs.call('GET', '/admin/account/renew', { token }));
      expectJson(await lrs.call('POST', '/admin/account/logout', { token, body: {} }), { 'account-id': id });
      for (const each of [...tokens, renewed]) expectError(await verify(each), 401);
      expect((await verify(other.token)).status).toBe(204);
      expectError(await lrs.call('POST', '/admin/account/logout', { token, body: {} }), 401);
    });

    it('A login right after it counts.', async () => {
      const { token, ...account } = await lrs.newAccount();
      await lrs.call('POST', '/admin/account/logout', { token, body: {} });
      expect((await verify(await lrs.login(account))).status).toBe(204);
    });

    if (shared)
      it('The tokens are revoked in other processes within a second.', async () => {
        const elsewhere = await lrs.elsewhere();
        const { token, ...account } = await lrs.newAccount();
        const there = await elsewhere.login(account);
        expect((await verify(token, elsewhere)).status).toBe(204);
        await lrs.call('POST', '/admin/account/logout', { token, body: {} });
        await sleep(1000);
        expectError(await verify(token, elsewhere), 401);
        expectError(await verify(there, elsewhere), 401);
        expectError(await verify(there), 401);
      });
  });

  describe('GET /admin/account/renew', () => {
    it('Issues a new JWT', async () => {
      const { id, token } = await lrs.newAccount();
      const answer = await lrs.call('GET', '/admin/account/renew', { token });
      expectJson(answer, { 'account-id': id, 'json-web-token': expect.any(String) });
      const renewed = tokenOf(answer);
      expect(renewed).not.toBe(token);
      expect(claimsOf(renewed).ref).toBe(claimsOf(token).ref);
      expect((await verify(renewed)).status).toBe(204);
      expect((await verify(token)).status).toBe(204);
    });
  });

  describe('GET /admin/me', () => {
    it('The currently authenticated admin account(s)', async () => {
      const { id, username, token } = await lrs.newAccount();
      expectJson(await lrs.call('GET', '/admin/me', { token }), { 'account-id': id, username });
    });
  });

  describe('GET /admin/verify', () => {
    it('204, no body.', async () => {
      const answer = await verify(await lrs.firstToken());
      expect([answer.status, answer.body.length]).toEqual([204, 0]);
    });

    it('Succeeds under the same conditions as `/admin/me`.', async () => {
      const { token } = await lrs.newAccount();
      const tokens = [token, `${token}x`, '', 'nonsense', await signedFor(token, { exp: 1 })];
      const statuses = async (path: string) =>
        Promise.all(
          tokens.map(async (each) => {
            const { status } = await lrs.call('GET', path, { token: each });
            return status < 300;
          }),
        );
      expect(await statuses('/admin/verify')).toEqual([true, false, false, false, false]);
      expect(await statuses('/admin/me')).toEqual(await statuses('/admin/verify'));
    });
  });

  /** A token with the claims of another, some of them changed, signed with the shared secret. */
  const signedFor = async (token: string, changes: object, algorithm: jwt.Algorithm = 'HS256') =>
    jwt.sign({ ...claimsOf(token), ...changes }, key, { algorithm });

  describe('Authorization: Bearer <JWT>', () => {
    const protectedRoutes = routes.filter(
      ({ access, path }) => access === 'login' && (hasStores || !path.startsWith('/admin/stores')),
    );

    it('All routes except `POST /admin/account/login` and `GET /admin/env` need it.', async () => {
      expect(protectedRoutes.length).toBeGreaterThan(10);
      for (const { method, path } of protectedRoutes) {
        const answer = await lrs.call(method, path, { ...(method !== 'GET' && { body: {} }) });
        expect([method, path, answer.status]).toEqual([method, path, 401]);
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
        expectError(answer, 401);
      }
      expect((await lrs.call('GET', '/admin/env')).status).toBe(200);
    });

    it('It is checked before the body.', async () => {
      for (const { method, path } of protectedRoutes) {
        if (method === 'GET') continue;
        expectError(await lrs.call(method, path, { token: 'nonsense', body: '{' }), 401);
      }
    });

    it.each<[string, (token: string) => Promise<string>]>([
      ['an expired one', (token) => signedFor(token, { exp: 1 })],
      ['one with another signature', async (token) => `${token.slice(0, -4)}AAAA`],
      ['one by another algorithm', (token) => signedFor(token, {}, 'HS512')],
      ['one without a signature', async (token) => jwt.sign(claimsOf(token), null, { algorithm: 'none' })],
      ['a one-time token', (token) => signedFor(token, { oti: randomUUID() })],
      ['one of something that is no account', (token) => signedFor(token, { acc: 'somebody' })],
      ['one of an account that does not exist', (token) => signedFor(token, { acc: randomUUID() })],
      ['one of a generation to come', (token) => signedFor(token, { gen: 1 })],
    ])('An expired or invalid JWT gives 401: %s', async (_, made) => {
      const token = await made(await lrs.firstToken());
      expectError(await lrs.call('GET', '/admin/account', { token }), 401);
      expectError(await lrs.call('GET', '/admin/creds', { token }), 401);
    });

    it('The scheme may be written in any case, with blanks.', async () => {
      const headers = { authorization: `bearer   ${await lrs.firstToken()}` };
      expect((await lrs.call('GET', '/admin/verify', { headers })).status).toBe(204);
    });
  });

  describe('The request body must be a JSON object.', () => {
    it.each(['[]', '"text"', 'null', '{', 'nonsense'])('An invalid body gives 400: %s', async (body) => {
      const token = await lrs.firstToken();
      for (const [method, path] of [
        ['POST', '/admin/account/logout'],
        ['POST', '/admin/account/create'],
        ['DELETE', '/admin/account'],
        ['PUT', '/admin/account/password'],
        ['PUT', '/admin/account/reset-password'],
        ['GET', '/admin/account'],
        ['GET', '/admin/me'],
        ['GET', '/admin/verify'],
      ] as const) {
        expectError(await lrs.call(method, path, { token, body }), 400);
      }
    });

    it.each([
      ['{"username":"a\\u0000b"}', /U\+0000 at line 1, column 15/],
      ['{"username":1e999}', /number at line 1, column 13/],
      [`{"username":${'['.repeat(64)}${']'.repeat(64)}}`, /deeper than 64 levels at line 1, column 76/],
      [`{"${'n'.repeat(16_384)}":"a"}`, /name of more than 16383 bytes at line 1, column 2/],
      ['{"username":"a",}', /line 1, column 17/],
      ['{"__proto__":{"username":"operator1"}}', /__proto__ is not known/],
    ])('What could not be kept is refused with its place: %s', async (body, place) => {
      const token = await lrs.firstToken();
      const answer = await lrs.call('POST', '/admin/account/create', { token, body });
      expectError(answer, 400);
      expect(parsed(answer)).toMatchObject({ error: expect.stringMatching(place) });
    });

    it('A body of another media type is refused with a sentence about the header.', async () => {
      const token = await lrs.firstToken();
      const headers = { 'content-type': 'text/plain' };
      const body = '{"username":"operator1","password":"Sw0rdfish!Sw0rdfish"}';
      const answer = await lrs.call('POST', '/admin/account/create', { token, headers, body });
      expectError(answer, 400);
      expect(parsed(answer)).toMatchObject({
        error: expect.stringContaining('Content-Type application/json'),
      });
    });

    it('The permitted content depends on the route.', async () => {
      const token = await lrs.firstToken();
      for (const [method, path, body] of [
        ['POST', '/admin/account/create', { username: 'operator1' }],
        ['POST', '/admin/account/create', { username: 1, password: 2 }],
        ['DELETE', '/admin/account', { 'account-id': 'no-uuid' }],
        ['DELETE', '/admin/account', {}],
        ['PUT', '/admin/account/password', { 'new-password': 'Ch4nged-it-now' }],
        [
          'PUT',
          '/admin/account/reset-password',
          { 'account-id': 'no-uuid', 'new-password': 'Ch4nged-it-now' },
        ],
      ] as const) {
        const answer = await lrs.call(method, path, { token, body });
        expectError(answer, 400);
        expect(parsed(answer)).toMatchObject({
          details: expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })]),
        });
      }
    });

    it('On GET it may be missing.', async () => {
      const token = await lrs.firstToken();
      expect((await lrs.call('GET', '/admin/me', { token })).status).toBe(200);
      expect((await lrs.call('GET', '/admin/me', { token, body: {} })).status).toBe(200);
    });
  });
});

describe.each(administrations)('the times of tokens, on $name', ({ open, shared }) => {
  let lrs: Administration | undefined;
  afterEach(async () => {
    vi.useRealTimers();
    await lrs?.close();
    lrs = undefined;
  });

  it('Granted only while the current time is before the refresh timestamp, which `LRS_JWT_REFRESH_EXP_TIME` sets for the given JWT.', async () => {
    const times = { LRS_JWT_EXP_TIME: '9000', LRS_JWT_REFRESH_EXP_TIME: '600', LRS_JWT_EXP_LEEWAY: '100' };
    lrs = await open(times);
    const token = await lrs.login();
    const { iat = 0, exp, ref } = claimsOf(token);
    expect([exp, ref]).toEqual([iat + 600, iat + 600]);
    expect(claimsOf(tokenOf(await lrs.call('GET', '/admin/account/renew', { token }))).exp).toBe(ref);
    passSeconds(610);
    expect((await lrs.call('GET', '/admin/verify', { token })).status).toBe(204);
    expectError(await lrs.call('GET', '/admin/account/renew', { token }), 401);
  });

  it('An expired JWT gives 401.', async () => {
    lrs = await open({ LRS_JWT_EXP_TIME: '600', LRS_JWT_EXP_LEEWAY: '0', LRS_JWT_REFRESH_INTERVAL: '300' });
    const token = await lrs.login();
    expect((await lrs.call('GET', '/admin/verify', { token })).status).toBe(204);
    passSeconds(601);
    expectError(await lrs.call('GET', '/admin/verify', { token }), 401);
    expectError(await lrs.call('GET', '/admin/account/renew', { token }), 401);
  });

  if (shared)
    it('A restart without `jwtCommonSecret` logs nobody out.', async () => {
      lrs = await open();
      const token = await lrs.login();
      const restarted = await lrs.elsewhere();
      expect((await restarted.call('GET', '/admin/verify', { token })).status).toBe(204);
    });
});
