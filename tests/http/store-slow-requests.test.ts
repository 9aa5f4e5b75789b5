import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entrance, type ServerEntrance, serverEntrance } from '../support/entrance.ts';
import { connect, type LrsClient, parsed, stringMember } from '../support/lrs-client.ts';
import { type RawClient, rawClient } from '../support/raw-client.ts';
import { statement } from '../support/statements.ts';

const run = randomUUID().slice(0, 4);
const names = ['acme', 'globex', 'umbra'].map((name) => `${name}-${run}`);
const account = { username: 'operator of a store', password: 'Tr1cky_pass!' };

let entrance: ServerEntrance;
let operator: LrsClient;
const clients: RawClient[] = [];

beforeAll(async () => {
  entrance = await serverEntrance('http', {
    LRS_ENABLE_STORES: 'true',
    LRS_STORES_MAX_OPEN: '2',
    // However long the other requests take meanwhile.
    LRS_MIN_BODY_BYTES_PER_SECOND: '0',
  });
  operator = await connect(entrance);
  for (const name of names) {
    expect((await operator.admin('POST', '/admin/stores', { name, account })).status).toBe(200);
  }
});
afterAll(async () => {
  for (const { socket } of clients) socket.destroy();
  for (const name of names) {
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'closed' });
    await operator.admin('DELETE', `/admin/stores/${name}`, { name });
  }
  await entrance.close();
});

const readiness = async (name: string): Promise<number> =>
  (await entrance.send({ method: 'GET', path: `/stores/${name}/health/ready` })).status;

/** A request without credentials to the store, whose body the server waits for. */
async function withoutBody(path: string, type: string, length: number): Promise<RawClient> {
  const client = await rawClient(Number(new URL(entrance.url).port));
  clients.push(client);
  await client.send(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  expect(await client.statuses(1)).toEqual(['100']);
  return client;
}

/** A change of the store that a client with credentials has begun to send: a statement, or a key pair. */
async function begunIn(name: string, what: 'statement' | 'key pair') {
  const entranceOf = (): Entrance => ({
    ...entrance,
    send: (request) => entrance.send({ ...request, path: `/stores/${name}${request.path}` }),
  });
  const client = await connect(entranceOf(), ['all'], account);
  const isStatement = what === 'statement';
  const body = JSON.stringify(isStatement ? statement() : { scopes: ['all'] });
  const authorization = isStatement ? await basicOf(client) : await bearerOf(entranceOf());
  const raw = await rawClient(Number(new URL(entrance.url).port));
  clients.push(raw);
  await raw.send(
    `POST /stores/${name}${isStatement ? '/xapi/statements' : '/admin/creds'} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nX-Experience-API-Version: 2.0.0\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  expect(await raw.statuses(1)).toEqual(['100']);
  return { raw, body, client, connectAgain: () => connect(entranceOf(), ['all'], account) };
}

async function bearerOf({ send }: Entrance): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const login = { method: 'POST', path: '/admin/account/login', headers, body: JSON.stringify(account) };
  return `Bearer ${stringMember(await send(login), 'json-web-token')}`;
}

async function basicOf(client: LrsClient): Promise<string> {
  const pair = parsed(await client.admin('POST', '/admin/creds', { scopes: ['all'] })) as Record<
    string,
    string
  >;
  return `Basic ${btoa(`${pair['api-key']}:${pair['secret-key']}`)}`;
}

/** What is stored then would be missing in a copy of the store, and lost with the store. */
describe('a request with credentials whose body comes when its store has become read-only', () => {
  it.each(['statement', 'key pair'] as const)('is refused, and changes nothing: %s', async (what) => {
    const [name = ''] = names;
    const { raw, body, client } = await begunIn(name, what);
    const read = async () => [
      parsed(await client.xapi('GET')),
      parsed(await client.admin('GET', '/admin/creds')),
    ];
    const before = await read();
    const change = await operator.admin('PUT', `/admin/stores/${name}`, { state: 'read-only' });
    expect(change.status).toBe(200);
    await raw.send(body);
    expect(await raw.statuses(2)).toEqual(['100', '503']);
    expect(raw.received).toMatch(/retry-after: /i);
    expect(await read()).toEqual(before);
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'open' });
  });
});

/** A store of a later date has the name of one that is deleted, and is another customer's. */
describe('a request with credentials whose body comes when its store is deleted', () => {
  it('is refused, and the store that has the name by then has nothing of it', async () => {
    const [name = ''] = names;
    const { raw: client, body, connectAgain } = await begunIn(name, 'statement');
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'closed' });
    expect((await operator.admin('DELETE', `/admin/stores/${name}`, { name })).status).toBe(204);
    expect((await operator.admin('POST', '/admin/stores', { name, account })).status).toBe(200);
    await client.send(body);
    expect(await client.statuses(2)).toEqual(['100', '503']);
    const later = await connectAgain();
    expect(parsed(await later.xapi('GET'))).toMatchObject({ statements: [] });
  });
});

describe('requests without credentials whose bodies do not come', () => {
  const login = JSON.stringify(account);

  it.each([
    ['logins', '/admin/account/login', 'application/json'],
    [
      'forms of the alternate request syntax',
      '/xapi/statements?method=GET',
      'application/x-www-form-urlencoded',
    ],
  ])('leave other stores room to be opened: %s', async (_, path, type) => {
    const [first = '', second = '', third = ''] = names;
    for (const name of [first, second]) await withoutBody(`/stores/${name}${path}`, type, 100);
    expect(await readiness(third)).toBe(200);
  });

  it('are answered when the body comes, although their store was closed meanwhile', async () => {
    const [first = '', second = '', third = ''] = names;
    const client = await withoutBody(
      `/stores/${first}/admin/account/login`,
      'application/json',
      login.length,
    );
    expect([await readiness(second), await readiness(third)]).toEqual([200, 200]);
    const { stores } = parsed(await operator.admin('GET', '/admin/stores')) as { stores: object[] };
    expect(stores).toContainEqual(expect.objectContaining({ name: first, 'in-use': false }));
    await client.send(login);
    expect(await client.statuses(2)).toEqual(['100', '200']);
  });
});
