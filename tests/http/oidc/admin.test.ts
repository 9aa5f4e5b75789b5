import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError, expectJson } from '../../support/admin-client.ts';
import { firstAccount } from '../../support/entrance.ts';
import { parsed, stringMember } from '../../support/lrs-client.ts';
import {
  audience,
  type OpenIdProvider,
  otherAudience,
  startOpenIdProvider,
} from '../../support/openid-provider.ts';

describe.each(administrations)('an OpenID provider that vouches for administrators, on $name', (on) => {
  let provider: OpenIdProvider;
  /** The provider alone vouches for administrators. */
  let lrs: Administration;
  /** Local accounts log in beside them: another process with the same database, if there can be one. */
  let mixed: Administration;

  beforeAll(async () => {
    provider = await startOpenIdProvider();
    const env = { LRS_OIDC_ISSUER: provider.issuer, LRS_OIDC_AUDIENCE: audience };
    lrs = await on.open(env);
    const withLocal = { ...env, LRS_OIDC_ENABLE_LOCAL_ADMIN: 'true' };
    mixed = on.shared ? await lrs.elsewhere(withLocal) : await on.open(withLocal);
  });

  afterAll(async () => {
    if (!on.shared) await mixed?.close();
    await lrs?.close();
    await provider?.stop();
  });

  const adminToken = (user: string) => provider.userToken(user, 'admin');
  const namesAt = async (at: Administration, token: string) =>
    parsed(await at.call('GET', '/admin/account', { token }));

  describe('an access token', () => {
    it('makes the account of its subject on first use, once, and it is the same ever after', async () => {
      const token = await adminToken('ann');
      const calls = Array.from({ length: 8 }, () => lrs.call('GET', '/admin/me', { token }));
      const answers = await Promise.all(calls);
      const ids = answers.map((answer) => stringMember(answer, 'account-id'));
      expect(new Set(ids).size).toBe(1);
      const ann = { 'account-id': ids[0], username: 'ann' };
      expectJson(await lrs.call('GET', '/admin/me', { token: await adminToken('ann') }), ann);
      expect(await namesAt(lrs, token)).toContainEqual(ann);
      expect((await lrs.call('GET', '/admin/verify', { token })).status).toBe(204);
    });

    it('owns the key pairs that it makes', async () => {
      const [ben, cem] = [await adminToken('ben'), await adminToken('cem')];
      const made = await lrs.call('POST', '/admin/creds', { token: ben, body: { scopes: ['all'] } });
      const listed = await lrs.call('GET', '/admin/creds', { token: ben });
      expectJson(listed, [expect.objectContaining({ 'api-key': stringMember(made, 'api-key') })]);
      expectJson(await lrs.call('GET', '/admin/creds', { token: cem }), []);
    });

    it('is answered 403 without the scope admin, and 401 when it was made for another audience', async () => {
      const answer = await lrs.call('GET', '/admin/me', { token: await provider.userToken('ann', 'all') });
      expectError(answer, 403);
      expect(parsed(answer)).toMatchObject({ error: 'The token lacks the scope admin.' });
      const token = await provider.userToken('ann', 'admin', otherAudience);
      expectError(await lrs.call('GET', '/admin/me', { token }), 401);
    });

    it('never gets an account that has a password', async () => {
      const token = await adminToken(firstAccount.username);
      for (const at of [lrs, mixed]) expectError(await at.call('GET', '/admin/me', { token }), 401);
    });

    it('makes an account that nobody can log in to with a password', async () => {
      await mixed.call('GET', '/admin/me', { token: await adminToken('dan') });
      for (const password of [' ', firstAccount.password]) {
        const body = { username: 'dan', password };
        expectError(await mixed.call('POST', '/admin/account/login', { body }), 401);
      }
    });

    it('can be neither renewed nor logged out here', async () => {
      const token = await adminToken('ann');
      expectError(await lrs.call('GET', '/admin/account/renew', { token }), 400);
      expectError(await lrs.call('POST', '/admin/account/logout', { token, body: {} }), 400);
    });

    it('may start a download by a link', async () => {
      const granted = await lrs.call('GET', '/admin/csv/auth', { token: await adminToken('ann') });
      const query = `token=${stringMember(granted, 'json-web-token')}`;
      expect((await lrs.call('GET', '/admin/csv', { query })).status).toBe(200);
    });
  });

  describe('local accounts', () => {
    const unknownId = '00000000-0000-4000-8000-000000000000';
    const passwords = { 'old-password': firstAccount.password, 'new-password': 'Tr1cky_pass?' };

    it.each([
      ['POST', '/admin/account/login', firstAccount],
      ['POST', '/admin/account/create', { username: 'someone', password: firstAccount.password }],
      ['PUT', '/admin/account/password', passwords],
      ['PUT', '/admin/account/reset-password', { 'account-id': unknownId, 'new-password': 'Tr1cky_pass?' }],
    ])(
      'are not there by default: %s %s is answered 404, which names the setting',
      async (method, path, body) => {
        const answer = await lrs.call(method, path, { token: await adminToken('ann'), body });
        expectError(answer, 404);
        expect(parsed(answer)).toMatchObject({ error: expect.stringContaining('oidcEnableLocalAdmin') });
      },
    );

    it('can do nothing with a token that they got where they may log in', async () => {
      expectError(await lrs.call('GET', '/admin/me', { token: await mixed.login() }), 401);
    });

    it('log in as ever with oidcEnableLocalAdmin, and both kinds of token count', async () => {
      const token = await mixed.login();
      const me = await mixed.call('GET', '/admin/me', { token });
      expectJson(me, expect.objectContaining({ username: firstAccount.username }));
      expectJson(
        await mixed.call('GET', '/admin/me', { token: await adminToken('eve') }),
        expect.objectContaining({ username: 'eve' }),
      );
    });

    it('cannot speak xAPI with their tokens', async () => {
      const call = { token: await mixed.login(), headers: { 'x-experience-api-version': '2.0.0' } };
      expectError(await mixed.call('GET', '/xapi/statements', call), 401);
    });
  });
});
