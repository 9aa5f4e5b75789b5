import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from '../../support/admin-client.ts';
import {
  type Entrance,
  eventEntrance,
  fetchEntrance,
  firstAccount,
  maxBodyBytes,
  serverEntrance,
} from '../../support/entrance.ts';
import type { ClientAnswer, ClientRequest } from '../../support/gateway-events.ts';
import { gatewayEvents } from '../../support/gateway-events.ts';

const env = { LRS_ENABLE_REACTIONS: 'true', LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true' };

const entrances: readonly (readonly [string, () => Promise<Entrance>])[] = [
  ['the Node adapter', () => serverEntrance('http', env)],
  ['the Fetch API', () => fetchEntrance(env)],
  ...Object.entries(gatewayEvents).map(
    ([name, eventOf]) => [name, () => eventEntrance(eventOf, '', env)] as const,
  ),
];

const asJson = { 'content-type': 'application/json' };
const login = (password: string): ClientRequest => ({
  method: 'POST',
  path: '/admin/account/login',
  headers: asJson,
  body: JSON.stringify({ username: firstAccount.username, password }),
});

describe.each(entrances)('every response of the administration, through %s,', (_, open) => {
  let entrance: Entrance;
  let token: string;
  beforeAll(async () => {
    entrance = await open();
    token = tokenOf(await entrance.send(login(firstAccount.password)));
  });
  afterAll(() => entrance?.close());

  const expectGuarded = ({ headers }: ClientAnswer): void => {
    expect([headers['cache-control'], headers['x-content-type-options']]).toEqual(['no-store', 'nosniff']);
  };

  it.each<[string, string, number, Partial<ClientRequest>?]>([
    ['GET', '/admin/me', 200],
    ['GET', '/admin/env', 200],
    ['GET', '/admin/verify', 204],
    ['GET', '/admin/creds', 200],
    ['GET', '/admin/account', 200],
    ['GET', '/admin/audit', 200],
    ['GET', '/admin/openapi', 200],
    ['GET', '/admin/csv/auth', 200],
    ['GET', '/admin/csv', 200],
    ['GET', '/admin/csv', 200, { query: 'preview=true' }],
    ['GET', '/admin/csv', 400, { query: 'unknown=1' }],
    ['GET', '/admin/export', 200],
    ['GET', '/admin/export', 400, { query: 'unknown=1' }],
    ['GET', '/admin/export/size', 200],
    ['GET', '/admin/agents', 200],
    ['GET', '/admin/reaction', 200],
    ['POST', '/admin/reaction', 400, { body: '{}', headers: asJson }],
    ['POST', '/admin/creds', 400, { body: 'no JSON', headers: asJson }],
    ['POST', '/admin/creds', 413, { body: 'x'.repeat(maxBodyBytes), headers: asJson }],
    ['OPTIONS', '/admin/creds', 204],
    ['OPTIONS', '/admin/nothing', 204],
    ['PUT', '/admin/me', 405],
    ['HEAD', '/admin/me', 405],
    ['GET', '/admin/nothing', 404],
    ['DELETE', '/admin/nothing/at/all', 404],
    ['GET', '/admin/reaction/none', 400],
    ['GET', '/admin/%25zz', 404],
    ['GET', '/admin/ui', 302],
  ])('is neither kept nor guessed at: %s %s, %d', async (method, path, status, request = {}) => {
    const headers = { authorization: `Bearer ${token}`, ...request.headers };
    const answer = await entrance.send({ ...request, method, path, headers });
    expect(answer.status).toBe(status);
    expectGuarded(answer);
  });

  it('is neither kept nor guessed at: logins, and what is refused without one', async () => {
    const answers = [
      await entrance.send(login(firstAccount.password)),
      await entrance.send(login('wrong')),
      await entrance.send({ method: 'GET', path: '/admin/me' }),
      await entrance.send({ method: 'GET', path: '/admin/csv', query: 'token=x' }),
      await entrance.send({ method: 'GET', path: '/admin/env', headers: { origin: 'https://evil.example' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 401, 403]);
    for (const answer of answers) expectGuarded(answer);
  });
});
