import { createHash, randomUUID } from 'node:crypto';
import XAPI from '@xapi/xapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attachment,
  definition,
  type LibrarySettings,
  learner,
  note,
  serveLibrary,
  verb,
} from '../../support/client-library.ts';

let server: LibrarySettings;
beforeAll(async () => {
  server = await serveLibrary();
});
afterAll(() => server.close());

// The types of the library end at 1.0.3, but it speaks whatever version it is told to.
describe.each([
  ['axios', '1.0.3'],
  ['fetch', '1.0.3'],
  ['axios', '2.0.0'],
])('@xapi/xapi by %s with version %s', (adapter, version) => {
  let xapi: XAPI.default;
  /** In Node, axios puts a Content-Type of its own in the place of that of a multipart body. */
  let byFetch: XAPI.default;
  beforeAll(() => {
    const auth = XAPI.default.toBasicAuth(server.key, server.secret);
    const settings = { endpoint: server.endpoint, auth, adapter, version };
    xapi = Reflect.construct(XAPI.default, [settings]);
    byFetch = Reflect.construct(XAPI.default, [{ ...settings, adapter: 'fetch' }]);
  });

  const statementsOf = (count: number, { agent, activityId } = learner()) =>
    Array.from({ length: count }, () => ({
      actor: agent,
      verb,
      object: { objectType: 'Activity' as const, id: activityId, definition },
    }));

  it('sends one statement and several, and reads them one by one', async () => {
    const [first, ...others] = statementsOf(3);
    if (first === undefined) throw new Error('no statement');
    const { data: one } = await xapi.sendStatement({ statement: first });
    const { data: several } = await xapi.sendStatements({ statements: others });
    expect([one.length, several.length]).toEqual([1, 2]);
    for (const statementId of [...one, ...several]) {
      const { data } = await xapi.getStatement({ statementId });
      expect(data).toMatchObject({ id: statementId, actor: first.actor });
    }
  });

  it('queries statements and follows more to the end', async () => {
    const { agent, activityId } = learner();
    const sent = await xapi.sendStatements({ statements: statementsOf(5, { agent, activityId }) });
    const query = { agent, verb: verb.id, activity: activityId, ascending: true, limit: 2 };
    const pages = [(await xapi.getStatements(query)).data];
    for (let more = pages[0]?.more; more; more = pages.at(-1)?.more) {
      const { data } = await xapi.getMoreStatements({ more });
      if (Array.isArray(data)) throw new Error('a page with attachments');
      pages.push(data);
    }
    expect(pages.map(({ statements }) => statements.length)).toEqual([2, 2, 1]);
    expect(pages.flatMap(({ statements }) => statements.map(({ id }) => id))).toEqual(sent.data);
  });

  it('voids statements and reads them as voided', async () => {
    const { agent, activityId } = learner();
    const { data: ids } = await xapi.sendStatements({ statements: statementsOf(3, { agent, activityId }) });
    const [statementId = '', ...statementIds] = ids;
    await xapi.voidStatement({ actor: agent, statementId });
    await xapi.voidStatements({ actor: agent, statementIds });
    for (const id of ids) {
      await expect(xapi.getStatement({ statementId: id })).rejects.toThrow();
      expect((await xapi.getVoidedStatement({ voidedStatementId: id })).data.id).toBe(id);
    }
  });

  it('sends an attachment and reads it with its statement', async () => {
    const [statement] = statementsOf(1);
    if (statement === undefined) throw new Error('no statement');
    const content = new TextEncoder().encode(note);
    const sha2 = createHash('sha256').update(content).digest('hex');
    const attachments = [{ ...attachment, length: content.length, sha2 }];
    const sent = await byFetch.sendStatement({
      statement: { ...statement, attachments },
      attachments: [content.buffer],
    });
    const [statementId = ''] = sent.data;
    const { data } = await xapi.getStatement({ statementId, attachments: true });
    expect(data[0]).toMatchObject({ id: statementId, attachments });
    expect(data[1]).toBe(note);
    const { data: page } = await xapi.getStatements({ agent: statement.actor, attachments: true });
    expect(page[0].statements.map(({ id }) => id)).toEqual([statementId]);
    expect(page[1]).toBe(note);
  });

  it('keeps state: writes, merges, lists, reads and deletes it', async () => {
    const { agent, activityId } = learner();
    const key = { agent, activityId, stateId: 'bookmark', registration: randomUUID() };
    await xapi.createState({ ...key, state: { page: 1 } });
    await xapi.createState({ ...key, state: { chapter: 2 } });
    const read = await xapi.getState(key);
    expect(read.data).toEqual({ page: 1, chapter: 2 });
    const condition = { etag: String(read.headers.etag), matchHeader: 'If-Match' as const };
    await xapi.setState({ ...key, ...condition, state: { page: 9 } });
    await expect(xapi.setState({ ...key, ...condition, state: { page: 10 } })).rejects.toThrow();
    expect((await xapi.getState(key)).data).toEqual({ page: 9 });
    expect((await xapi.getStates(key)).data).toEqual(['bookmark']);
    await xapi.setState({ ...key, stateId: 'text', state: 'plain', contentType: 'text/plain' });
    expect((await xapi.getState({ ...key, stateId: 'text' })).data).toBe('plain');
    await xapi.deleteState(key);
    expect((await xapi.getStates(key)).data).toEqual(['text']);
    await xapi.deleteStates(key);
    expect((await xapi.getStates(key)).data).toEqual([]);
  });

  it('keeps profiles of activities and of agents', async () => {
    const { agent, activityId } = learner();
    const isNew = { etag: '*', matchHeader: 'If-None-Match' as const };
    const profile = { profileId: 'settings', profile: { colour: 'red', text: 'a'.repeat(2000) } };
    await xapi.setActivityProfile({ activityId, ...profile, ...isNew });
    await xapi.setAgentProfile({ agent, ...profile, ...isNew });
    await expect(xapi.setAgentProfile({ agent, ...profile, ...isNew })).rejects.toThrow();
    const { data, headers } = await xapi.getActivityProfile({ activityId, profileId: 'settings' });
    const ofAgent = await xapi.getAgentProfile({ agent, profileId: 'settings' });
    expect([data, ofAgent.data]).toEqual([profile.profile, profile.profile]);
    const change = { profile: { size: 2 }, profileId: 'settings', matchHeader: 'If-Match' as const };
    await xapi.createActivityProfile({ activityId, ...change, etag: String(headers.etag) });
    await xapi.createAgentProfile({ agent, ...change, etag: String(ofAgent.headers.etag) });
    expect((await xapi.getActivityProfile({ activityId, profileId: 'settings' })).data).toMatchObject({
      size: 2,
    });
    expect((await xapi.getActivityProfiles({ activityId })).data).toEqual(['settings']);
    expect((await xapi.getAgentProfiles({ agent })).data).toEqual(['settings']);
    await xapi.deleteActivityProfile({ activityId, profileId: 'settings' });
    await xapi.deleteAgentProfile({ agent, profileId: 'settings' });
    expect((await xapi.getAgentProfiles({ agent })).data).toEqual([]);
  });

  it('reads the person, the activity and what the server is', async () => {
    const { agent, activityId } = learner();
    await xapi.sendStatements({ statements: statementsOf(1, { agent, activityId }) });
    expect((await xapi.getAgent({ agent })).data).toMatchObject({ objectType: 'Person', name: ['Ada'] });
    expect((await xapi.getActivity({ activityId })).data).toMatchObject({
      definition,
    });
    expect((await xapi.getAbout()).data.version).toContain(version);
  });

  it('is told that its cache buster is no parameter of the xAPI (xAPI 1.0.3 Communication 3.2)', async () => {
    await expect(xapi.getStatements({ useCacheBuster: true })).rejects.toThrow();
  });
});
