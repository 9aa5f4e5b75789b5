import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passSeconds } from '../../support/clock.ts';
import { parsed } from '../../support/lrs-client.ts';
import { type OidcEntrance, oidcEntrance } from '../../support/oidc-entrance.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openid-provider.ts';
import { conditionLimit } from '../../support/time-limits.ts';

let provider: OpenIdProvider;
const opened: OidcEntrance[] = [];

beforeEach(async () => {
  provider = await startOpenIdProvider();
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([...opened.splice(0).map((lrs) => lrs.close()), provider.stop()]);
});

async function open(env?: Readonly<Record<string, string>>): Promise<OidcEntrance> {
  const lrs = await oidcEntrance(provider, env);
  opened.push(lrs);
  return lrs;
}

const statusOf = async (lrs: OidcEntrance, token: string) => (await lrs.xapi(token)).status;

/** The pause after a failure and after a look for unknown keys is two seconds. */
const soon = { timeout: conditionLimit, interval: 200 };

describe('a provider that does not answer', () => {
  it('does not keep the LRS from starting: tokens are answered 503, key pairs work, and later tokens do', async () => {
    const token = await provider.clientToken('all');
    await provider.stop();
    const lrs = await open({ LRS_API_KEY_DEFAULT: 'key', LRS_API_SECRET_DEFAULT: 'secret' });
    const refused = await lrs.xapi(token);
    expect(refused.status).toBe(503);
    expect(parsed(refused)).toMatchObject({ code: 'unavailable' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await lrs.admin(token, 'GET', '/admin/account')).status).toBe(503);
    const headers = { authorization: `Basic ${btoa('key:secret')}`, 'x-experience-api-version': '2.0.0' };
    expect((await lrs.send({ method: 'GET', path: '/xapi/statements', headers })).status).toBe(200);
    await provider.start();
    await vi.waitFor(async () => expect(await statusOf(lrs, token)).toBe(200), soon);
  });

  it('goes on counting by the keys that are known', async () => {
    const [seen, unseen] = [await provider.clientToken('all'), await provider.clientToken('all')];
    const lrs = await open();
    expect(await statusOf(lrs, seen)).toBe(200);
    await provider.stop();
    expect(await statusOf(lrs, seen)).toBe(200);
    expect(await statusOf(lrs, unseen)).toBe(200);
    await provider.start();
  });

  it('has an hour to come back before the known keys count no more', async () => {
    const exp = Math.floor(Date.now() / 1000) + 3 * 3600;
    const tokens = await Promise.all([1, 2, 3].map((jti) => provider.signed({ exp, jti })));
    const [first = '', early = '', late = ''] = tokens;
    const lrs = await open();
    expect(await statusOf(lrs, first)).toBe(200);
    await provider.stop();
    passSeconds(50 * 60);
    expect(await statusOf(lrs, early)).toBe(200);
    passSeconds(20 * 60);
    expect(await statusOf(lrs, late)).toBe(503);
    await provider.start();
    passSeconds(10);
    expect(await statusOf(lrs, late)).toBe(200);
  });

  it('is not waited for longer than a few seconds', async () => {
    await provider.stop();
    const silent = createServer().listen(Number(new URL(provider.issuer).port), '127.0.0.1');
    const lrs = await open();
    silent.close();
    expect(await statusOf(lrs, 'a.b.c')).toBe(503);
    await provider.start();
  });
});

describe('a provider that changes its keys', () => {
  it('is asked for them when a token names an unknown one', async () => {
    const before = await provider.clientToken('all');
    const lrs = await open();
    expect(await statusOf(lrs, before)).toBe(200);
    provider.rotateKeys();
    const after = await provider.clientToken('all');
    await vi.waitFor(async () => expect(await statusOf(lrs, after)).toBe(200), soon);
  });

  it('takes the old ones back with that', async () => {
    const [before, unseen] = [await provider.clientToken('all'), await provider.clientToken('all')];
    const lrs = await open();
    expect(await statusOf(lrs, before)).toBe(200);
    provider.rotateKeys();
    const after = await provider.clientToken('all');
    await vi.waitFor(async () => expect(await statusOf(lrs, after)).toBe(200), soon);
    expect(await statusOf(lrs, unseen)).toBe(401);
  });

  it('is asked for them every ten minutes, so that one that is gone counts no more', async () => {
    passSeconds(0);
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const tokens = await Promise.all([1, 2, 3].map((jti) => provider.signed({ exp, jti })));
    const [first = '', second = '', third = ''] = tokens;
    const lrs = await open();
    expect(await statusOf(lrs, first)).toBe(200);
    provider.rotateKeys();
    passSeconds(11 * 60);
    expect(await statusOf(lrs, second)).toBe(200);
    await vi.waitFor(() => expect(provider.requests('/jwks')).toBe(2), soon);
    await vi.waitFor(async () => expect(await statusOf(lrs, third)).toBe(401), soon);
    expect(await statusOf(lrs, first)).toBe(401);
  });

  it('is not asked for each of many tokens that name unknown ones', async () => {
    const lrs = await open();
    const header = (kid: number) =>
      Buffer.from(JSON.stringify({ alg: 'RS256', kid: String(kid) })).toString('base64url');
    const claims = Buffer.from('{}').toString('base64url');
    const tokens = Array.from({ length: 50 }, (_, index) => `${header(index)}.${claims}.AAAA`);
    expect(await Promise.all(tokens.map((token) => statusOf(lrs, token)))).toEqual(Array(50).fill(401));
    expect(provider.requests('/jwks')).toBe(1);
  });
});

describe('a provider that calls itself otherwise', () => {
  const renamed = () => ({ LRS_OIDC_ISSUER: provider.issuer.replace('127.0.0.1', 'localhost') });

  it('stops the start with a sentence that names both settings', async () => {
    await expect(open(renamed())).rejects.toThrow(
      /^webserver\.oidcIssuer is http:\/\/localhost:\d+, but the provider there calls itself http:\/\/127\.0\.0\.1:\d+; they must be equal unless webserver\.oidcVerifyRemoteIssuer is false\.$/,
    );
  });

  it('is taken as it is when oidcVerifyRemoteIssuer is off', async () => {
    const lrs = await open({ ...renamed(), LRS_OIDC_VERIFY_REMOTE_ISSUER: 'false' });
    expect(await statusOf(lrs, await provider.clientToken('all'))).toBe(200);
  });
});
