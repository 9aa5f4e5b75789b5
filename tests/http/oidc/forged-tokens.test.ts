import { createHmac, createPublicKey } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { passSeconds } from '../../support/clock.ts';
import { parsed } from '../../support/lrs-client.ts';
import { type OidcEntrance, oidcEntrance } from '../../support/oidc-entrance.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openid-provider.ts';

let provider: OpenIdProvider;
let stranger: OpenIdProvider;
let lrs: OidcEntrance;
let token: string;

beforeAll(async () => {
  [provider, stranger] = await Promise.all([startOpenIdProvider(), startOpenIdProvider()]);
  lrs = await oidcEntrance(provider, { LRS_OIDC_ENABLE_LOCAL_ADMIN: 'true' });
  token = await provider.userToken('ann', 'all admin');
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(async () => {
  await lrs.close();
  await Promise.all([provider.stop(), stranger.stop()]);
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

/** The token with members of header and claims replaced, the signature still that of the original. */
function altered(
  original: string,
  { header = {}, claims = {} }: { header?: object; claims?: object },
): string {
  const [first = '', second = '', signature = ''] = original.split('.');
  const parts = [encoded({ ...decoded(first), ...header }), encoded({ ...decoded(second), ...claims })];
  return [...parts, signature].join('.');
}

const hmac = (text: string, key: string | Buffer): string =>
  createHmac('sha256', key).update(text).digest('base64url');

async function publicKeys(): Promise<{ jwk: string; pem: string }> {
  const response = await fetch(`${provider.issuer}/jwks`);
  const { keys } = (await response.json()) as { keys: [import('node:crypto').JsonWebKey] };
  const pem = createPublicKey({ key: keys[0], format: 'jwk' }).export({ format: 'pem', type: 'spki' });
  return { jwk: JSON.stringify(keys[0]), pem: pem.toString() };
}

async function confused(material: 'jwk' | 'pem'): Promise<string> {
  const unsigned = altered(token, { header: { alg: 'HS256' } })
    .split('.')
    .slice(0, 2)
    .join('.');
  return `${unsigned}.${hmac(unsigned, (await publicKeys())[material])}`;
}

const forgeries: [string, () => string | Promise<string>][] = [
  ['has other claims than were signed', () => altered(token, { claims: { sub: 'ben' } })],
  ['has another signature', () => `${token.slice(0, -8)}AAAAAAAA`],
  [
    'has no signature (alg none)',
    () => `${altered(token, { header: { alg: 'none' } }).replace(/[^.]*$/, '')}`,
  ],
  ['keeps a signature with alg none', () => altered(token, { header: { alg: 'none' } })],
  ['is signed with the public key as an HMAC secret (JWK)', () => confused('jwk')],
  ['is signed with the public key as an HMAC secret (PEM)', () => confused('pem')],
  ['names a key that the provider does not have', () => altered(token, { header: { kid: 'other' } })],
  ['is of another provider', () => stranger.userToken('ann', 'all admin')],
  [
    'is of another provider and claims to be of this one',
    async () => altered(await stranger.userToken('ann', 'all admin'), { claims: { iss: provider.issuer } }),
  ],
  [
    'brings its own key',
    () => altered(token, { header: { jwk: { kty: 'oct', k: 'AAAA' } }, claims: { sub: 'x' } }),
  ],
  ['asks for extensions that are not known', () => altered(token, { header: { crit: ['x'], x: 1 } })],
  ['is no token', () => 'abc.def.ghi'],
  ['is nothing like a token', () => 'zzz'],
];

describe('a token that', () => {
  it('is good is taken by both interfaces, or the refusals below would show nothing', async () => {
    expect((await lrs.xapi(token)).status).toBe(200);
    expect((await lrs.admin(token, 'GET', '/admin/account')).status).toBe(200);
  });

  it.each(forgeries)('%s is answered 401', async (_, make) => {
    const forged = await make();
    for (const answer of [await lrs.xapi(forged), await lrs.admin(forged, 'GET', '/admin/account')]) {
      expect(answer.status).toBe(401);
      expect(parsed(answer)).toEqual({ error: expect.any(String), code: 'unauthenticated' });
      expect(answer.body.toString()).not.toContain(forged);
    }
  });

  it('has expired is answered 401, also when it was good a moment ago', async () => {
    const exp = Math.floor(Date.now() / 1000) + 1000;
    const ending = await provider.signed({ exp });
    expect((await lrs.xapi(ending)).status).toBe(200);
    passSeconds(1060);
    const answer = await lrs.xapi(ending);
    expect(answer.status).toBe(401);
    expect(parsed(answer)).toMatchObject({ error: 'The token is not valid: it has expired.' });
  });
});
