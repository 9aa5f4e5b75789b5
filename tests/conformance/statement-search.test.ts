import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parsed, stringMember } from '../support/lrs-client.ts';
import {
  newIri,
  newStatement,
  openStatementClient,
  type StatementClient,
  withIds,
} from '../support/statement-client.ts';

let client: StatementClient;

beforeAll(async () => {
  client = await openStatementClient();
});
afterAll(() => client?.entrance.close());

describe('a search', () => {
  it('no match is answered with 200 and an empty list (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const answer = await client.get({ verb: newIri('verbs') });
    expect([answer.status, parsed(answer)]).toEqual([200, { statements: [], more: '' }]);
  });

  it('the link to more is good after a day (xAPI 1.0.3 Data 2.5)', async () => {
    const verb = { id: newIri('verbs') };
    const sent = [newStatement({ verb }), newStatement({ verb }), newStatement({ verb })];
    await client.post(...sent);
    const more = stringMember(await client.get({ verb: verb.id, limit: '2', ascending: 'true' }), 'more');
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
    const target = newStatement();
    const middle = newStatement({ object: { objectType: 'StatementRef', id: target.id } });
    const far = newStatement({ object: { objectType: 'StatementRef', id: middle.id } });
    await client.post(target, middle, far);
    expect(await client.found({ activity: target.object.id })).toMatchObject(withIds(far, middle, target));
  });

  it('since and until look at the statement that refers, not at its target (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const target = newStatement();
    const referring = newStatement({ object: { objectType: 'StatementRef', id: target.id } });
    await client.post(target);
    const { stored } = (await client.one(target.id)) as { stored: string };
    await client.post(referring);
    const activity = target.object.id;
    expect(await client.found({ activity, since: stored })).toMatchObject(withIds(referring));
    expect(await client.found({ activity, until: stored })).toMatchObject(withIds(target));
  });

  it('canonical has the definition that the LRS has determined, also in a statement without one (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const id = newIri('activities');
    const sent = newStatement({ object: { objectType: 'Activity', id } });
    const names = [{ en: 'Name', fr: 'Nom' }, { en: 'New name' }];
    await client.post(sent, ...names.map((name) => newStatement({ object: { id, definition: { name } } })));
    const headers = { 'accept-language': 'en' };
    const query = { statementId: sent.id, format: 'canonical' };
    const { definition } = parsed(
      await client.xapi('GET', {
        path: '/xapi/activities',
        query: new URLSearchParams({ activityId: id }).toString(),
      }),
    ) as { definition: object };
    expect(definition).toEqual({ name: { en: 'New name', fr: 'Nom' } });
    expect(parsed(await client.get(query, headers))).toHaveProperty('object', {
      objectType: 'Activity',
      id,
      definition: { name: { en: 'New name' } },
    });
    expect(parsed(await client.get({ ...query, format: 'exact' }))).toHaveProperty('object', sent.object);
  });

  it('canonical has one language in each map, chosen for each by Accept-Language (xAPI 1.0.3 Communication 2.1.3)', async () => {
    const choices = [{ id: 'a', description: { 'de-DE': 'Eins', en: 'One' } }];
    const names = { name: { fr: 'Un', 'en-US': 'First' }, description: { it: 'Uno', fr: 'Un' } };
    const definition = { ...names, interactionType: 'choice', choices };
    const sent = newStatement({ object: { id: newIri('activities'), definition } });
    await client.post(sent);
    const headers = { 'accept-language': 'de, en;q=0.8, fr;q=0.5' };
    const answer = await client.get({ statementId: sent.id, format: 'canonical' }, headers);
    expect(parsed(answer)).toHaveProperty('object.definition', {
      name: { 'en-US': 'First' },
      description: { fr: 'Un' },
      interactionType: 'choice',
      choices: [{ id: 'a', description: { 'de-DE': 'Eins' } }],
    });
  });
});

describe('a voided statement', () => {
  const target = newStatement();
  const voider = newStatement({
    verb: { id: 'http://adlnet.gov/expapi/verbs/voided' },
    object: { objectType: 'StatementRef', id: target.id },
  });
  const referring = newStatement({ object: { objectType: 'StatementRef', id: target.id } });

  beforeAll(() => client.post(target, referring, voider));

  it('comes by voidedStatementId and in no other way (xAPI 1.0.3 Communication 2.1.4)', async () => {
    expect((await client.get({ statementId: target.id })).status).toBe(404);
    expect(parsed(await client.get({ voidedStatementId: target.id }))).toMatchObject(target);
    expect((await client.get({ voidedStatementId: referring.id })).status).toBe(404);
    expect(await client.found({ verb: target.verb.id })).toMatchObject(withIds(voider, referring));
  });

  it('still makes matches of those that refer to it, the voiding one included (xAPI 1.0.3 Communication 2.1.4)', async () => {
    expect(await client.found({ activity: target.object.id })).toMatchObject(withIds(voider, referring));
  });
});

describe('X-Experience-API-Consistent-Through', () => {
  const known = newStatement();
  const body = JSON.stringify(known);

  beforeAll(() => client.post(known));

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
      const { stored } = (await client.one(known.id)) as { stored: string };
      const answer = await client.xapi(method, request);
      const through = answer.headers['x-experience-api-consistent-through'] ?? '';
      expect(answer.status).toBe(status);
      expect(through).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      expect(Date.parse(through)).toBeGreaterThanOrEqual(Date.parse(stored));
    },
  );
});
