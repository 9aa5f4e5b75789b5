import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entrance, type ServerEntrance, serverEntrance } from '../support/entrance.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';
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

/** A store of a later date has the name of one that is deleted, and is another customer's. */
describe('a request with credentials whose body comes when its store is deleted', () => {
  it('is refused, and the store that has the name by then has nothing of it', async () => {
    const [name = ''] = names;
    const entranceOf = (): Entrance => ({
      ...entrance,
      send: (request) => entrance.send({ ...request, path: `/stores/${name}${request.path}` }),
    });
    const former = await connect(entranceOf(), ['all'], account);
    const pair = parsed(await former.admin('POST', '/admin/creds', { scopes: ['all'] })) as Record<
      string,
      string
    >;
    const authorization = `Basic ${btoa(`${pair['api-key']}:${pair['secret-key']}`)}`;
    const body = JSON.stringify(statement());
    const client = await rawClient(Number(new URL(entrance.url).port));
    clients.push(client);
    await client.send(
      `POST /stores/${name}/xapi/statements HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nX-Experience-API-Version: 2.0.0\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(await client.statuses(1)).toEqual(['100']);
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'closed' });
    expect((await operator.admin('DELETE', `/admin/stores/${name}`, { name })).status).toBe(204);
    expect((await operator.admin('POST', '/admin/stores', { name, account })).status).toBe(200);
    await client.send(body);
    expect(await client.statuses(2)).toEqual(['100', '503']);
    const later = await connect(entranceOf(), ['all'], account);
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
