import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError, expectJson } from '../../support/admin-client.ts';
import { type KeyPairHolder, keyPairHolder } from '../../support/key-pair.ts';
import { parsed } from '../../support/lrs-client.ts';
import { newStatement } from '../../support/statement-client.ts';

type Entry = Readonly<Record<string, unknown>>;

const account = { homePage: 'https://people.example.org/@home', name: 'zoë@work' };
const ann = { mbox: 'mailto:ann@example.org' };
const sha1 = { mbox_sha1sum: createHash('sha1').update('mailto:secret@example.org').digest('hex') };
const openid = { openid: 'https://id.example.org/olga' };
const group = { account: { homePage: 'https://people.example.org', name: 'group' } };
const reader = { mbox: 'mailto:reader@example.org' };
const course = 'https://example.org/courses/first';
const lesson = 'https://example.org/lessons/100%_done';
const registration = '4f1b7e02-5a3c-4a08-9d10-2c3d4e5f6a7b';

describe.each(administrations)('the directory, on $name', ({ open }) => {
  let lrs: Administration;
  let holder: KeyPairHolder;
  let token: string;

  beforeAll(async () => {
    lrs = await open();
    holder = await keyPairHolder(lrs);
    token = await lrs.login();
    await holder.post(
      newStatement({
        actor: { ...ann, name: 'Ann' },
        object: {
          id: course,
          definition: { name: { en: 'First "steps"' }, type: 'https://e.org/course' },
        },
      }),
      newStatement({
        actor: { ...ann, name: 'Ann Ashe' },
        object: { id: lesson, definition: { type: 'https://e.org/lesson' } },
      }),
      newStatement({ actor: { account, name: 'Zoë 50% off' } }),
      newStatement({
        actor: { objectType: 'Group', ...group, name: 'Us', member: [{ ...openid, name: 'Olga_O' }] },
        context: { instructor: sha1 },
      }),
    );
    const state = { activityId: course, agent: JSON.stringify(ann), stateId: 'bookmark' };
    await put('/xapi/activities/state', state, { page: 1 });
    await put('/xapi/activities/state', { ...state, registration }, { page: 22 });
    await put('/xapi/agents/profile', { agent: JSON.stringify(reader), profileId: 'likes' }, {});
    await put('/xapi/activities/profile', { activityId: lesson, profileId: 'Hints_1' }, {});
  });
  afterAll(() => lrs?.close());

  async function put(path: string, parameters: Record<string, string>, body: unknown): Promise<void> {
    const query = new URLSearchParams(parameters).toString();
    expect((await holder.xapi('POST', path, { query, body })).status).toBe(204);
  }

  const get = (name: string, parameters: Record<string, string> = {}) =>
    lrs.call('GET', `/admin/${name}`, { token, query: new URLSearchParams(parameters).toString() });

  /** The entries of a page, and of those behind it. */
  async function walk(name: string, parameters: Record<string, string> = {}): Promise<Entry[][]> {
    const pages: Entry[][] = [];
    let query = new URLSearchParams(parameters).toString();
    for (;;) {
      const answer = await lrs.call('GET', `/admin/${name}`, { token, query });
      expectJson(answer, { [name]: expect.any(Array), more: expect.any(String) });
      const page = parsed(answer) as Record<string, Entry[]> & { more: string };
      pages.push(page[name] ?? []);
      if (page.more === '') return pages;
      expect(page.more.startsWith(`/admin/${name}?`)).toBe(true);
      query = page.more.slice(page.more.indexOf('?') + 1);
    }
  }
  const found = async (name: string, parameters: Record<string, string> = {}): Promise<Entry[]> =>
    (await walk(name, parameters)).flat();

  describe('GET /admin/agents', () => {
    const annListed = { agent: ann, names: ['Ann Ashe', 'Ann'], statements: 2 };
    const zoeListed = { agent: { account }, names: ['Zoë 50% off'], statements: 1 };
    const olgaListed = { agent: openid, names: ['Olga_O'], statements: 1 };
    const groupListed = { agent: group, names: [], statements: 1 };
    const teacherListed = { agent: sha1, names: [] };
    const readerListed = { agent: reader, names: [] };

    it('lists who is in statements, in any role, with all names and how many statements are theirs', async () => {
      expect(await found('agents')).toEqual(
        expect.arrayContaining([annListed, zoeListed, olgaListed, groupListed, teacherListed]),
      );
    });

    it('lists whose documents there are', async () => {
      expect(await found('agents')).toContainEqual(readerListed);
    });

    it('lists everybody once', async () => {
      const vouching = { account: { homePage: 'http://example.org', name: expect.any(String) } };
      const everybody = [ann, { account }, openid, group, sha1, reader, vouching];
      const agents = (await found('agents')).map(({ agent }) => agent);
      expect(agents).toEqual(expect.arrayContaining(everybody));
      expect(agents).toHaveLength(everybody.length);
    });

    it('shows ten names at most, the newest, and of long ones the beginning', async () => {
      const many = { mbox: 'mailto:many-names@example.org' };
      const names = Array.from({ length: 12 }, (_, index) => `Name ${index}`);
      const long = 'y'.repeat(101);
      await holder.post(...[...names, long].map((name) => newStatement({ actor: { ...many, name } })));
      const [listed] = await found('agents', { search: 'many-names' });
      const newest = [long.slice(1), ...names.slice(3).toReversed()];
      expect(listed).toEqual({ agent: many, names: newest, statements: 13 });
    });

    it.each<[string, string, Entry[]]>([
      ['a part of a name', 'ash', [annListed]],
      ['a part of a name that is not its newest', 'nn', [annListed]],
      ['another case', 'ASHE', [annListed]],
      ['letters beyond ASCII', 'Zoë', [zoeListed]],
      ['a mail address', 'ann@Example.org', [annListed]],
      ['a home page', '@home', [zoeListed]],
      ['somebody without a name', 'GROUP', [groupListed]],
      ['somebody who has documents only', 'reader@', [readerListed]],
      ['%, which stands for itself', '0% o', [zoeListed]],
      ['_, which stands for itself', 'olga_', [olgaListed]],
      ['_, which does not stand for another character', 'n_A', []],
      ['!', '!', []],
      ['nobody', 'nobody at all', []],
    ])('finds %s: %s', async (_, search, expected) => {
      const agents = await found('agents', { search });
      expect(agents).toEqual(expect.arrayContaining(expected));
      expect(agents).toHaveLength(expected.length);
    });
  });

  describe('GET /admin/activities', () => {
    it('lists what is the Object of statements or is defined in them, with how many statements have it', async () => {
      const parent = { id: 'https://example.org/parent', definition: { name: { en: 'Parent' } } };
      const plain = { id: 'https://example.org/plain' };
      const context = { contextActivities: { parent: [parent] } };
      await holder.post(newStatement({ object: plain, context }), newStatement({ object: plain }));
      const activities = await found('activities');
      const definition = { name: { en: 'First "steps"' }, type: 'https://e.org/course' };
      const listed = [{ id: course, definition, statements: 1 }, { ...plain, statements: 2 }, parent];
      expect(activities).toEqual(expect.arrayContaining(listed));
      expect(new Set(activities.map(({ id }) => id)).size).toBe(activities.length);
    });

    it('ends a page early that would grow too long', async () => {
      const long = (index: number) => ({ description: { en: `long ${index} ${'x'.repeat(400_000)}` } });
      for (const index of [1, 2, 3]) {
        const object = { id: `https://example.org/long/${index}`, definition: long(index) };
        await holder.post(newStatement({ object }));
      }
      const pages = await walk('activities', { search: 'org/long/' });
      expect(pages.map(({ length }) => length)).toEqual([2, 1]);
      const definitions = pages.flat().map(({ definition }) => definition);
      expect(definitions).toEqual(expect.arrayContaining([long(1), long(2), long(3)]));
    });

    it('has definitions as they were written', async () => {
      const statement = newStatement({ object: { id: 'https://example.org/exact', definition: {} } });
      const extensions = '{"extensions":{"https://e.org/n":1.50}}';
      const body = JSON.stringify(statement).replace('"definition":{}', `"definition":${extensions}`);
      expect((await holder.xapi('POST', '/xapi/statements', { body })).status).toBe(200);
      const answer = await get('activities', { search: 'org/exact' });
      expect(answer.body.toString()).toContain(`"definition":${extensions}`);
    });

    it.each([
      ['a part of the id', 'COURSES/', [course]],
      ['a text of the definition', 'first "s', [course]],
      ['%_, which stand for themselves', '100%_d', [lesson]],
      ['nothing', '100_%d', []],
      ['what nobody has defined', 'PLAIN', ['https://example.org/plain']],
    ])('finds %s: %s', async (_, search, expected) => {
      expect((await found('activities', { search })).map(({ id }) => id)).toEqual(expected);
    });
  });

  describe('GET /admin/documents', () => {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const etag = expect.stringMatching(/^"[0-9a-f]{40}"$/);
    const json = { contentType: 'application/json', updated: time, etag };
    const state = { kind: 'state', activityId: course, agent: ann, stateId: 'bookmark', ...json, length: 10 };
    const registered = { ...state, registration, length: 11 };
    const likes = { kind: 'agent-profile', agent: reader, profileId: 'likes', ...json, length: 2 };
    const hints = { kind: 'activity-profile', activityId: lesson, profileId: 'Hints_1', ...json, length: 2 };

    it.each<[string, Record<string, string>, Entry[]]>([
      ['all', {}, [state, registered, likes, hints]],
      ['those of a kind', { kind: 'state' }, [state, registered]],
      ['those of another kind', { kind: 'activity-profile' }, [hints]],
      ['those of an Agent', { agent: JSON.stringify({ ...reader, name: 'any' }) }, [likes]],
      ['those of an Activity', { activityId: course }, [state, registered]],
      [
        'those that pass all filters',
        { kind: 'state', activityId: course, agent: JSON.stringify(ann) },
        [state, registered],
      ],
      ['none', { kind: 'agent-profile', agent: JSON.stringify(ann) }, []],
      ['those that hold a text in the id', { search: 'hints_' }, [hints]],
      ['those that hold a text in the Agent', { search: 'READER' }, [likes]],
      ['those that hold a text in the Activity', { search: 'LESSONS', kind: 'activity-profile' }, [hints]],
    ])('lists %s, without contents', async (_, parameters, expected) => {
      const documents = await found('documents', parameters);
      expect(documents).toEqual(expect.arrayContaining(expected));
      expect(documents).toHaveLength(expected.length);
    });

    it('has the ETag that the document is read with', async () => {
      const [listed] = await found('documents', { kind: 'agent-profile' });
      const query = new URLSearchParams({
        agent: JSON.stringify(reader),
        profileId: 'likes',
      }).toString();
      const { headers } = await holder.xapi('GET', '/xapi/agents/profile', { query });
      expect(listed?.etag).toBe(headers.etag);
    });
  });

  describe.each(['agents', 'activities', 'documents'])('GET /admin/%s', (name) => {
    it('is read page by page, without a gap or a repetition, and the filter goes along', async () => {
      const all = await found(name);
      expect(all.length).toBeGreaterThan(1);
      for (const limit of ['1', '2']) {
        const pages = await walk(name, { limit });
        expect(pages.flat()).toEqual(all);
        expect(Math.max(...pages.map(({ length }) => length))).toBe(Number(limit));
      }
      const search = 'example.org';
      expect((await walk(name, { search, limit: '1' })).flat()).toEqual(await found(name, { search }));
    });

    it.each([
      ['limit', 'limit=0'],
      ['limit', 'limit=1001'],
      ['limit', 'limit=many'],
      ['limit', 'limit=1&limit=2'],
      ['from', 'from=1'],
      ['from', 'from='],
      ['search', `search=${'x'.repeat(201)}`],
      ['search', 'search=%00'],
      ['unknown', 'unknown=1'],
    ])('refuses a wrong %s: %s', async (parameter, query) => {
      const answer = await lrs.call('GET', `/admin/${name}`, { token, query });
      expectError(answer, 400);
      expect(parsed(answer)).toMatchObject({ details: [{ path: parameter }] });
    });

    it('needs a login', async () => {
      expectError(await lrs.call('GET', `/admin/${name}`), 401);
    });
  });

  it.each([
    ['kind', { kind: 'activities/state' }],
    ['agent', { agent: 'ann' }],
    ['agent', { agent: '{"mbox":"ann"}' }],
    ['activityId', { activityId: 'first' }],
  ])('GET /admin/documents refuses a wrong %s: %j', async (parameter, parameters) => {
    const answer = await get('documents', parameters);
    expectError(answer, 400);
    expect(answer.body.toString()).toContain(parameter);
  });
});
