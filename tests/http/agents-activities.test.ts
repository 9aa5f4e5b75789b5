import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entrance, eventEntrance } from '../support/entrance.ts';
import { type ClientAnswer, gatewayEvents } from '../support/gateway-events.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';

let entrance: Entrance;
let client: LrsClient;

beforeAll(async () => {
  const eventOf = gatewayEvents['HTTP API event (v2)'];
  if (eventOf === undefined) throw new Error('there is no such event');
  entrance = await eventEntrance(eventOf, '');
  client = await connect(entrance);
});
afterAll(() => entrance?.close());

const verb = { id: 'http://example.org/verb' };
const newActivity = () => `http://example.org/activities/${randomUUID()}`;
const newMailbox = () => `mailto:${randomUUID()}@example.org`;

interface Call {
  readonly method?: string;
  readonly query: Record<string, string> | string;
  readonly headers?: Record<string, string>;
  readonly as?: LrsClient;
}

function call(
  path: string,
  { method = 'GET', query, headers = {}, as = client }: Call,
): Promise<ClientAnswer> {
  return as.xapi(method, { path, headers, query: new URLSearchParams(query).toString() });
}

async function post(body: object | string): Promise<void> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const version = text.includes('contextAgents') ? '2.0.0' : '1.0.3';
  const headers = { 'x-experience-api-version': version };
  const answer = await client.xapi('POST', { body: text, headers });
  expect([answer.status, answer.body.toString()]).toEqual([200, expect.any(String)]);
}

const person = async (agent: object) => {
  const answer = await call('/xapi/agents', { query: { agent: JSON.stringify(agent) } });
  expect(answer.status).toBe(200);
  return parsed(answer);
};

const activity = async (activityId: string, version = '1.0.3') => {
  const headers = { 'x-experience-api-version': version };
  const answer = await call('/xapi/activities', { query: { activityId }, headers });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
  return answer.body.toString();
};

describe('the Agents resource', () => {
  it('answers with a Person that has every name of the Agent (xAPI 1.0.3 Communication 2.4)', async () => {
    const mbox = newMailbox();
    const object = { id: newActivity() };
    await post({ actor: { mbox, name: 'Ann' }, verb, object });
    await post({ actor: { mbox }, verb, object, context: { instructor: { mbox, name: 'Dr. Ann' } } });
    expect(await person({ mbox })).toEqual({ objectType: 'Person', name: ['Dr. Ann', 'Ann'], mbox: [mbox] });
  });

  it('answers for an unknown Agent with what the request says (xAPI 1.0.3 Communication 2.4)', async () => {
    const account = { homePage: 'http://example.org', name: randomUUID() };
    expect(await person({ account })).toEqual({ objectType: 'Person', account: [account] });
    const mbox = newMailbox();
    expect(await person({ objectType: 'Agent', mbox, name: 'Ann' })).toEqual({
      objectType: 'Person',
      name: ['Ann'],
      mbox: [mbox],
    });
  });

  it('learns names from every role, SubStatements and members included', async () => {
    const named = (name: string) => ({ mbox: newMailbox(), name });
    const roles = ['actor', 'member', 'instructor', 'team', 'context', 'sub', 'object'].map(named);
    const [actor, member, instructor, team, inContext, sub, object] = roles;
    await post({
      actor: { objectType: 'Group', name: 'Group', member: [actor, member] },
      verb,
      context: {
        instructor,
        team: { objectType: 'Group', member: [team] },
        contextAgents: [{ objectType: 'contextAgent', agent: inContext }],
      },
      object: { objectType: 'SubStatement', actor: sub, verb, object: { objectType: 'Agent', ...object } },
    });
    for (const { mbox, name } of roles) {
      expect(await person({ mbox })).toEqual({ objectType: 'Person', name: [name], mbox: [mbox] });
    }
  });

  it.each<[string, Record<string, string> | string, RegExp]>([
    ['no Agent', '', /agent is required/],
    ['an empty Agent', 'agent=', /agent must not be empty/],
    ['no JSON', 'agent=ann', /JSON of an Agent/],
    ['an Agent without an identifier', { agent: '{"name":"Ann"}' }, /identif|mbox/],
    [
      'an Agent with two identifiers',
      { agent: '{"mbox":"mailto:a@example.org","openid":"http://a.example"}' },
      /./,
    ],
    ['a Group', { agent: '{"objectType":"Group","mbox":"mailto:a@example.org"}' }, /Agent/],
    ['two Agents', 'agent=%7B%7D&agent=%7B%7D', /twice/],
    ['an unknown parameter', { agnet: '{}' }, /nearest known one is agent/],
  ])('refuses %s (xAPI 1.0.3 Communication 2.4)', async (_, query, text) => {
    const answer = await call('/xapi/agents', { query });
    expect([answer.status, parsed(answer)]).toMatchObject([400, { error: expect.stringMatching(text) }]);
  });
});

describe('the Activities resource', () => {
  it('answers with all that statements say about the Activity (xAPI 1.0.3 Communication 2.5)', async () => {
    const id = newActivity();
    const of = (definition: object) => ({ objectType: 'Activity', id, definition });
    const actor = { mbox: newMailbox() };
    const elsewhere = { id: newActivity() };
    await post({ actor, verb, object: of({ name: { en: 'One' }, type: 'http://example.org/type' }) });
    await post({
      actor,
      verb,
      object: elsewhere,
      context: { contextActivities: { parent: of({ name: { fr: 'Une' } }) } },
    });
    const sub = {
      objectType: 'SubStatement',
      actor,
      verb,
      object: of({ name: { de: 'Eins', en: 'First' } }),
    };
    await post([{ actor, verb, object: sub }]);
    for (const version of ['1.0.3', '2.0.0']) {
      expect(JSON.parse(await activity(id, version))).toEqual(
        of({ name: { en: 'First', fr: 'Une', de: 'Eins' }, type: 'http://example.org/type' }),
      );
    }
  });

  it.each(['1.0.3', '2.0.0'])(
    'answers for an unknown one with its id (%s Activities resource)',
    async (version) => {
      const id = newActivity();
      expect(await activity(id, version)).toBe(`{"objectType":"Activity","id":"${id}"}`);
    },
  );

  it('compares IRIs as simple strings (RFC 3987 5.3.1)', async () => {
    const id = `${newActivity()}/é`;
    await post({
      actor: { mbox: newMailbox() },
      verb,
      object: { id, definition: { type: 'http://example.org/t' } },
    });
    expect(await activity(id)).toBe(
      `{"objectType":"Activity","id":"${id}","definition":{"type":"http://example.org/t"}}`,
    );
    for (const other of [
      id.replace('http:', 'HTTP:'),
      encodeURI(id),
      id.replace('/activities', '/x/../activities'),
    ]) {
      expect(JSON.parse(await activity(other))).toEqual({ objectType: 'Activity', id: other });
    }
  });

  it('keeps the text of numbers through every merge', async () => {
    const id = newActivity();
    const define = (member: string) =>
      post(
        `{"actor":{"mbox":"mailto:a@example.org"},"verb":{"id":"${verb.id}"},"object":{"id":"${id}","definition":${member}}}`,
      );
    await define(
      '{"extensions":{"http://example.org/a":[1.0,1e2],"http://example.org/b":12345678901234567890}}',
    );
    await define('{"extensions":{"http://example.org/b":-0.50}}');
    expect(await activity(id)).toBe(
      `{"objectType":"Activity","id":"${id}","definition":{"extensions":{"http://example.org/a":[1.0,1e2],"http://example.org/b":-0.50}}}`,
    );
  });

  it.each<[string, string, RegExp]>([
    ['no id', '', /activityId is required/],
    ['an empty id', 'activityId=', /activityId must not be empty/],
    ['an id that is no IRI', 'activityId=true', /activityId must be an IRI/],
    ['two ids', 'activityId=http://a.example&activityId=http://a.example', /twice/],
    ['an unknown parameter', 'activityID=http://a.example', /nearest known one is activityId/],
  ])('refuses %s (xAPI 1.0.3 Communication 2.5)', async (_, query, text) => {
    const answer = await call('/xapi/activities', { query });
    expect([answer.status, parsed(answer)]).toMatchObject([400, { error: expect.stringMatching(text) }]);
  });
});

describe.each([
  ['/xapi/agents', { agent: '{"mbox":"mailto:a@example.org"}' }],
  ['/xapi/activities', { activityId: 'http://example.org/activity' }],
])('%s', (path, query) => {
  it('answers HEAD like GET, without the body (xAPI 1.0.3 Communication 1.1)', async () => {
    const get = await call(path, { query });
    const head = await call(path, { query, method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    const ownId = { 'x-request-id': head.headers['x-request-id'] };
    expect(head.headers).toEqual({ ...get.headers, ...ownId, 'content-length': String(get.body.length) });
  });

  it('has an ETag, and is not sent again to a client that has it (xAPI 1.0.3 Communication 3.1)', async () => {
    const { headers, body } = await call(path, { query });
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    expect(headers.etag).toBe(etag);
    const again = await call(path, { query, headers: { 'if-none-match': etag } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await call(path, { query, headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it.each([
    ['PUT', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', 'GET, HEAD, POST, OPTIONS'],
    ['POST', 'GET, HEAD, POST, OPTIONS'],
  ])('does not answer %s', async (method, allow) => {
    const answer = await call(path, { query, method });
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
  });

  it('is read through the alternate request syntax (xAPI 1.0.3 Communication 1.3)', async () => {
    const answer = await client.xapi('POST', {
      path,
      query: 'method=GET',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(query).toString(),
    });
    expect([answer.status, answer.body]).toEqual([200, (await call(path, { query })).body]);
  });

  it.each([
    ['all', 200],
    ['all/read', 200],
    ['statements/read', 200],
    ['statements/read/mine', 200],
    ['statements/write', 403],
    ['state', 403],
    ['profile', 403],
  ])('answers the scope %s with %i', async (scope, status) => {
    const as = await connect(entrance, [scope]);
    expect((await call(path, { query, as })).status).toBe(status);
  });
});
