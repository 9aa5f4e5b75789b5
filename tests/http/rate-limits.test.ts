import { afterEach, describe, expect, it } from 'vitest';
import { type Entrance, eventEntrance, firstAccount, serverEntrance } from '../support/entrance.ts';
import { type ClientAnswer, gatewayEvents } from '../support/gateway-events.ts';

/** So few that a slow machine gains none meanwhile that would matter. */
const limits = { LRS_RATE_LIMIT_BURST_SECONDS: '5' };
const pair = { LRS_API_KEY_DEFAULT: 'seeded', LRS_API_SECRET_DEFAULT: 'secret' };
const basic = (key: string, secret: string) => `Basic ${btoa(`${key}:${secret}`)}`;
const seeded = basic('seeded', 'secret');

let entrance: Entrance | undefined;
afterEach(() => entrance?.close());

const ways: readonly (readonly [string, (env: Record<string, string>) => Promise<Entrance>])[] = [
  ['the server', (env) => serverEntrance('http', env)],
  ...Object.entries(gatewayEvents).map(
    ([name, eventOf]) => [name, (env: Record<string, string>) => eventEntrance(eventOf, '', env)] as const,
  ),
];

describe.each(ways)('rate limits through %s', (_, open) => {
  async function start(env: Record<string, string>) {
    const opened = await open({ ...limits, ...pair, ...env });
    entrance = opened;
    const read = (authorization: string): Promise<ClientAnswer> => {
      const headers = { authorization, 'x-experience-api-version': '1.0.3' };
      return opened.send({ method: 'GET', path: '/xapi/statements', headers });
    };
    return { read, send: opened.send };
  }

  async function newPair(send: Entrance['send']): Promise<string> {
    const json = { 'content-type': 'application/json' };
    const login = { method: 'POST', path: '/admin/account/login', headers: json };
    const { body: token } = await send({ ...login, body: JSON.stringify(firstAccount) });
    const authorization = `Bearer ${JSON.parse(token.toString())['json-web-token']}`;
    const scopes = JSON.stringify({ scopes: ['all'] });
    const create = { method: 'POST', path: '/admin/creds', headers: { ...json, authorization } };
    const { body } = await send({ ...create, body: scopes });
    const { 'api-key': key, 'secret-key': secret } = JSON.parse(body.toString());
    return basic(key, secret);
  }

  /** Sends until one is refused. */
  async function refusalOf(send: () => Promise<ClientAnswer>): Promise<ClientAnswer> {
    for (let count = 0; count < 1000; count += 1) {
      const answer = await send();
      if (answer.status === 429) return answer;
    }
    throw new Error('None was refused.');
  }

  it('refuse a key pair with 429 and Retry-After, and no other one', async () => {
    const { read, send } = await start({ LRS_RATE_LIMIT_PER_KEY_PAIR: '2' });
    const other = await newPair(send);
    const refused = await refusalOf(() => read(seeded));
    expect(JSON.parse(refused.body.toString()).code).toBe('too-many-requests');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(refused.headers['x-experience-api-version']).toBeDefined();
    expect((await read(other)).status).toBe(200);
  });

  it('refuse an address before its credentials are looked at', async () => {
    const { read, send } = await start({ LRS_RATE_LIMIT_PER_ADDRESS: '2' });
    await refusalOf(() => read(basic('unknown', 'secret')));
    await refusalOf(() => read(seeded));
    const login = { method: 'POST', path: '/admin/account/login', body: '{}' };
    await refusalOf(() => send({ ...login, headers: { 'content-type': 'application/json' } }));
    expect((await send({ method: 'GET', path: '/health' })).status).toBe(200);
  });
});
