import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../config/config.ts';
import { type Entrance, eventEntrance, fetchEntrance, serverEntrance } from '../support/entrance.ts';
import { gatewayEvents } from '../support/gateway-events.ts';
import { screenEntrances, screenFolder } from '../support/screen-entrances.ts';

const hsts = 'max-age=31536000';
const inClear = {
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
};
const names = [
  ...Object.keys(inClear),
  'strict-transport-security',
  'x-xss-protection',
  'x-download-options',
  'x-permitted-cross-domain-policies',
];

const entrances: readonly (readonly [string, string | undefined, () => Promise<Entrance>])[] = [
  ['HTTP', undefined, () => serverEntrance('http')],
  ['HTTPS', hsts, () => serverEntrance('https')],
  ['the Fetch API', hsts, () => fetchEntrance()],
  ...Object.entries(gatewayEvents).map(
    ([name, eventOf]) =>
      [name, /load balancer/.test(name) ? undefined : hsts, () => eventEntrance(eventOf, '')] as const,
  ),
];

const paths = ['/health', '/xapi/about', '/xapi/statements', '/admin/me', '/nothing'];

const securityOf = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));

describe.each(entrances)('the security headers of answers through %s', (_, transport, open) => {
  let entrance: Entrance;
  beforeAll(async () => {
    entrance = await open();
  });
  afterAll(() => entrance?.close());

  it.each(paths)('have modern defaults, HSTS only by HTTPS: %s', async (path) => {
    const { headers } = await entrance.send({ method: 'GET', path });
    expect(securityOf(headers)).toEqual({
      ...inClear,
      ...(transport !== undefined && { 'strict-transport-security': transport }),
    });
  });
});

describe('the settings of security headers', () => {
  const sentWith = async (env: Record<string, string>, headers: Record<string, string> = {}) => {
    const entrance = await serverEntrance('http', env);
    try {
      const answer = await entrance.send({ method: 'GET', path: '/admin/env', headers });
      return securityOf(answer.headers);
    } finally {
      await entrance.close();
    }
  };
  const all = ['HSTS', 'FRAME', 'CONTENT_TYPE', 'XSS', 'DOWNLOAD', 'CROSS_DOMAIN', 'CONTENT'];
  const every = (value: string) => Object.fromEntries(all.map((name) => [`LRSQL_SEC_HEAD_${name}`, value]));

  it('take lrsql’s values for [default]', async () => {
    const ofApi = await sentWith(
      { ...every('[default]'), LRS_TRUST_PROXY: 'true' },
      { 'x-forwarded-proto': 'https' },
    );
    expect(ofApi).toEqual({
      'strict-transport-security': 'max-age=31536000; includeSubdomains',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'x-xss-protection': '1; mode=block',
      'x-download-options': 'noopen',
      'x-permitted-cross-domain-policies': 'none',
      'content-security-policy':
        "object-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' 'strict-dynamic' https: http:;",
      'referrer-policy': 'no-referrer',
    });
  });

  it('leave the policy of the screen alone', async () => {
    const { folder, remove } = screenFolder();
    const [[, openScreen] = []] = screenEntrances;
    const entrance = await openScreen?.({ folder, env: every('[default]') });
    try {
      const screen = await entrance?.send({ method: 'GET', path: '/' });
      expect(screen?.status).toBe(200);
      expect(screen?.headers['content-security-policy']).toContain(
        "script-src 'self'; style-src 'self' 'nonce-",
      );
      expect(screen?.headers['x-download-options']).toBe('noopen');
    } finally {
      await entrance?.close();
      remove();
    }
  });

  it('take other values as they are, and send none of [none]', async () => {
    const ofApi = await sentWith({ ...every('[none]'), LRS_SEC_HEAD_FRAME: 'SAMEORIGIN' });
    expect(ofApi).toEqual({ 'x-frame-options': 'SAMEORIGIN', 'referrer-policy': 'no-referrer' });
  });

  it('refuse what can’t be a header', () => {
    const env = { LRS_SEC_HEAD_FRAME: 'DENY\r\nSet-Cookie: a=b' };
    expect(() => loadConfig({ env, cwd: '/nowhere' })).toThrow(ConfigError);
  });
});
