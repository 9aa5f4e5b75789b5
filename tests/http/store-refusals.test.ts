import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entrance, type ServerEntrance, serverEntrance } from '../support/entrance.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';

const name = `acme-${randomUUID().slice(0, 4)}`;
const account = { username: 'operator of acme', password: 'Tr1cky_pass!' };

let entrance: ServerEntrance;
let operator: LrsClient;
let client: LrsClient;

beforeAll(async () => {
  entrance = await serverEntrance('http', {
    LRS_ENABLE_STORES: 'true',
    LRS_STORES_HOST: '{name}.lrs.example.org',
  });
  operator = await connect(entrance);
  expect((await operator.admin('POST', '/admin/stores', { name, account })).status).toBe(200);
  const ofStore: Entrance = {
    ...entrance,
    send: (request) => entrance.send({ ...request, path: `/stores/${name}${request.path}` }),
  };
  client = await connect(ofStore, ['all'], account);
});
afterAll(async () => {
  await operator.admin('PUT', `/admin/stores/${name}`, { state: 'closed' });
  await operator.admin('DELETE', `/admin/stores/${name}`, { name });
  await entrance.close();
});

describe('a store beside the default one', () => {
  it('that is read-only says so, and names no setting of the server', async () => {
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'read-only' });
    const body = JSON.stringify({
      actor: { mbox: 'mailto:ann@example.org' },
      verb: { id: 'http://adlnet.gov/expapi/verbs/passed' },
      object: { id: 'https://example.org/course' },
    });
    const refused = await client.xapi('POST', { body });
    await operator.admin('PUT', `/admin/stores/${name}`, { state: 'open' });
    expect(refused.status).toBe(503);
    expect(parsed(refused)).toMatchObject({ error: `The store ${name} is read-only at the moment.` });
  });

  it.each([
    ['GET', '/admin/stores'],
    ['POST', '/admin/stores'],
    ['GET', '/admin/stores/globex'],
    ['PUT', '/admin/stores/globex'],
    ['DELETE', '/admin/stores/globex'],
  ] as const)('has no route %s %s, whatever is switched on', async (method, path) => {
    const answer = await client.admin(method, path, method === 'GET' ? undefined : { name: 'globex' });
    expect(answer.status).toBe(404);
    expect(parsed(answer)).toMatchObject({ error: expect.stringContaining('in the default store') });
  });

  it('does not describe the routes that it does not have', async () => {
    type Document = { paths: Record<string, object>; tags: { name: string }[] };
    const described = async (of: LrsClient): Promise<[boolean, boolean]> => {
      const { paths, tags } = parsed(await of.admin('GET', '/admin/openapi')) as Document;
      return [
        Object.keys(paths).some((path) => path.startsWith('/admin/stores')),
        tags.some((tag) => tag.name === 'Stores'),
      ];
    };
    expect(await described(operator)).toEqual([true, true]);
    expect(await described(client)).toEqual([false, false]);
  });

  it('is exported with everything by an operator of the default store, whose audit trail says so', async () => {
    const lines = async (of: LrsClient, query: string) => {
      const answer = await of.admin('GET', `/admin/export?contents=everything${query}`);
      return { status: answer.status, text: answer.body.toString() };
    };
    const { status, text } = await lines(operator, `&store=${name}`);
    expect(status).toBe(200);
    expect(text).toContain(account.username);
    expect(text).toMatch(/\{"end":\{.*\}\}\n$/);
    expect(text).not.toContain('firstadmin');
    const { events } = parsed(await operator.admin('GET', '/admin/audit')) as { events: object[] };
    expect(events).toContainEqual(
      expect.objectContaining({ action: 'GET /admin/export (store)', subject: name, outcome: 'done' }),
    );
    expect((await lines(operator, '&store=nobody')).status).toBe(404);
    expect((await lines(client, '&store=globex')).status).toBe(404);
    expect((await operator.admin('GET', `/admin/export?store=${name}`)).status).toBe(400);
  });

  it('serves no other store at its host name, whose pages would share an origin with its own', async () => {
    const at = async (host: string, path: string) =>
      (await entrance.send({ method: 'GET', path: `${path}/health/ready`, headers: { host } })).status;
    const own = `/stores/${name}`;
    expect(await at(`${name}.lrs.example.org`, '')).toBe(200);
    expect(await at(`${name}.lrs.example.org`, own)).toBe(200);
    expect(await at('globex.lrs.example.org:8080', own)).toBe(404);
    expect(await at('lrs.example.org', own)).toBe(200);
  });

  it('has no settings that the configuration would refuse', async () => {
    const change = (settings: object) => operator.admin('PUT', `/admin/stores/${name}`, { settings });
    const refused = await change({ stmtGetDefault: 10, stmtGetMax: 5 });
    expect(refused.status).toBe(400);
    expect(parsed(refused)).toMatchObject({ details: [{ path: 'settings.stmtGetDefault' }] });
    // The largest page of the configuration has 50.
    expect((await change({ stmtGetDefault: 51 })).status).toBe(400);
    expect((await change({ stmtGetDefault: 5, stmtGetMax: 5 })).status).toBe(200);
    // The default of the configuration is 50, too.
    expect((await change({ stmtGetMax: 5 })).status).toBe(200);
    expect(parsed(await client.admin('GET', '/admin/env'))).toMatchObject({ 'stmt-get-max': 5 });
    expect((await change({})).status).toBe(200);
  });

  it('says its name, which its screen shows; the default one has none', async () => {
    expect(parsed(await client.admin('GET', '/admin/env'))).toMatchObject({ store: name });
    expect(parsed(await operator.admin('GET', '/admin/env'))).not.toHaveProperty('store');
  });

  it('says in plain words which settings it can have, and what an address is', async () => {
    const settings = { authorityUrl: 'javascript:alert(1)', retries: 3 };
    const refused = await operator.admin('PUT', `/admin/stores/${name}`, { settings });
    expect(refused.status).toBe(400);
    const known = 'authorityUrl, enableReactions, enableStrictVersion, stmtGetDefault, stmtGetMax';
    expect(parsed(refused)).toMatchObject({
      details: [
        { path: 'settings.authorityUrl', message: 'must be an http or https address' },
        { path: 'settings.retries', message: `is not a setting that a store can have: ${known}` },
      ],
    });
  });

  it('keeps its settings when those that it is given have a member __proto__', async () => {
    const path = `/admin/stores/${name}`;
    expect((await operator.admin('PUT', path, { settings: { stmtGetMax: 7 } })).status).toBe(200);
    const refused = await operator.admin('PUT', path, JSON.parse('{"settings":{"__proto__":{"x":1}}}'));
    expect(refused.status).toBe(400);
    expect(parsed(refused)).toMatchObject({ details: [{ path: 'settings.__proto__' }] });
    expect(parsed(await operator.admin('GET', path))).toMatchObject({ settings: { stmtGetMax: 7 } });
    expect((await operator.admin('PUT', path, { settings: {} })).status).toBe(200);
  });

  it('has no metrics of its own', async () => {
    const answer = await entrance.send({ method: 'GET', path: `/stores/${name}/metrics` });
    expect(answer.status).toBe(404);
    expect(parsed(answer)).toMatchObject({ error: expect.stringContaining('of the whole server') });
  });
});
