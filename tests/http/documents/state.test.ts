import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  agentParameter,
  documentSender,
  etagOf,
  type SendDocument,
  versions,
} from '../../support/document-resources.ts';
import { type Entrance, eventEntrance } from '../../support/entrance.ts';
import { gatewayEvents } from '../../support/gateway-events.ts';
import { connect, type LrsClient, parsed } from '../../support/lrs-client.ts';

let entrance: Entrance;
let client: LrsClient;

beforeAll(async () => {
  const eventOf = gatewayEvents['REST API event (v1)'];
  if (eventOf === undefined) throw new Error('there is no such event');
  entrance = await eventEntrance(eventOf, '/dev', { LRS_DOCUMENT_MAX_BYTES: '100000' });
  client = await connect(entrance);
});
afterAll(() => entrance?.close());

const create = { 'if-none-match': '*', 'content-type': 'text/plain' };

describe.each(versions)('State and registration in %s (xAPI 1.0.3 Communication 2.3)', (version) => {
  let send: SendDocument;
  let owner: Record<string, string>;
  const registrations = ['', randomUUID(), randomUUID()];
  const within = (registration: string, more: Record<string, string> = {}) => ({
    ...owner,
    ...(registration !== '' && { registration }),
    ...more,
  });
  const textOf = async (registration: string, stateId = 's') => {
    const answer = await send('GET', { query: within(registration, { stateId }) });
    return answer.status === 200 ? answer.body.toString() : answer.status;
  };
  const texts = () => Promise.all(registrations.map((registration) => textOf(registration)));
  const idsOf = async (registration: string) => parsed(await send('GET', { query: within(registration) }));

  /** One state `s` without and with each registration, and another one with the last. */
  beforeEach(async () => {
    send = documentSender(client, 'activities/state', version);
    owner = { activityId: 'http://example.org/activity', agent: agentParameter(randomUUID()) };
    for (const registration of registrations) {
      const query = within(registration, { stateId: 's' });
      await send('PUT', { query, headers: create, body: `in ${registration}` });
    }
    await send('PUT', {
      query: within(registrations[2] ?? '', { stateId: 't' }),
      headers: create,
      body: 't',
    });
  });

  it('grows by POST up to the largest document that is permitted, and stays as it is then', async () => {
    const query = within('', { stateId: 'growing' });
    const post = (name: string) => {
      const body = JSON.stringify({ [name]: 'x'.repeat(40_000) });
      return send('POST', { query, headers: { 'content-type': 'application/json' }, body });
    };
    expect((await post('a')).status).toBe(204);
    expect((await post('b')).status).toBe(204);
    const before = await send('GET', { query });
    const answer = await post('c');
    expect([answer.status, parsed(answer)]).toEqual([
      413,
      {
        error: expect.stringContaining('LRS_DOCUMENT_MAX_BYTES'),
        code: 'too-large',
        details: [{ path: 'document', message: 'must not have more than 100000 bytes' }],
      },
    ]);
    const after = await send('GET', { query });
    expect(after.headers.etag).toBe(before.headers.etag);
    expect(Object.keys(parsed(after) as object)).toEqual(['a', 'b']);
  });

  it('one document belongs to one registration, or to none', async () => {
    expect(await texts()).toEqual(registrations.map((registration) => `in ${registration}`));
    expect(await textOf(randomUUID())).toBe(404);
  });

  it('letter case makes no difference to a registration', async () => {
    expect(await textOf(registrations[1]?.toUpperCase() ?? '')).toBe(`in ${registrations[1]}`);
  });

  it.each([0, 1, 2])('PUT and POST write that of registration %i and no other', async (index) => {
    const registration = registrations[index] ?? '';
    const query = within(registration, { stateId: 's' });
    const headers = { 'if-match': etagOf(`in ${registration}`), 'content-type': 'application/json' };
    expect((await send('PUT', { query, headers, body: '{"a":1}' })).status).toBe(204);
    const json = { 'content-type': 'application/json' };
    expect((await send('POST', { query, headers: json, body: '{"b":2}' })).status).toBe(204);
    expect(await texts()).toEqual(
      registrations.map((other) => (other === registration ? '{"a":1,"b":2}' : `in ${other}`)),
    );
  });

  it.each([0, 1, 2])('DELETE of one document removes that of registration %i and no other', async (index) => {
    const registration = registrations[index] ?? '';
    const query = within(registration, { stateId: 's' });
    expect((await send('DELETE', { query })).status).toBe(204);
    expect(await texts()).toEqual(
      registrations.map((other) => (other === registration ? 404 : `in ${other}`)),
    );
  });

  it('ids are those of the registration, or each once of all', async () => {
    expect(await idsOf(registrations[1] ?? '')).toEqual(['s']);
    expect(await idsOf(registrations[2] ?? '')).toEqual(['s', 't']);
    expect(await idsOf('')).toEqual(['s', 't']);
    expect(await idsOf(randomUUID())).toEqual([]);
  });

  it('DELETE of many removes those of the registration and no other', async () => {
    expect((await send('DELETE', { query: within(registrations[2] ?? '') })).status).toBe(204);
    expect(await texts()).toEqual([`in ${registrations[0]}`, `in ${registrations[1]}`, 404]);
    expect(await idsOf('')).toEqual(['s']);
  });

  it('DELETE of many without registration removes all, and nothing of others', async () => {
    const query = { ...owner, agent: agentParameter(randomUUID()), stateId: 's' };
    await send('PUT', { query, headers: create, body: 'other' });
    expect((await send('DELETE', { query: owner })).status).toBe(204);
    expect(await texts()).toEqual([404, 404, 404]);
    expect(await idsOf('')).toEqual([]);
    expect((await send('GET', { query })).body.toString()).toBe('other');
    expect((await send('DELETE', { query: owner })).status).toBe(204);
  });

  it('DELETE of many with If-Match needs the ETag of the list', async () => {
    const { etag = '' } = (await send('GET', { query: owner })).headers;
    const stale = { 'if-match': etagOf('[]') };
    expect((await send('DELETE', { query: owner, headers: stale })).status).toBe(412);
    expect(await idsOf('')).toEqual(['s', 't']);
    expect((await send('DELETE', { query: owner, headers: { 'if-match': etag } })).status).toBe(204);
    expect(await idsOf('')).toEqual([]);
  });
});

describe('whose documents they are', () => {
  const agent = (value: object) => JSON.stringify(value);
  const query = (who: string) => ({ agent: who, profileId: 'p' });

  it.each([
    ['a name', { mbox: 'mailto:a@example.org' }, { mbox: 'mailto:a@example.org', name: 'A' }],
    ['an objectType', { openid: 'http://a.example/' }, { objectType: 'Agent', openid: 'http://a.example/' }],
    ['the case of a mail domain', { mbox: 'mailto:b@example.org' }, { mbox: 'mailto:b@EXAMPLE.org' }],
  ])('%s makes no difference', async (_, one, same) => {
    const send = documentSender(client, 'agents/profile', '2.0.0');
    await send('PUT', { query: query(agent(one)), headers: create, body: 'mine' });
    expect((await send('GET', { query: query(agent(same)) })).body.toString()).toBe('mine');
  });

  const group = { objectType: 'Group', mbox: 'mailto:group@example.org' };

  it('a Group shares the documents of the Agent with its identifier in 2.0.0; 1.0.3 knows only Agents (xAPI 1.0.3 Communication 2.6)', async () => {
    const send = documentSender(client, 'agents/profile', '2.0.0');
    await send('PUT', { query: query(agent(group)), headers: create, body: 'ours' });
    const member = { ...group, member: [{ mbox: 'mailto:m@example.org' }] };
    expect((await send('GET', { query: query(agent(member)) })).body.toString()).toBe('ours');
    const old = documentSender(client, 'agents/profile', '1.0.3');
    expect((await old('GET', { query: query(agent(group)) })).status).toBe(400);
    const same = await old('GET', { query: query(agent({ mbox: group.mbox })) });
    expect(same.body.toString()).toBe('ours');
  });

  it.each(versions)('%s refuses who can’t be identified', async (version) => {
    const send = documentSender(client, 'agents/profile', version);
    for (const who of [
      { name: 'A' },
      { objectType: 'Group', member: [{ mbox: 'mailto:m@example.org' }] },
      [],
    ]) {
      expect((await send('GET', { query: query(agent(who)) })).status).toBe(400);
    }
  });
});

describe('who may', () => {
  const kinds = ['activities/state', 'agents/profile', 'activities/profile'] as const;

  it.each<[string, readonly number[]]>([
    ['all', [404, 204, 404, 204, 404, 204]],
    ['all/read', [404, 403, 404, 403, 404, 403]],
    ['state', [404, 204, 403, 403, 403, 403]],
    ['state/read', [404, 403, 403, 403, 403, 403]],
    ['agents_profile', [403, 403, 404, 204, 403, 403]],
    ['activities_profile/read', [403, 403, 403, 403, 404, 403]],
    ['profile', [403, 403, 404, 204, 404, 204]],
    ['statements/read', [403, 403, 403, 403, 403, 403]],
  ])('with the scope %s', async (scope, statuses) => {
    const holder = await connect(entrance, [scope]);
    const answers: number[] = [];
    for (const kind of kinds) {
      const send = documentSender(holder, kind, '1.0.3');
      const query = {
        ...(kind !== 'agents/profile' && { activityId: 'http://example.org/scopes' }),
        ...(kind !== 'activities/profile' && { agent: agentParameter(randomUUID()) }),
        [kind === 'activities/state' ? 'stateId' : 'profileId']: randomUUID(),
      };
      answers.push((await send('GET', { query })).status);
      answers.push((await send('DELETE', { query })).status);
    }
    expect(answers).toEqual(statuses);
  });

  it('nobody without a key pair', async () => {
    const headers = { authorization: '' };
    expect((await client.xapi('GET', { path: '/xapi/activities/state', headers })).status).toBe(401);
  });
});

describe('the ways to ask', () => {
  const owner = { activityId: 'http://example.org/ways', agent: agentParameter('ways') };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (method: string, fields: Record<string, string>) =>
    client.xapi('POST', {
      path: '/xapi/activities/state',
      query: `method=${method}`,
      headers: form,
      body: new URLSearchParams({ ...owner, ...fields }).toString(),
    });

  it('the alternate request syntax reaches every method, conditions and type included (xAPI 1.0.3 Communication 1.3)', async () => {
    const text = { 'Content-Type': 'text/plain', content: 'grüße & more' };
    expect((await post('PUT', { stateId: 'a', 'If-None-Match': '*', ...text })).status).toBe(204);
    expect((await post('PUT', { stateId: 'a', 'If-None-Match': '*', ...text })).status).toBe(412);
    const answer = await post('GET', { stateId: 'a' });
    expect([answer.status, answer.body.toString(), answer.headers['content-type']]).toEqual([
      200,
      'grüße & more',
      'text/plain',
    ]);
    expect(parsed(await post('GET', {}))).toEqual(['a']);
    const json = { 'Content-Type': 'application/json', content: '{"a":1}' };
    expect((await post('POST', { stateId: 'b', ...json })).status).toBe(204);
    expect((await post('DELETE', { stateId: 'a', 'If-Match': '"x"' })).status).toBe(412);
    expect((await post('DELETE', {})).status).toBe(204);
    expect(parsed(await post('GET', {}))).toEqual([]);
  });

  it('another method is refused with those that there are', async () => {
    const answer = await client.xapi('PATCH', { path: '/xapi/agents/profile', body: '{}' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, PUT, POST, DELETE, OPTIONS']);
  });

  it('a page of another origin may read ETag and Last-Modified', async () => {
    const headers = { origin: 'http://lrs.example.org' };
    const query = new URLSearchParams(owner).toString();
    const answer = await client.xapi('GET', { path: '/xapi/activities/state', query, headers });
    expect(answer.headers['access-control-expose-headers']).toMatch(/ETag, Last-Modified/);
  });
});
