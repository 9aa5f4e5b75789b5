import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Entrance, type ServerEntrance, serverEntrance } from '../support/entrance.ts';
import type { ClientAnswer } from '../support/gateway-events.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';
import { conditionLimit } from '../support/time-limits.ts';

/** Names of this run: databases of several runs are beside each other. */
const run = randomUUID().slice(0, 4);
const named = (name: string): string => `${name}-${run}`;
const [acme, globex, umbra] = [named('acme'), named('globex'), named('umbra')];

const account = (store: string) => ({ username: `operator of ${store}`, password: 'Tr1cky_pass!' });

const statementOf = (name: string): object => ({
  actor: { mbox: `mailto:${name}@example.org` },
  verb: { id: 'http://adlnet.gov/expapi/verbs/passed' },
  object: { id: 'https://example.org/course' },
});

let entrance: ServerEntrance;
let operator: LrsClient;

beforeAll(async () => {
  entrance = await serverEntrance('http', {
    LRS_ENABLE_STORES: 'true',
    LRS_STORES_HOST: '{name}.lrs.example.org',
    LRS_STORES_MAX_OPEN: '2',
    LRS_ENABLE_REACTIONS: 'true',
  });
  operator = await connect(entrance);
  for (const name of [acme, globex]) {
    const made = await operator.admin('POST', '/admin/stores', { name, account: account(name) });
    expect(parsed(made)).toMatchObject({ name, state: 'open', server: 'main' });
  }
});
afterAll(async () => {
  for (const name of [acme, globex, umbra]) {
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'closed' });
    await operator.admin('DELETE', `/admin/stores/${name}`, { name });
  }
  await entrance.close();
});

/** The entrance of a store, below whose address everything is as it is in the default store. */
const entranceOf = (name: string): Entrance => ({
  ...entrance,
  send: (request) => entrance.send({ ...request, path: `/stores/${name}${request.path}` }),
});

const clientOf = (name: string): Promise<LrsClient> => connect(entranceOf(name), ['all'], account(name));

async function store(client: LrsClient, name: string): Promise<string> {
  const answer = await client.xapi('POST', { body: JSON.stringify(statementOf(name)) });
  expect(answer.status).toBe(200);
  return (parsed(answer) as string[])[0] ?? '';
}

const statusesOf = (answers: readonly ClientAnswer[]): number[] => answers.map(({ status }) => status);

describe('a store', () => {
  it('is an LRS of its own, whose statements no other store has', async () => {
    const [first, second] = [await clientOf(acme), await clientOf(globex)];
    const id = await store(first, 'ann');
    const query = `statementId=${id}`;
    expect((await first.xapi('GET', { query })).status).toBe(200);
    expect(statusesOf([await second.xapi('GET', { query }), await operator.xapi('GET', { query })])).toEqual([
      404, 404,
    ]);
  });

  it('has links that lead to its own next page', async () => {
    const client = await clientOf(acme);
    await store(client, 'ann');
    await store(client, 'bob');
    const page = parsed(await client.xapi('GET', { query: 'limit=1' })) as { more: string };
    expect(page.more).toMatch(new RegExp(`^/stores/${acme}/xapi/statements\\?`));
    const [path = '', query = ''] = page.more.slice(`/stores/${acme}`.length).split('?');
    expect((await client.xapi('GET', { path, query })).status).toBe(200);
  });

  it('has the screen at its address, like the default one', async () => {
    const pages = [
      await entrance.send({ method: 'GET', path: '/' }),
      await entrance.send({ method: 'GET', path: `/stores/${acme}/` }),
    ];
    expect(pages[1]?.status).toBe(pages[0]?.status);
    const address = await entrance.send({ method: 'GET', path: `/stores/${acme}` });
    expect([address.status, address.headers.location]).toEqual([302, `./${acme}/`]);
  });

  it('is found by its host name, too', async () => {
    const about = await entrance.send({
      method: 'GET',
      path: '/health/ready',
      headers: { host: `${acme}.lrs.example.org` },
    });
    expect(about.status).toBe(200);
    const unknown = await entrance.send({
      method: 'GET',
      path: '/health/ready',
      headers: { host: 'nobody.lrs.example.org:8080' },
    });
    expect(unknown.status).toBe(404);
  });

  it('accepts neither tokens nor key pairs nor accounts of another one', async () => {
    const first = await clientOf(acme);
    const pair = parsed(await first.admin('POST', '/admin/creds', { scopes: ['all'] })) as Record<
      string,
      string
    >;
    const authorization = `Basic ${btoa(`${pair['api-key']}:${pair['secret-key']}`)}`;
    const headers = { authorization, 'x-experience-api-version': '2.0.0' };
    const asked = async (prefix: string) =>
      (await entrance.send({ method: 'GET', path: `${prefix}/xapi/statements`, headers })).status;
    expect([await asked(`/stores/${acme}`), await asked(`/stores/${globex}`), await asked('')]).toEqual([
      200, 401, 401,
    ]);
    const login = { method: 'POST', path: '/admin/account/login', body: JSON.stringify(account(acme)) };
    const json = { 'content-type': 'application/json' };
    const tried = [
      await entranceOf(acme).send({ ...login, headers: json }),
      await entranceOf(globex).send({ ...login, headers: json }),
      await entrance.send({ ...login, headers: json }),
    ];
    expect(statusesOf(tried)).toEqual([200, 401, 401]);
    const bearer = {
      authorization: `Bearer ${(parsed(tried[0] as ClientAnswer) as { 'json-web-token': string })['json-web-token']}`,
    };
    const seen = [
      await entranceOf(acme).send({ method: 'GET', path: '/admin/me', headers: bearer }),
      await entranceOf(globex).send({ method: 'GET', path: '/admin/me', headers: bearer }),
      await entrance.send({ method: 'GET', path: '/admin/me', headers: bearer }),
    ];
    expect(statusesOf(seen)).toEqual([200, 401, 401]);
  });

  it('does not administer stores, and shows its own settings only', async () => {
    const client = await clientOf(acme);
    expect((await client.admin('GET', '/admin/stores')).status).toBe(404);
    const { settings } = parsed(await client.admin('GET', '/admin/settings')) as {
      settings: { group: string }[];
    };
    expect([...new Set(settings.map(({ group }) => group))]).toEqual(['lrs']);
    const text = JSON.stringify(settings);
    expect(
      ['adminUserDefault', 'apiKeyDefault', 'attachmentBucket'].filter((key) => text.includes(key)),
    ).toEqual([]);
  });

  it('tells its operators nothing about database servers, as the default store does its own', async () => {
    const asked = async (client: LrsClient, member: string) =>
      (await client.admin('GET', `/admin/status?include=statement-count&include=${member}`)).status;
    const client = await clientOf(acme);
    for (const member of ['database-server', 'replicas']) {
      expect([await asked(client, member), await asked(operator, member)]).toEqual([400, 200]);
    }
    expect(await asked(client, 'consumers')).toBe(200);
  });

  it('can be read, and not changed, while it is read-only', async () => {
    const client = await clientOf(globex);
    const change = await operator.admin('PUT', `/admin/stores/${globex}`, { state: 'read-only' });
    expect(change.status).toBe(200);
    const body = JSON.stringify(statementOf('ann'));
    expect(statusesOf([await client.xapi('POST', { body }), await client.xapi('GET')])).toEqual([503, 200]);
    await operator.admin('PUT', `/admin/stores/${globex}`, { state: 'open' });
    expect((await client.xapi('POST', { body })).status).toBe(200);
  });

  it('refuses every request while it is closed, and has everything when it is opened again', async () => {
    const client = await clientOf(globex);
    const id = await store(client, 'cleo');
    await operator.admin('PUT', `/admin/stores/${globex}`, { state: 'closed' });
    const refused = await client.xapi('GET');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.any(String)]);
    await operator.admin('PUT', `/admin/stores/${globex}`, { state: 'open' });
    expect((await client.xapi('GET', { query: `statementId=${id}` })).status).toBe(200);
  });

  it('has settings of its own, which are checked', async () => {
    const refused = await operator.admin('PUT', `/admin/stores/${acme}`, {
      settings: { authorityUrl: 'javascript:alert(1)', stmtGetMax: 0 },
    });
    expect(refused.status).toBe(400);
    await operator.admin('PUT', `/admin/stores/${acme}`, {
      settings: { stmtGetMax: 1, enableReactions: false },
    });
    const client = await clientOf(acme);
    const env = parsed(await client.admin('GET', '/admin/env'));
    expect(env).toMatchObject({ 'stmt-get-max': 1, 'enable-reactions': false });
    const { settings } = parsed(await client.admin('GET', '/admin/settings')) as { settings: object[] };
    expect(settings).toContainEqual(expect.objectContaining({ key: 'stmtGetMax', default: false, value: 1 }));
    await operator.admin('PUT', `/admin/stores/${acme}`, { settings: {} });
  });
});

describe('the stores of an installation', () => {
  it('take turns where more are used than may be open', async () => {
    const made = await operator.admin('POST', '/admin/stores', { name: umbra, account: account(umbra) });
    expect(made.status).toBe(200);
    for (const name of [acme, globex, umbra, acme, globex, umbra]) {
      const answer = await entranceOf(name).send({ method: 'GET', path: '/health/ready' });
      expect(answer.status).toBe(200);
    }
  });

  it('are listed by name, page by page', async () => {
    const page = parsed(await operator.admin('GET', '/admin/stores?limit=1')) as {
      stores: { name: string }[];
      more: string;
    };
    expect(page.stores.map(({ name }) => name)).toEqual([acme]);
    const rest = parsed(await operator.admin('GET', page.more)) as {
      stores: { name: string }[];
      more: string;
    };
    expect([rest.stores[0]?.name, rest.more]).toEqual([globex, expect.stringContaining('after=')]);
  });

  it.each([
    ['../acme', 'name'],
    ['Acme', 'name'],
    ['-acme', 'name'],
    ['a'.repeat(41), 'name'],
  ])('cannot be named %s', async (name, path) => {
    const answer = await operator.admin('POST', '/admin/stores', { name, account: account('x') });
    expect(answer.status).toBe(400);
    expect(parsed(answer)).toMatchObject({ details: [{ path }] });
  });

  it('need an account by the rules, and a server that is configured', async () => {
    const body = { name: named('weak'), server: 'moon', account: { username: 'x', password: 'y' } };
    const answer = await operator.admin('POST', '/admin/stores', body);
    expect(answer.status).toBe(400);
    const { details } = parsed(answer) as { details: { path: string }[] };
    expect(new Set(details.map(({ path }) => path))).toEqual(
      new Set(['server', 'account.username', 'account.password']),
    );
  });

  it('are not called as the default one is', async () => {
    const made = await operator.admin('POST', '/admin/stores', { name: 'default', account: account(acme) });
    expect(made.status).toBe(400);
    expect(parsed(made)).toMatchObject({ error: expect.stringContaining('name must not be default') });
  });

  it('are not made twice', async () => {
    const answer = await operator.admin('POST', '/admin/stores', { name: acme, account: account(acme) });
    expect(answer.status).toBe(409);
    expect((await entranceOf(acme).send({ method: 'GET', path: '/health/ready' })).status).toBe(200);
  });

  it('are deleted only when they are closed, and the name is free again', async () => {
    const name = named('brief');
    const create = () => operator.admin('POST', '/admin/stores', { name, account: account(name) });
    expect((await create()).status).toBe(200);
    const remove = (body: object) => operator.admin('DELETE', `/admin/stores/${name}`, body);
    expect((await remove({ name })).status).toBe(409);
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'closed' });
    expect(statusesOf([await remove({ name: acme }), await remove({ name })])).toEqual([400, 204]);
    expect((await entranceOf(name).send({ method: 'GET', path: '/health/ready' })).status).toBe(404);
    expect((await create()).status).toBe(200);
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'closed' });
    await remove({ name });
  });

  it('are not deleted while they are made, nor made while they are deleted', async () => {
    const name = named('rushed');
    const create = () => operator.admin('POST', '/admin/stores', { name, account: account(name) });
    const remove = () => operator.admin('DELETE', `/admin/stores/${name}`, { name });
    const isReady = async () =>
      (await entranceOf(name).send({ method: 'GET', path: '/health/ready' })).status === 200;
    const [early, made] = await Promise.all([
      vi.waitUntil(async () => {
        const { status } = await remove();
        return status === 404 ? undefined : status;
      }, conditionLimit),
      create(),
    ]);
    expect([early, made.status]).toEqual([409, 200]);
    expect(await isReady()).toBe(true);
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'closed' });
    const statuses = statusesOf(await Promise.all([remove(), create(), remove(), create()]));
    // Whichever comes first.
    expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(1);
    expect(await isReady()).toBe(statuses.includes(200));
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'closed' });
    await remove();
  });

  it('are unknown by any other name', async () => {
    for (const path of [
      '/stores/nobody/health',
      '/stores/..%2f/health',
      '/stores/%00/health',
      '/stores//health',
    ]) {
      expect((await entrance.send({ method: 'GET', path })).status, path).toBe(404);
    }
  });
});

describe('without enableStores', () => {
  it('there are none', async () => {
    const plain = await serverEntrance('http');
    try {
      const client = await connect(plain);
      expect((await client.admin('GET', '/admin/stores')).status).toBe(404);
      expect((await plain.send({ method: 'GET', path: `/stores/${acme}/health` })).status).toBe(404);
    } finally {
      await plain.close();
    }
  });
});
