import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsed } from '../../support/lrs-client.ts';
import { type OidcEntrance, oidcEntrance } from '../../support/oidc-entrance.ts';
import { audience, type OpenIdProvider, startOpenIdProvider } from '../../support/openid-provider.ts';
import { statement } from '../../support/statements.ts';

let provider: OpenIdProvider;
let lrs: OidcEntrance;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lrs-oidc-'));
  provider = await startOpenIdProvider();
  lrs = await oidcEntrance(provider);
});

afterAll(async () => {
  await lrs.close();
  await provider.stop();
  rmSync(folder, { recursive: true });
});

const later = (): number => Math.floor(Date.now() / 1000) + 60;

describe('a token that the provider has signed', () => {
  it.each([
    ['one text with any white space between', { scope: 'openid  statements/read\tprofile' }],
    ['a list', { scope: ['openid', 'statements/read'] }],
    ['one text in scp', { scope: undefined, scp: 'openid statements/read' }],
    ['a list in scp', { scope: undefined, scp: ['statements/read'] }],
  ])('may have its scopes as %s', async (_, claims) => {
    expect((await lrs.xapi(await provider.signed(claims))).status).toBe(200);
  });

  it('may look like one of Keycloak: of type JWT, for several audiences, with its client in azp', async () => {
    const claims = { aud: ['account', audience], azp: 'moodle', client_id: undefined, typ: 'Bearer' };
    const token = await provider.signed(claims, { typ: 'JWT' });
    await lrs.xapi(token, statement());
    expect(parsed(await lrs.xapi(token))).toMatchObject({
      statements: [
        { authority: { member: [{ account: { name: 'moodle' } }, { account: { name: 'ann' } }] } },
      ],
    });
  });

  it.each([
    ['ends never', { exp: undefined }, {}],
    ['counts only later', { nbf: later() }, {}],
    ['is a logout token', {}, { typ: 'logout+jwt' }],
    ['names no issuer', { iss: undefined }, {}],
    ['names no audience', { aud: undefined }, {}],
  ])('is answered 401 when it %s', async (_, claims, header) => {
    const token = await provider.signed(claims, header);
    expect((await lrs.xapi(token)).status).toBe(401);
    expect((await lrs.admin(token, 'GET', '/admin/account')).status).toBe(401);
  });

  it.each([
    ['no subject', undefined],
    ['an empty one', ''],
    ['one with control characters', 'a\u0000b'],
    ['one that is longer than any user name', 's'.repeat(256)],
  ])('is answered 401 on /admin when it names %s', async (_, sub) => {
    const answer = await lrs.admin(await provider.signed({ sub }), 'GET', '/admin/account');
    expect(answer.status).toBe(401);
    expect(parsed(answer)).toMatchObject({ code: 'unauthenticated' });
  });

  it('counts within the tolerance for clocks that differ', async () => {
    const tolerant = await oidcEntrance(provider, { LRS_JWT_EXP_LEEWAY: '30' });
    const token = await provider.signed({ exp: later() - 65 });
    expect((await tolerant.xapi(token)).status).toBe(200);
    expect((await lrs.xapi(token)).status).toBe(401);
    await tolerant.close();
  });
});

describe('a configured authority template', () => {
  it('makes the authority of the claims, and a token without one of them is answered 401', async () => {
    const file = join(folder, 'authority.json');
    writeFileSync(file, '{"name": "{{sub}} by {{lrsql/resolved-client-id}}", "mbox": "mailto:{{email}}"}');
    const named = await oidcEntrance(provider, { LRS_OIDC_AUTHORITY_TEMPLATE: file });
    const token = await provider.userToken('ann', 'all');
    await named.xapi(token, statement());
    expect(parsed(await named.xapi(token))).toMatchObject({
      statements: [{ authority: { name: 'ann by lrs-screen', mbox: 'mailto:ann@example.org' } }],
    });
    const without = await named.xapi(await provider.signed({}));
    expect(without.status).toBe(401);
    expect(parsed(without)).toMatchObject({
      error: 'The token has no claim email, which the authority of statements needs.',
    });
    const unfit = await named.xapi(await provider.signed({ email: 'nobody' }));
    expect(unfit.status).toBe(401);
    await named.close();
  });

  it('that can give no authority stops the start', async () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{"name": "{{sub}}"}');
    await expect(oidcEntrance(provider, { LRS_OIDC_AUTHORITY_TEMPLATE: file })).rejects.toThrow(
      `The authority template ${file} must give an Agent, or a Group of application and user. authority must have`,
    );
  });
});

describe('GET /admin/env', () => {
  const envOf = async (env: Readonly<Record<string, string>>) => {
    const entrance = await oidcEntrance(provider, env);
    const answer = await entrance.send({ method: 'GET', path: '/admin/env', headers: {} });
    await entrance.close();
    return parsed(answer);
  };

  it('holds the settings with which the screen logs in at the provider', async () => {
    const env = { LRS_OIDC_CLIENT_ID: 'lrs-screen', LRS_OIDC_SCOPE_PREFIX: 'lrs:' };
    expect(await envOf(env)).toMatchObject({
      oidc: {
        authority: provider.issuer,
        client_id: 'lrs-screen',
        response_type: 'code',
        scope: 'openid profile lrs:admin',
        automaticSilentRenew: true,
        monitorSession: false,
        filterProtocolClaims: false,
        extraQueryParams: { audience: 'https://lrs.example.org' },
      },
      'oidc-enable-local-admin': false,
    });
  });

  it('holds what the configured template gives instead', async () => {
    const file = join(folder, 'client.json');
    writeFileSync(
      file,
      `{"authority": "{{webserver.oidc-issuer}}", "scope": "openid {{lrs.oidcScopePrefix}}admin",
        "local": {{ webserver.oidc-enable-local-admin }}}`,
    );
    const env = {
      LRS_OIDC_CLIENT_ID: 'x',
      LRS_OIDC_CLIENT_TEMPLATE: file,
      LRS_OIDC_ENABLE_LOCAL_ADMIN: 'true',
    };
    expect(await envOf(env)).toMatchObject({
      oidc: { authority: provider.issuer, scope: 'openid admin', local: true },
      'oidc-enable-local-admin': true,
    });
    writeFileSync(file, '{"authority": "{{webserver.jwt-common-secret}}"}');
    await expect(envOf({ ...env, LRS_JWT_COMMON_SECRET: 's'.repeat(32) })).rejects.toThrow(
      `The template ${file} of the OpenID client can't be used. It has no variable webserver.jwt-common-secret.`,
    );
  });

  it('holds nothing of it without oidcClientId', async () => {
    expect(await envOf({})).not.toHaveProperty('oidc');
  });
});
