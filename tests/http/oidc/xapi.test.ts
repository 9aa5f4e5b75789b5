import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsed } from '../../support/lrs-client.ts';
import { type OidcEntrance, oidcEntrance } from '../../support/oidc-entrance.ts';
import { screen } from '../../support/openid-login.ts';
import {
  clientId,
  type OpenIdProvider,
  otherAudience,
  startOpenIdProvider,
} from '../../support/openid-provider.ts';
import { statement } from '../../support/statements.ts';

let provider: OpenIdProvider;
let lrs: OidcEntrance;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  lrs = await oidcEntrance(provider);
});

afterAll(async () => {
  await lrs.close();
  await provider.stop();
});

const account = (name: string) => ({ objectType: 'Agent', account: { homePage: provider.issuer, name } });
const statementsOf = async (token: string, from = lrs) =>
  parsed(await from.xapi(token)) as { statements: { authority: unknown }[] };

describe('an access token of the OpenID provider on /xapi', () => {
  it('writes and reads with the scopes it has; the authority is application and user', async () => {
    const token = await provider.userToken('ann', 'statements/write statements/read/mine');
    expect((await lrs.xapi(token, statement())).status).toBe(200);
    const { statements } = await statementsOf(token);
    expect(statements.map(({ authority }) => authority)).toEqual([
      { objectType: 'Group', member: [account(screen.clientId), account('ann')] },
    ]);
  });

  it('reads with statements/read/mine what its application and user wrote, and nothing else', async () => {
    const ben = await provider.userToken('ben', 'statements/write statements/read/mine');
    const app = await provider.clientToken('statements/write statements/read/mine');
    await lrs.xapi(ben, statement());
    await lrs.xapi(app, statement());
    for (const [token, authority] of [
      [ben, { objectType: 'Group', member: [account(screen.clientId), account('ben')] }],
      [app, { objectType: 'Group', member: [account(clientId), account(clientId)] }],
    ] as const) {
      const { statements } = await statementsOf(token);
      expect(statements.map((each) => each.authority)).toEqual([authority]);
    }
  });

  it.each([
    ['without the scope for it', 'statements/read'],
    ['with the scope of administrators alone', 'admin'],
    ['with no scope that is known here', ''],
  ])('is answered 403 %s', async (_, scope) => {
    const answer = await lrs.xapi(await provider.clientToken(scope), statement());
    expect(answer.status).toBe(403);
    expect(parsed(answer)).toMatchObject({ code: 'forbidden' });
  });

  it('is answered 401 when it was made for another audience, and both schemes are offered', async () => {
    const answer = await lrs.xapi(await provider.clientToken('all', otherAudience));
    expect(answer.status).toBe(401);
    expect(parsed(answer)).toMatchObject({ error: 'The token is not valid: unexpected "aud" claim value.' });
    expect(answer.headers['www-authenticate']).toBe('Basic realm="LRS", charset="UTF-8", Bearer realm="LRS"');
  });

  it('may be made for any audience when none is configured', async () => {
    const open = await oidcEntrance(provider, { LRS_OIDC_AUDIENCE: '' });
    expect((await open.xapi(await provider.clientToken('all', otherAudience))).status).toBe(200);
    await open.close();
  });

  it('needs the configured prefix before its scopes', async () => {
    const prefixed = await oidcEntrance(provider, { LRS_OIDC_SCOPE_PREFIX: 'lrs:' });
    expect((await prefixed.xapi(await provider.clientToken('all'))).status).toBe(403);
    expect((await prefixed.xapi(await provider.clientToken('lrs:statements/read'))).status).toBe(200);
    await prefixed.close();
  });

  it('needs it before the scope of administrators, too', async () => {
    const prefixed = await oidcEntrance(provider, { LRS_OIDC_SCOPE_PREFIX: 'lrs:' });
    const statuses = ['admin', 'lrs:admin'].map(async (scope) => {
      const token = await provider.userToken('ann', scope);
      return (await prefixed.admin(token, 'GET', '/admin/me')).status;
    });
    expect(await Promise.all(statuses)).toEqual([403, 200]);
    await prefixed.close();
  });

  it('is one way beside key pairs, which work as before', async () => {
    const admin = await provider.userToken('operator', 'admin');
    const pair = parsed(await lrs.admin(admin, 'POST', '/admin/creds', { scopes: ['all'] }));
    const { 'api-key': key, 'secret-key': secret } = pair as Record<string, string>;
    const answer = await lrs.send({
      method: 'GET',
      path: '/xapi/statements',
      headers: { authorization: `Basic ${btoa(`${key}:${secret}`)}`, 'x-experience-api-version': '2.0.0' },
    });
    expect(answer.status).toBe(200);
  });
});
