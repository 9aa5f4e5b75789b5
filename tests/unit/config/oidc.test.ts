import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../config/config.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lrs-config-'));
  mkdirSync(join(cwd, 'config'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const load = (env: Record<string, string> = {}) => loadConfig({ env, cwd });
const issuer = 'https://id.example/realms/lrs';

describe('the settings of an OpenID provider', () => {
  it('are off by default, and trust nothing by themselves', () => {
    const { webserver, lrs } = load().config;
    expect(webserver).toMatchObject({
      oidcIssuer: null,
      oidcAudience: null,
      oidcClientId: null,
      oidcClientTemplate: null,
      oidcVerifyRemoteIssuer: true,
      oidcEnableLocalAdmin: false,
    });
    expect(lrs).toMatchObject({ oidcAuthorityTemplate: null, oidcScopePrefix: '' });
  });

  it('use the templates at their default places only when they exist', () => {
    for (const name of ['oidc_authority', 'oidc_client'])
      writeFileSync(join(cwd, `config/${name}.json.template`), '{}');
    const { lrs, webserver } = load().config;
    expect(lrs.oidcAuthorityTemplate).toBe('config/oidc_authority.json.template');
    expect(webserver.oidcClientTemplate).toBe('config/oidc_client.json.template');
    expect(() => load({ LRS_OIDC_CLIENT_TEMPLATE: 'nowhere', LRS_OIDC_AUTHORITY_TEMPLATE: 'no' })).toThrow(
      /lrs\.oidcAuthorityTemplate \(from LRS_OIDC_AUTHORITY_TEMPLATE\) names a file that does not exist\.\n.*webserver\.oidcClientTemplate/,
    );
  });

  it.each([
    'id.example',
    'ftp://id.example',
    'https://id.example?x=1',
    'https://',
    'https://a b',
    'https://ann:word@id.example',
  ])('refuse the issuer %s', (value) => {
    expect(() => load({ LRS_OIDC_ISSUER: value })).toThrow(
      'webserver.oidcIssuer (from LRS_OIDC_ISSUER) must be an http or https address without user, password, query and fragment',
    );
  });

  it('refuse a second one who vouches for administrators', () => {
    const proxy = { UNAME: 'a', ISSUER: 'b', ROLE_KEY: 'c', ROLE: 'd' };
    const noVal = Object.entries(proxy).map(([name, value]) => [`LRS_JWT_NO_VAL_${name}`, value]);
    expect(() =>
      load({ LRS_OIDC_ISSUER: issuer, LRS_JWT_NO_VAL: 'true', ...Object.fromEntries(noVal) }),
    ).toThrow(
      'webserver.jwtNoVal (from LRS_JWT_NO_VAL) and webserver.oidcIssuer (from LRS_OIDC_ISSUER) exclude',
    );
  });

  it.each([
    [{ LRS_OIDC_ISSUER: issuer, LRS_OIDC_AUDIENCE: 'lrs' }, []],
    [{ LRS_OIDC_ISSUER: issuer }, [/oidcAudience is not set/]],
    [{ LRS_OIDC_ISSUER: 'http://id.example', LRS_OIDC_AUDIENCE: 'lrs' }, [/oidcIssuer is not https/]],
    [{ LRS_OIDC_CLIENT_ID: 'screen' }, [/oidcClientId has no effect/]],
  ])('warn of what is risky or idle in %j', (env: Record<string, string>, warnings: RegExp[]) => {
    expect(load(env).warnings).toEqual(warnings.map((text) => expect.stringMatching(text)));
  });
});
