import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entrance, type ServerEntrance, serverEntrance } from '../support/entrance.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';

/** Names of this run: databases of several runs are beside each other. */
const run = randomUUID().slice(0, 4);
const [victim, attacker] = [`victim-${run}`, `attacker-${run}`];
const account = (store: string) => ({ username: `operator of ${store}`, password: 'Tr1cky_pass!' });

const secret = 'known to nobody else';
const ann = { name: secret, mbox: 'mailto:ann@example.org' };
const course = 'https://example.org/course';
const statementOf = (id: string, description?: string): object => ({
  id,
  actor: description === undefined ? { mbox: ann.mbox } : ann,
  verb: { id: 'http://adlnet.gov/expapi/verbs/passed' },
  object: { id: course, ...(description !== undefined && { definition: { name: { en: description } } }) },
});
const stateQuery = new URLSearchParams({
  activityId: course,
  agent: JSON.stringify({ mbox: ann.mbox }),
  stateId: 'place',
}).toString();
const state = (method: string, client: LrsClient, headers: Record<string, string> = {}, body?: string) =>
  client.xapi(method, {
    path: '/xapi/activities/state',
    query: stateQuery,
    headers: { 'content-type': 'text/plain', ...headers },
    ...(body !== undefined && { body }),
  });

describe('what an attacker has from another store', () => {
  let entrance: ServerEntrance;
  let operator: LrsClient;
  let theirs: LrsClient;
  let own: LrsClient;
  const id = randomUUID();
  const clientOf = (name: string): Promise<LrsClient> => {
    const ofStore: Entrance = {
      ...entrance,
      send: (request) => entrance.send({ ...request, path: `/stores/${name}${request.path}` }),
    };
    return connect(ofStore, ['all'], account(name));
  };

  beforeAll(async () => {
    entrance = await serverEntrance('http', { LRS_ENABLE_STORES: 'true' });
    operator = await connect(entrance);
    for (const name of [victim, attacker]) {
      const made = await operator.admin('POST', '/admin/stores', { name, account: account(name) });
      expect(made.status).toBe(200);
    }
    [theirs, own] = [await clientOf(victim), await clientOf(attacker)];
    const statements = [statementOf(id, secret), statementOf(randomUUID(), secret)];
    expect((await theirs.xapi('POST', { body: JSON.stringify(statements) })).status).toBe(200);
    expect((await state('PUT', theirs, {}, secret)).status).toBe(204);
  });
  afterAll(async () => {
    for (const name of [victim, attacker]) {
      await operator.admin('PUT', `/admin/stores/${name}`, { state: 'closed' });
      await operator.admin('DELETE', `/admin/stores/${name}`, { name });
    }
    await entrance.close();
  });

  it('finds no statement by its id, voids none and keeps nobody from using the id', async () => {
    const query = `statementId=${id}`;
    expect((await own.xapi('GET', { query })).status).toBe(404);
    const voiding = {
      actor: { mbox: ann.mbox },
      verb: { id: 'http://adlnet.gov/expapi/verbs/voided' },
      object: { objectType: 'StatementRef', id },
    };
    expect((await own.xapi('POST', { body: JSON.stringify(voiding) })).status).toBe(200);
    expect((await theirs.xapi('GET', { query })).status).toBe(200);
    const other = randomUUID();
    expect((await own.xapi('POST', { body: JSON.stringify(statementOf(other)) })).status).toBe(200);
    expect((await theirs.xapi('POST', { body: JSON.stringify(statementOf(other, secret)) })).status).toBe(
      200,
    );
  });

  it('finds nothing with a link to a next page', async () => {
    const { more } = parsed(await theirs.xapi('GET', { query: 'limit=1' })) as { more: string };
    const [path = '', query = ''] = more.slice(`/stores/${victim}`.length).split('?');
    expect((await theirs.xapi('GET', { path, query })).body.toString()).toContain(secret);
    const found = await own.xapi('GET', { path, query });
    expect(found.body.toString()).not.toContain(secret);
  });

  it('finds no document, and has no use for its ETag', async () => {
    const there = await state('GET', theirs);
    const etag = there.headers.etag ?? '';
    expect([there.body.toString(), etag]).toEqual([secret, expect.stringMatching(/^"/)]);
    expect((await state('GET', own)).status).toBe(404);
    expect((await state('GET', own, { 'if-none-match': etag })).status).toBe(404);
    expect((await state('PUT', own, { 'if-match': etag }, 'changed')).status).toBe(412);
    expect((await state('DELETE', own)).status).toBe(204);
    expect((await state('GET', theirs)).body.toString()).toBe(secret);
  });

  it('learns no name of a person and no definition of an activity, which are cached in the process', async () => {
    for (const client of [theirs, own]) {
      const agent = new URLSearchParams({ agent: JSON.stringify({ mbox: ann.mbox }) }).toString();
      const person = await client.xapi('GET', { path: '/xapi/agents', query: agent });
      const activity = await client.xapi('GET', {
        path: '/xapi/activities',
        query: new URLSearchParams({ activityId: course }).toString(),
      });
      const answers = [person.body, activity.body].map((body) => body.includes(secret));
      expect(answers).toEqual(client === theirs ? [true, true] : [false, false]);
    }
  });

  it('changes and deletes nothing by the ids of key pairs and accounts, and sees them in no audit trail and no export', async () => {
    const pair = parsed(await theirs.admin('POST', '/admin/creds', { scopes: ['all'] })) as Record<
      string,
      string
    >;
    const ids = { 'api-key': pair['api-key'], 'secret-key': pair['secret-key'] };
    const accounts = parsed(await theirs.admin('GET', '/admin/account')) as Record<string, string>[];
    const attempts = [
      await own.admin('DELETE', '/admin/creds', ids),
      await own.admin('PUT', '/admin/creds', { ...ids, scopes: [] }),
      await own.admin('DELETE', '/admin/account', { 'account-id': accounts[0]?.['account-id'] }),
      await own.admin('PUT', '/admin/account/reset-password', {
        'account-id': accounts[0]?.['account-id'],
        'new-password': 'An0ther_pass!',
      }),
    ];
    for (const { status, body } of attempts) {
      expect(status).toBe(404);
      expect(body.toString()).not.toContain(victim);
    }
    const pairs = (await theirs.admin('GET', '/admin/creds')).body.toString();
    expect(pairs).toContain(pair['api-key']);
    const trails = [theirs, own].map(async (client) =>
      (await client.admin('GET', '/admin/audit')).body.toString(),
    );
    const [ofVictim = '', ofAttacker = ''] = await Promise.all(trails);
    expect(ofVictim).toContain(accounts[0]?.['account-id']);
    expect(ofAttacker).not.toContain(victim);
    const all = (await own.admin('GET', '/admin/export?contents=everything')).body.toString();
    expect(all).toContain(account(attacker).username);
    expect(all).not.toContain(secret);
    expect(all).not.toContain(victim);
  });
});
