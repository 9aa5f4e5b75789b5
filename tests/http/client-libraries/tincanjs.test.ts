import { randomUUID } from 'node:crypto';
import TinCan from 'tincanjs';
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

/** The result that tincanjs hands to its callback. */
function result<T>(ask: (callback: (error: unknown, result: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    ask((error, value) => (error === null ? resolve(value) : reject(new Error(`refused: ${error}`))));
  });
}

// The newest version that the library knows is 1.0.2.
describe('tincanjs', () => {
  let lrs: TinCan.LRS;
  beforeAll(() => {
    const { endpoint, key: username, secret: password } = server;
    lrs = new TinCan.LRS({ endpoint, username, password, allowFail: false });
  });

  const statementOf = ({ agent, activityId } = learner(), more: object = {}): TinCan.Statement =>
    new TinCan.Statement({
      actor: agent,
      verb,
      target: { id: activityId, definition },
      ...more,
    });
  const retrieved = (id: string, params = {}): Promise<TinCan.Statement> =>
    result((callback) => lrs.retrieveStatement(id, { params, callback }));

  it('saves one statement and several, and retrieves them one by one', async () => {
    const one = statementOf();
    const several = [statementOf(), statementOf()];
    await result((callback) => lrs.saveStatement(one, { callback }));
    await result((callback) => lrs.saveStatements(several, { callback }));
    for (const { id, actor } of [one, ...several]) {
      const found = await retrieved(id);
      expect([found.id, found.actor.mbox]).toEqual([id, actor.mbox]);
    }
  });

  it('queries statements and follows more to the end', async () => {
    const { agent, activityId } = learner();
    const saved = Array.from({ length: 5 }, () => statementOf({ agent, activityId }));
    await result((callback) => lrs.saveStatements(saved, { callback }));
    const params = { agent: new TinCan.Agent(agent), verb: verb.id, limit: 2, ascending: true };
    const pages = [
      await result<TinCan.StatementsResult>((callback) => lrs.queryStatements({ params, callback })),
    ];
    for (let url = pages[0]?.more; url; url = pages.at(-1)?.more) {
      const next = url;
      pages.push(await result((callback) => lrs.moreStatements({ url: next, callback })));
    }
    expect(pages.map(({ statements }) => statements.length)).toEqual([2, 2, 1]);
    expect(pages.flatMap(({ statements }) => statements.map(({ id }) => id))).toEqual(
      saved.map(({ id }) => id),
    );
  });

  it('voids a statement and retrieves it as voided', async () => {
    const statement = statementOf();
    await result((callback) => lrs.saveStatement(statement, { callback }));
    const target = { objectType: 'StatementRef', id: statement.id };
    const voiding = statementOf(learner(), { verb: { id: 'http://adlnet.gov/expapi/verbs/voided' }, target });
    await result((callback) => lrs.saveStatement(voiding, { callback }));
    await expect(retrieved(statement.id)).rejects.toThrow('refused: 404');
    const found = await result<TinCan.Statement>((callback) =>
      lrs.retrieveVoidedStatement(statement.id, { callback }),
    );
    expect(found.id).toBe(statement.id);
  });

  // Between two attachments of one request the library leaves out the line break that RFC 2046 5.1.1 wants before a boundary.
  it('saves attachments and retrieves them with their statements', async () => {
    const contents = [note, 'another\r\n\r\nnote'];
    const { agent, activityId } = learner();
    const [first = statementOf(), second = statementOf()] = contents.map((content) =>
      statementOf(
        { agent, activityId },
        { attachments: [new TinCan.Attachment({ ...attachment, content })] },
      ),
    );
    await result((callback) => lrs.saveStatement(first, { callback }));
    await result((callback) => lrs.saveStatements([second, statementOf()], { callback }));
    const texts = (statement: TinCan.Statement): string[] =>
      statement.attachments.map((each) => each.getContentAsString());
    expect(texts(await retrieved(first.id, { attachments: true }))).toEqual([note]);
    const params = { agent: new TinCan.Agent(agent), attachments: true, ascending: true };
    const page = await result<TinCan.StatementsResult>((callback) =>
      lrs.queryStatements({ params, callback }),
    );
    expect(page.statements.map(texts)).toEqual(contents.map((content) => [content]));
  });

  it('keeps state: saves, merges, lists, retrieves and drops it', async () => {
    const { agent, activityId } = learner();
    const place = {
      agent: new TinCan.Agent(agent),
      activity: new TinCan.Activity({ id: activityId }),
      registration: randomUUID(),
    };
    const json = { ...place, contentType: 'application/json' };
    const found = (): Promise<TinCan.Found | null> =>
      result((callback) => lrs.retrieveState('bookmark', { ...place, callback }));
    const ids = (): Promise<string[]> => result((callback) => lrs.retrieveStateIds({ ...place, callback }));
    await result((callback) => lrs.saveState('bookmark', { page: 1 }, { ...json, callback }));
    const merge = { ...json, method: 'POST' as const };
    await result((callback) => lrs.saveState('bookmark', { chapter: 2 }, { ...merge, callback }));
    const before = await found();
    expect(before?.contents).toEqual({ page: 1, chapter: 2 });
    const change = { ...json, lastSHA1: String(before?.etag) };
    await result((callback) => lrs.saveState('bookmark', { page: 9 }, { ...change, callback }));
    const late = result((callback) => lrs.saveState('bookmark', {}, { ...change, callback }));
    await expect(late).rejects.toThrow('refused: 412');
    await result((callback) => lrs.saveState('bytes', 'plain', { ...place, callback }));
    expect(await found()).toMatchObject({ contents: { page: 9 }, contentType: 'application/json' });
    expect((await ids()).toSorted()).toEqual(['bookmark', 'bytes']);
    await result((callback) => lrs.dropState('bookmark', { ...place, callback }));
    expect([await found(), await ids()]).toEqual([null, ['bytes']]);
    await result((callback) => lrs.dropState(null, { ...place, callback }));
    expect(await ids()).toEqual([]);
  });

  it.each(['Activity', 'Agent'] as const)('keeps profiles: %s', async (kind) => {
    const { agent, activityId } = learner();
    const place = { agent: new TinCan.Agent(agent), activity: new TinCan.Activity({ id: activityId }) };
    const json = { ...place, contentType: 'application/json' };
    const save = (value: object, more: object = {}): Promise<unknown> =>
      result((callback) => lrs[`save${kind}Profile`]('settings', value, { ...json, ...more, callback }));
    const found = (): Promise<TinCan.Found | null> =>
      result((callback) => lrs[`retrieve${kind}Profile`]('settings', { ...place, callback }));
    expect(await found()).toBeNull();
    await save({ colour: 'red' });
    await expect(save({ colour: 'blue' })).rejects.toThrow('refused: 412');
    await save({ size: 2 }, { method: 'POST', lastSHA1: (await found())?.etag });
    expect((await found())?.contents).toEqual({ colour: 'red', size: 2 });
    const ids = await result((callback) => lrs[`retrieve${kind}ProfileIds`]({ ...place, callback }));
    expect(ids).toEqual(['settings']);
    await result((callback) => lrs[`drop${kind}Profile`]('settings', { ...place, callback }));
    expect(await found()).toBeNull();
  });

  it('retrieves the person, the activity and what the server is', async () => {
    const { agent, activityId } = learner();
    const statement = statementOf({ agent, activityId });
    await result((callback) => lrs.saveStatement(statement, { callback }));
    const params = { agent: JSON.stringify(agent) };
    const request = { url: 'agents', method: 'GET', params };
    const person = await result<{ responseText: string }>((callback) =>
      lrs.sendRequest({ ...request, callback }),
    );
    expect(JSON.parse(person.responseText)).toMatchObject({ objectType: 'Person', name: ['Ada'] });
    const activity = await result<TinCan.Activity>((callback) =>
      lrs.retrieveActivity(activityId, { callback }),
    );
    expect([activity.id, activity.definition.name]).toEqual([activityId, definition.name]);
    const about = await result<{ version: string[] }>((callback) => lrs.about({ callback }));
    expect(about.version).toContain('1.0.3');
  });
});
