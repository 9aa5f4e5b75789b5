import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, parsed, stringMember } from '../support/lrs-client.ts';
import {
  newIri,
  newStatement,
  openStatementClient,
  type StatementClient,
} from '../support/statement-client.ts';

let client: StatementClient;

beforeAll(async () => {
  client = await openStatementClient();
});
afterAll(() => client?.entrance.close());

describe('what comes back', () => {
  it('a statement comes back as it was sent, timestamps to the millisecond (xAPI 1.0.3 Data 2.2, 4.5)', async () => {
    const sent = newStatement({
      timestamp: '2015-11-18T12:17:00.123Z',
      version: '1.0.1',
      result: { score: { scaled: 0.123456789012345 }, duration: 'PT0.120S', response: ' ünï\n ' },
      context: { platform: '', language: 'en-us', extensions: { 'http://example.org/e': [1.5, null] } },
    });
    await client.post(sent);
    const { stored: _, authority: __, ...rest } = (await client.one(sent.id)) as Record<string, unknown>;
    expect(rest).toEqual(sent);
  });

  it('display comes back as it was sent, or left out, with the format exact (xAPI 1.0.3 Data 2.4.3)', async () => {
    const verb = { id: newIri('verbs'), display: { 'en-GB': 'read', de: 'las' } };
    const [sent, without] = [newStatement({ verb }), newStatement({ verb: { id: verb.id } })];
    await client.post(sent, without);
    expect(await client.found({ verb: verb.id, format: 'exact', ascending: 'true' })).toMatchObject({
      statements: [{ verb }, { verb: { id: verb.id } }],
    });
    expect(await client.one(without.id)).not.toHaveProperty('verb.display');
  });

  it('a single context activity comes back as a list of one (xAPI 1.0.3 Data 2.4.6.2)', async () => {
    const activity = { objectType: 'Activity', id: newIri('activities') };
    const sent = newStatement({ context: { contextActivities: { parent: activity, other: [activity] } } });
    await client.post(sent);
    expect(await client.one(sent.id)).toHaveProperty('context.contextActivities', {
      parent: [activity],
      other: [activity],
    });
  });

  it('a statement of 2.0.0 is not converted for a reader of 1.0.3 (xAPI 1.0.3 Communication 3.3)', async () => {
    const contextAgents = [{ objectType: 'contextAgent', agent: { mbox: 'mailto:bob@example.org' } }];
    const sent = newStatement({ context: { contextAgents } });
    const headers = { 'x-experience-api-version': '2.0.0' };
    expect((await client.xapi('POST', { headers, body: JSON.stringify(sent) })).status).toBe(200);
    expect(await client.one(sent.id)).toMatchObject({ version: '2.0.0', context: { contextAgents } });
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
    const object = { id: newIri('activities'), definition: { extensions } };
    const sent = newStatement({ object, result: { extensions }, context: { extensions } });
    await client.post(sent);
    expect(await client.one(sent.id)).toMatchObject({
      object,
      result: { extensions },
      context: { extensions },
    });
  });
});

describe('a statement that is stored', () => {
  it.each(['1.0.3', '2.0.0'])('has the time of storing as Last-Modified in %s', async (version) => {
    const sent = newStatement();
    await client.post(sent);
    const answer = await client.get({ statementId: sent.id }, { 'x-experience-api-version': version });
    const stored = new Date(stringMember(answer, 'stored'));
    expect(answer.headers['last-modified']).toBe(stored.toUTCString());
  });

  it('neither an equal nor another statement with its id changes it or its Activity (xAPI 1.0.3 Communication 2.1.1, 2.1.2)', async () => {
    const named = (en: string) => ({ id: newIri('activities'), definition: { name: { en } } });
    const first = newStatement({ object: named('first') });
    const { id: activityId } = first.object;
    const equal = { ...first, object: { ...named('second'), id: activityId } };
    const other = { ...equal, verb: { id: newIri('verbs') } };
    await client.post(first);
    const before = await client.one(first.id);
    const query = `statementId=${first.id}`;
    for (const [sent, posted, put] of [
      [equal, 200, 204],
      [other, 409, 409],
    ] as const) {
      const body = JSON.stringify(sent);
      expect((await client.xapi('POST', { body })).status).toBe(posted);
      expect((await client.xapi('PUT', { query, body })).status).toBe(put);
    }
    expect(await client.one(first.id)).toEqual(before);
    const path = '/xapi/activities';
    const activity = await client.xapi('GET', {
      path,
      query: new URLSearchParams({ activityId }).toString(),
    });
    expect(parsed(activity)).toHaveProperty('definition.name', { en: 'first' });
  });

  it('one Activity may be described by several authorities, and stays one (xAPI 1.0.3 Data 2.4.4.1)', async () => {
    const id = newIri('activities');
    const sent = ['en', 'de'].map((language) =>
      newStatement({ object: { id, definition: { name: { [language]: language } } } }),
    );
    const clients = [client, await connect(client.entrance)];
    for (const [index, each] of sent.entries()) {
      expect((await clients[index]?.xapi('POST', { body: JSON.stringify(each) }))?.status).toBe(200);
    }
    const { statements } = (await client.found({ activity: id })) as { statements: { authority: object }[] };
    expect(new Set(statements.map(({ authority }) => JSON.stringify(authority))).size).toBe(2);
    const query = new URLSearchParams({ activityId: id }).toString();
    const activity = await client.xapi('GET', { path: '/xapi/activities', query });
    expect(parsed(activity)).toHaveProperty('definition.name', { en: 'en', de: 'de' });
  });

  it('the authority is the Agent of the key pair, whatever was claimed (xAPI 1.0.3 Data 2.4.9)', async () => {
    const verb = { id: newIri('verbs') };
    await client.post(
      newStatement({ verb }),
      newStatement({ verb, authority: { mbox: 'mailto:liar@example.org' } }),
    );
    const authority = { objectType: 'Agent', account: expect.any(Object) };
    expect(await client.found({ verb: verb.id })).toMatchObject({
      statements: [{ authority }, { authority }],
    });
  });

  it('a batch with a broken statement or a conflict leaves nothing behind (xAPI 1.0.3 Communication 3.2)', async () => {
    const known = newStatement();
    await client.post(known);
    for (const [bad, status] of [
      [{ ...newStatement(), verb: {} }, 400],
      [{ ...known, verb: { id: newIri('verbs') } }, 409],
    ] as const) {
      const good = [newStatement(), newStatement()];
      const body = JSON.stringify([good[0], bad, good[1]]);
      expect((await client.xapi('POST', { body })).status).toBe(status);
      for (const { id } of good) expect((await client.get({ statementId: id })).status).toBe(404);
    }
  });

  it('a malformed signature is refused with 400 (xAPI 1.0.3 Data 2.6)', async () => {
    const sha2 = createHash('sha256').update('def').digest('hex');
    const usageType = 'http://adlnet.gov/expapi/attachments/signature';
    const contentType = 'application/octet-stream';
    const signed = newStatement({
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
    expect((await client.get({ statementId: signed.id })).status).toBe(404);
  });
});
