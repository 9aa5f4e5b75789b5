import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Entrance, eventEntrance } from '../support/entrance.ts';
import { type ClientAnswer, gatewayEvents } from '../support/gateway-events.ts';
import { connect, type LrsClient, parsed, stringMember } from '../support/lrs-client.ts';

let entrance: Entrance;
let client: LrsClient;

beforeAll(async () => {
  const eventOf = gatewayEvents['HTTP API event (v2)'];
  if (eventOf === undefined) throw new Error('there is no such event');
  entrance = await eventEntrance(eventOf, '');
  client = await connect(entrance);
});
afterAll(() => entrance?.close());

const iri = (kind: string): string => `http://example.org/${kind}/${randomUUID()}`;

/** A statement whose verb and Activity no other has. */
const statement = (more: object = {}) => ({
  id: randomUUID(),
  actor: { objectType: 'Agent', mbox: 'mailto:ann@example.org' },
  verb: { id: iri('verbs') },
  object: { objectType: 'Activity', id: iri('activities') },
  ...more,
});

async function post(...statements: object[]): Promise<void> {
  expect((await client.xapi('POST', { body: JSON.stringify(statements) })).status).toBe(200);
}

const get = (query: Record<string, string>, headers: Record<string, string> = {}): Promise<ClientAnswer> =>
  client.xapi('GET', { query: new URLSearchParams(query).toString(), headers });

const one = async (id: string): Promise<unknown> => parsed(await get({ statementId: id }));

async function found(query: Record<string, string>): Promise<unknown> {
  return parsed(await get(query));
}

const withIds = (...sent: { id: string }[]) => ({ statements: sent.map(({ id }) => ({ id })) });

describe('what comes back', () => {
  it('a statement comes back as it was sent, timestamps to the millisecond (xAPI 1.0.3 Data 2.2, 4.5)', async () => {
    const sent = statement({
      timestamp: '2015-11-18T12:17:00.123Z',
      version: '1.0.1',
      result: { score: { scaled: 0.123456789012345 }, duration: 'PT0.120S', response: ' ünï\n ' },
      context: { platform: '', language: 'en-us', extensions: { 'http://example.org/e': [1.5, null] } },
    });
    await post(sent);
    const { stored: _, authority: __, ...rest } = (await one(sent.id)) as Record<string, unknown>;
    expect(rest).toEqual(sent);
  });

  it('display comes back as it was sent, or left out, with the format exact (xAPI 1.0.3 Data 2.4.3)', async () => {
    const verb = { id: iri('verbs'), display: { 'en-GB': 'read', de: 'las' } };
    const [sent, without] = [statement({ verb }), statement({ verb: { id: verb.id } })];
    await post(sent, without);
    expect(await found({ verb: verb.id, format: 'exact', ascending: 'true' })).toMatchObject({
      statements: [{ verb }, { verb: { id: verb.id } }],
    });
    expect(await one(without.id)).not.toHaveProperty('verb.display');
  });

  it('a single context activity comes back as a list of one (xAPI 1.0.3 Data 2.4.6.2)', async () => {
    const activity = { objectType: 'Activity', id: iri('activities') };
    const sent = statement({ context: { contextActivities: { parent: activity, other: [activity] } } });
    await post(sent);
    expect(await one(sent.id)).toHaveProperty('context.contextActivities', {
      parent: [activity],
      other: [activity],
    });
  });

  it('a statement of 2.0.0 is not converted for a reader of 1.0.3 (xAPI 1.0.3 Communication 3.3)', async () => {
    const contextAgents = [{ objectType: 'contextAgent', agent: { mbox: 'mailto:bob@example.org' } }];
    const sent = statement({ context: { contextAgents } });
    const headers = { 'x-experience-api-version': '2.0.0' };
    expect((await client.xapi('POST', { headers, body: JSON.stringify(sent) })).status).toBe(200);
    expect(await one(sent.id)).toMatchObject({ version: '2.0.0', context: { contextAgents } });
  });

  it('extensions may have any values (xAPI 1.0.3 Data 4.1)', async () => {
    const values = [
      null,
      '',
      0,
      -1.5e300,
      true,
      [],
      {},
      [[{ a: null }]],
      { '': { 'not an IRI': [] } },
      'x\ny',
    ];
    const extensions = Object.fromEntries(
      values.map((value, index) => [`http://example.org/${index}`, value]),
    );
    const object = { id: iri('activities'), definition: { extensions } };
    const sent = statement({ object, result: { extensions }, context: { extensions } });
    await post(sent);
    expect(await one(sent.id)).toMatchObject({ object, result: { extensions }, context: { extensions } });
  });
});

describe('a statement that is stored', () => {
  it('neither an equal nor another statement with its id changes it or its Activity (xAPI 1.0.3 Communication 2.1.1, 2.1.2)', async () => {
    const named = (en: string) => ({ id: iri('activities'), definition: { name: { en } } });
    const first = statement({ object: named('first') });
    const { id: activityId } = first.object;
    const equal = { ...first, object: { ...named('second'), id: activityId } };
    const other = { ...equal, verb: { id: iri('verbs') } };
    await post(first);
    const before = await one(first.id);
    const query = `statementId=${first.id}`;
    for (const [sent, posted, put] of [
      [equal, 200, 204],
      [other, 409, 409],
    ] as const) {
      const body = JSON.stringify(sent);
      expect((await client.xapi('POST', { body })).status).toBe(posted);
      expect((await client.xapi('PUT', { query, body })).status).toBe(put);
    }
    expect(await one(first.id)).toEqual(before);
    const path = '/xapi/activities';
    const activity = await client.xapi('GET', {
      path,
      query: new URLSearchParams({ activityId }).toString(),
    });
    expect(parsed(activity)).toHaveProperty('definition.name', { en: 'first' });
  });

  it('one Activity may be described by several authorities, and stays one (xAPI 1.0.3 Data 2.4.4.1)', async () => {
    const id = iri('activities');
    const sent = ['en', 'de'].map((language) =>
      statement({ object: { id, definition: { name: { [language]: language } } } }),
    );
    const clients = [client, await connect(entrance)];
    for (const [index, each] of sent.entries()) {
      expect((await clients[index]?.xapi('POST', { body: JSON.stringify(each) }))?.status).toBe(200);
    }
    const { statements } = (await found({ activity: id })) as { statements: { authority: object }[] };
    expect(new Set(statements.map(({ authority }) => JSON.stringify(authority))).size).toBe(2);
    const query = new URLSearchParams({ activityId: id }).toString();
    const activity = await client.xapi('GET', { path: '/xapi/activities', query });
    expect(parsed(activity)).toHaveProperty('definition.name', { en: 'en', de: 'de' });
  });

  it('the authority is the Agent of the key pair, whatever was claimed (xAPI 1.0.3 Data 2.4.9)', async () => {
    const verb = { id: iri('verbs') };
    await post(statement({ verb }), statement({ verb, authority: { mbox: 'mailto:liar@example.org' } }));
    const authority = { objectType: 'Agent', account: expect.any(Object) };
    expect(await found({ verb: verb.id })).toMatchObject({ statements: [{ authority }, { authority }] });
  });

  it('a batch with a broken statement or a conflict leaves nothing behind (xAPI 1.0.3 Communication 3.2)', async () => {
    const known = statement();
    await post(known);
    for (const [bad, status] of [
      [{ ...statement(), verb: {} }, 400],
      [{ ...known, verb: { id: iri('verbs') } }, 409],
    ] as const) {
      const good = [statement(), statement()];
      const body = JSON.stringify([good[0], bad, good[1]]);
      expect((await client.xapi('POST', { body })).status).toBe(status);
      for (const { id } of good) expect((await get({ statementId: id })).status).toBe(404);
    }
  });

  it('a malformed signature is refused with 400 (xAPI 1.0.3 Data 2.6)', async () => {
    const sha2 = createHash('sha256').update('def').digest('hex');
    const usageType = 'http://adlnet.gov/expapi/attachments/signature';
    const contentType = 'application/octet-stream';
    const signed = statement({
      attachments: [{ usageType, display: { en: 'Signature' }, contentType, length: 3, sha2 }],
    });
    const answer = await client.xapi('POST', {
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: [
        `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(signed)}\r\n`,
        `--b\r\nContent-Type: ${contentType}\r\nX-Experience-API-Hash: ${sha2}\r\n`,
        'Content-Transfer-Encoding: binary\r\n\r\ndef\r\n--b--\r\n',
      ].join(''),
    });
    expect([answer.status, stringMember(answer, 'error')]).toEqual([400, expect.stringMatching(/sign/i)]);
    expect((await get({ statementId: signed.id })).status).toBe(404);
  });
});

describe('a search', () => {
  it('no match is answered with 200 and an empty list (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const answer = await get({ verb: iri('verbs') });
    expect([answer.status, parsed(answer)]).toEqual([200, { statements: [], more: '' }]);
  });

  it('the link to more is good after a day (xAPI 1.0.3 Data 2.5)', async () => {
    const verb = { id: iri('verbs') };
    const sent = [statement({ verb }), statement({ verb }), statement({ verb })];
    await post(...sent);
    const more = stringMember(await get({ verb: verb.id, limit: '2', ascending: 'true' }), 'more');
    const dayLater = Date.now() + 25 * 3_600_000;
    vi.useFakeTimers({ toFake: ['Date'], now: dayLater });
    try {
      const [path = '', query = ''] = more.split('?');
      const answer = await client.xapi('GET', { path, query });
      expect(answer.status).toBe(200);
      expect(parsed(answer)).toMatchObject(withIds(...sent.slice(2)));
    } finally {
      vi.useRealTimers();
    }
  });

  it('a statement that refers to a match is one too, through any number of steps (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const target = statement();
    const middle = statement({ object: { objectType: 'StatementRef', id: target.id } });
    const far = statement({ object: { objectType: 'StatementRef', id: middle.id } });
    await post(target, middle, far);
    expect(await found({ activity: target.object.id })).toMatchObject(withIds(far, middle, target));
  });

  it('since and until look at the statement that refers, not at its target (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const target = statement();
    const referring = statement({ object: { objectType: 'StatementRef', id: target.id } });
    await post(target);
    const { stored } = (await one(target.id)) as { stored: string };
    await post(referring);
    const activity = target.object.id;
    expect(await found({ activity, since: stored })).toMatchObject(withIds(referring));
    expect(await found({ activity, until: stored })).toMatchObject(withIds(target));
  });

  it('canonical has one language in each map, chosen for each by Accept-Language (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const choices = [{ id: 'a', description: { 'de-DE': 'Eins', en: 'One' } }];
    const names = { name: { fr: 'Un', 'en-US': 'First' }, description: { it: 'Uno', fr: 'Un' } };
    const definition = { ...names, interactionType: 'choice', choices };
    const sent = statement({ object: { id: iri('activities'), definition } });
    await post(sent);
    const headers = { 'accept-language': 'de, en;q=0.8, fr;q=0.5' };
    const answer = await get({ statementId: sent.id, format: 'canonical' }, headers);
    expect(parsed(answer)).toHaveProperty('object.definition', {
      name: { 'en-US': 'First' },
      description: { fr: 'Un' },
      interactionType: 'choice',
      choices: [{ id: 'a', description: { 'de-DE': 'Eins' } }],
    });
  });
});

describe('a voided statement', () => {
  const target = statement();
  const voider = statement({
    verb: { id: 'http://adlnet.gov/expapi/verbs/voided' },
    object: { objectType: 'StatementRef', id: target.id },
  });
  const referring = statement({ object: { objectType: 'StatementRef', id: target.id } });

  beforeAll(() => post(target, referring, voider));

  it('comes by voidedStatementId and in no other way (xAPI 1.0.3 Communication 2.1.4)', async () => {
    expect((await get({ statementId: target.id })).status).toBe(404);
    expect(parsed(await get({ voidedStatementId: target.id }))).toMatchObject(target);
    expect((await get({ voidedStatementId: referring.id })).status).toBe(404);
    expect(await found({ verb: target.verb.id })).toMatchObject(withIds(voider, referring));
  });

  it('still makes matches of those that refer to it, the voiding one included (xAPI 1.0.3 Communication 2.1.4)', async () => {
    expect(await found({ activity: target.object.id })).toMatchObject(withIds(voider, referring));
  });
});

describe('X-Experience-API-Consistent-Through', () => {
  const known = statement();
  const body = JSON.stringify(known);

  beforeAll(() => post(known));

  it.each([
    ['GET of one', 'GET', { query: `statementId=${known.id}` }, 200],
    ['GET of many', 'GET', { query: 'limit=1' }, 200],
    ['HEAD', 'HEAD', { query: 'limit=1' }, 200],
    ['POST', 'POST', { body }, 200],
    ['PUT', 'PUT', { query: `statementId=${known.id}`, body }, 204],
    ['GET of an unknown one', 'GET', { query: `statementId=${randomUUID()}` }, 404],
    ['a bad request', 'GET', { query: 'limit=x' }, 400],
    ['a conflict', 'POST', { body: JSON.stringify({ ...known, verb: { id: 'a:b' } }) }, 409],
  ] as const)(
    'is a timestamp in the answer to %s (xAPI 1.0.3 Communication 2.1.3)',
    async (_, method, request, status) => {
      const { stored } = (await one(known.id)) as { stored: string };
      const answer = await client.xapi(method, request);
      const through = answer.headers['x-experience-api-consistent-through'] ?? '';
      expect(answer.status).toBe(status);
      expect(through).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      expect(Date.parse(through)).toBeGreaterThanOrEqual(Date.parse(stored));
    },
  );
});
