import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Administration,
  administrations,
  everyAdministration,
  expectError,
  expectJson,
} from '../../support/admin-client.ts';
import { parsed } from '../../support/lrs-client.ts';
import {
  newTitle,
  type ReactionRoutes,
  reactionRoutes,
  ruleset,
  withReactions,
} from '../../support/reactions.ts';

/* The titles are the facts of lrsql's routes for reactions, and what we do beyond them. */

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);

const places = [...everyAdministration, ...administrations.filter(({ shared }) => !shared)];

describe.each(places)('the routes of reactions, on $name', ({ open, shared }) => {
  let lrs: Administration;
  let token: string;
  let routes: ReactionRoutes;

  beforeAll(async () => {
    lrs = await open(withReactions);
    token = await lrs.firstToken();
    routes = reactionRoutes(lrs, token);
  });
  afterAll(() => lrs?.close());

  describe('POST /admin/reaction', () => {
    it('answers 200 with the reactionId', async () => {
      const body = { title: newTitle(), ruleset: ruleset(), active: true };
      expectJson(await routes.send('POST', body), { reactionId: uuid, modified: time });
    });

    it('gives ids in the order of creation, which cannot be chosen', async () => {
      const first = await routes.create();
      const second = await routes.create({ id: randomUUID(), reactionId: randomUUID() });
      expect([first, second].toSorted()).toEqual([first, second]);
    });

    it.each(['ruleset', 'active'])('needs %s', async (name) => {
      const body = { title: newTitle(), ruleset: ruleset(), active: true, [name]: undefined };
      const answer = await routes.send('POST', body);
      expectError(answer, 400);
      expect(parsed(answer)).toMatchObject({ details: [{ path: name, message: 'is required' }] });
    });

    it('gives a reaction without a title a readable one, which is unique', async () => {
      const parts = { ruleset: ruleset(), active: false, title: undefined };
      const first = await routes.listed(await routes.create(parts));
      const second = await routes.listed(await routes.create(parts));
      expect(first?.title).toBe('noticed when seen');
      expect(second?.title).toBe('noticed when seen (2)');
    });

    it('takes a title with any content', async () => {
      for (const title of ['🎓 "Zertifikat" \\ x', 'é'.repeat(255), '-']) {
        const id = await routes.create({ title });
        expect((await routes.listed(id))?.title).toBe(title);
        await routes.send('DELETE', { reactionId: id });
      }
    });

    it.each(['POST', 'PUT'])('removes the spaces around a title in a %s, and warns of it', async (method) => {
      const reactionId = await routes.create();
      const title = newTitle();
      const answer = await routes.send(method, {
        ...(method === 'PUT' ? { reactionId } : { ruleset: ruleset(), active: false }),
        title: ` \t${title}\u00a0\n`,
      });
      const warnings = [
        { path: 'title', message: 'has spaces around it, which are removed', rule: 'title-spaces' },
      ];
      expectJson(answer, { reactionId: uuid, modified: time, warnings });
      const { reactionId: id } = parsed(answer) as { reactionId: string };
      expect((await routes.listed(id))?.title).toBe(title);
      expectError(await routes.send('POST', { title: `${title} `, ruleset: ruleset(), active: false }), 400);
    });

    it.each(['', ' \n'])('takes the blank title %j as none, and warns of it', async (title) => {
      const warning = { path: 'title', message: 'is blank, so it counts as none', rule: 'title-blank' };
      const answer = await routes.send('POST', { title, ruleset: ruleset(), active: false });
      expect(parsed(answer)).toMatchObject({ warnings: [warning] });
      const { reactionId } = parsed(answer) as { reactionId: string };
      expect((await routes.listed(reactionId))?.title).toMatch(/^noticed when seen/);
      const changed = await routes.send('PUT', { reactionId, title, active: true });
      expect(parsed(changed)).toMatchObject({ warnings: [warning] });
      expect(await routes.listed(reactionId)).toMatchObject({
        title: expect.stringMatching(/^noticed when seen/),
        active: true,
      });
      const refused = await routes.send('PUT', { reactionId, title });
      expectError(refused, 400);
      expect(parsed(refused)).toMatchObject({
        error: expect.stringContaining('there is nothing to change; title is blank'),
        details: [{}, warning],
      });
    });

    it.each([
      ['a title that is no text', { title: 7 }, 'title'],
      ['a title of 256 characters', { title: 'x'.repeat(256) }, 'title'],
      ['a title with half of a surrogate pair', { title: 'a \ud800' }, 'title'],
      ['a title with a line break', { title: 'a\nb' }, 'title'],
      ['a title with a control character', { title: 'a\u0007b' }, 'title'],
      ['a ruleset that is no object', { ruleset: [] }, 'ruleset'],
      ['an active that is a text', { active: 'true' }, 'active'],
      ['an active that is null', { active: null }, 'active'],
    ])('refuses %s with 400 and its place', async (_, parts, path) => {
      const answer = await routes.send('POST', {
        ...{ title: newTitle(), ruleset: ruleset(), active: true },
        ...parts,
      });
      expectError(answer, 400);
      expect(parsed(answer)).toMatchObject({ details: [{ path }] });
    });

    it('says of a ruleset that is no object what it must be, and ends a question with no full stop', async () => {
      const answer = await routes.send('POST', { ruleset: 'x', active: true });
      expect(parsed(answer)).toMatchObject({ error: 'ruleset must be a JSON object' });
      const clause = { path: ['verb', 'id'], op: '=', val: 'x' };
      const asked = await routes.send('POST', {
        ruleset: ruleset({ conditions: { a: clause } }),
        active: true,
      });
      expect(parsed(asked)).toMatchObject({ error: expect.stringMatching(/did you mean "eq"\?$/) });
    });

    it('tells of a title that is too long how long it may be', async () => {
      const answer = await routes.send('POST', { title: 'x'.repeat(256), ruleset: ruleset(), active: true });
      expect(parsed(answer)).toMatchObject({ error: 'title must have at most 255 characters' });
    });

    /** What is told of a ruleset with these conditions, which is refused. */
    async function refusalOf(conditions: object): Promise<Refused[]> {
      const answer = await routes.send('POST', { ruleset: ruleset({ conditions }), active: true });
      expectError(answer, 400);
      return (parsed(answer) as { details: Refused[] }).details;
    }

    it('names every broken rule of a ruleset with its JSON path and the nearest legal path', async () => {
      const conditions = {
        a: { and: [{ path: ['verb', 'idd'], op: 'eq', val: 'x' }] },
        b: { path: 'verb.id', op: 'is', val: 'x' },
      };
      const details = await refusalOf(conditions);
      expect(details.map(({ path }) => path)).toEqual([
        '$.conditions.a.and[0].path[1]',
        '$.conditions.b.path',
        '$.conditions.b.op',
      ]);
      expect(details.map(({ rule }) => rule)).toEqual(['path', 'path', 'operator']);
      expect(details[0]?.message).toContain('["verb","id"]');
      expect(details[1]?.message).toContain('["verb","id"]');
    });

    it.each(['POST', 'PUT'])(
      'lists the mistakes of the ruleset in a %s beside other ones',
      async (method) => {
        const answer = await routes.send(method, {
          ...(method === 'PUT' && { reactionId: await routes.create() }),
          ruleset: ruleset({ identityPaths: 'actor.mbox', conditions: {} }),
          active: 'yes',
        });
        expectError(answer, 400);
        expect(parsed(answer)).toMatchObject({
          error: expect.stringMatching(/; and the ruleset breaks rules at 2 places$/),
          details: [{ path: 'active' }, { path: '$.identityPaths' }, { path: '$.conditions' }],
        });
      },
    );

    it('names members that mean nothing beside the broken rules', async () => {
      const quiz = { AND: [{ path: ['verb', 'id'], op: 'eq', val: 'x' }] };
      const conditions = { quiz, other: { path: ['verb', 'id'], op: 'eq', value: 'x' } };
      const details = await refusalOf(conditions);
      expect(details.map(({ path }) => path)).toEqual([
        '$.conditions.quiz',
        '$.conditions.other',
        '$.conditions.quiz.AND',
        '$.conditions.other.value',
      ]);
      expect(details[2]?.message).toContain('did you mean "and"?');
      expect(details[3]?.message).toContain('did you mean "val"?');
    });

    it('takes a template that never makes a statement, as lrsql does, and warns with place and rule', async () => {
      const template = {
        actor: { mbox: 'ann@example.org' },
        verb: { id: 'https://example.org/did' },
        objekt: {},
      };
      const body = { title: newTitle(), ruleset: ruleset({ template }), active: true };
      const answer = await routes.send('POST', body);
      expect(answer.status).toBe(200);
      const { warnings } = parsed(answer) as { warnings: { path: string; message: string; rule: string }[] };
      expect(warnings.map(({ path }) => path)).toEqual([
        '$.template.actor.mbox',
        '$.template.objekt',
        '$.template',
      ]);
      for (const { message, rule } of warnings) {
        expect(message).toMatch(/\(xAPI .*\), so no statement is made$/);
        expect(rule).toBe('template-statement');
      }
    });

    it('warns of what is accepted and probably not meant', async () => {
      const body = { title: newTitle(), ruleset: ruleset({ oncePerIdentitiy: true }), active: true };
      const answer = await routes.send('POST', body);
      const warnings = [
        { path: '$.oncePerIdentitiy', message: expect.stringMatching(/\S/), rule: 'unknown-member' },
      ];
      expectJson(answer, { reactionId: uuid, modified: time, warnings });
    });

    it.each(['POST', 'PUT'])('warns of members beside the ruleset that a %s ignores', async (method) => {
      const reactionId = await routes.create();
      const body = { title: newTitle(), ruleset: ruleset(), active: false, titel: 'x', other: 1 };
      const answer = await routes.send(method, { ...body, ...(method === 'PUT' && { reactionId }) });
      expectJson(answer, {
        reactionId: uuid,
        modified: time,
        warnings: [
          {
            path: 'titel',
            message: 'is unknown and has no effect; did you mean "title"?',
            rule: 'unknown-member',
          },
          { path: 'other', message: 'is unknown and has no effect', rule: 'unknown-member' },
        ],
      });
    });

    it.each<[string, object, string, string]>([
      ['PUT', { titel: 'x' }, 'titel', 'is unknown and has no effect; did you mean "title"?'],
      ['PUT', { aktive: true }, 'aktive', 'is unknown and has no effect; did you mean "active"?'],
      [
        'POST',
        { ruleSet: {}, active: true },
        'ruleSet',
        'is unknown and has no effect; did you mean "ruleset"?',
      ],
      ['DELETE', { reactionId: 'r1', force: true }, 'force', 'is unknown and has no effect'],
    ])(
      'names in the refusal of a %s with %j the member that is unknown',
      async (method, parts, path, message) => {
        const reactionId = await routes.create();
        const answer = await routes.send(method, { ...(method === 'PUT' && { reactionId }), ...parts });
        expectError(answer, 400);
        const { error, details } = parsed(answer) as { error: string; details: unknown[] };
        expect(error).toContain(`${path} ${message}`);
        expect(details).toContainEqual({ path, message, rule: 'unknown-member' });
      },
    );

    it('takes a ruleset of lrsql unchanged, with at most a warning', async () => {
      const conditions = {
        quiz: {
          and: [
            { path: ['verb', 'id'], op: 'eq', val: 'https://ex.test/v/passed' },
            { path: ['result', 'score', 'scaled'], op: 'gte', val: 0.8 },
          ],
        },
        survey: {
          and: [
            { path: ['object', 'id'], op: 'eq', val: 'https://ex.test/a/survey' },
            { path: ['timestamp'], op: 'gt', ref: { condition: 'quiz', path: ['timestamp'] } },
          ],
        },
      };
      const template = {
        actor: { $templatePath: ['quiz', 'actor'] },
        verb: { id: 'https://ex.test/v/certified' },
        object: { id: 'https://ex.test/a/course-1' },
      };
      const identityPaths = [
        ['actor', 'mbox'],
        ['actor', 'account', 'name'],
      ];
      const body = { title: newTitle(), ruleset: { identityPaths, conditions, template }, active: true };
      const answer = await routes.send('POST', body);
      expect([answer.status, parsed(answer)]).toEqual([200, expect.objectContaining({ reactionId: uuid })]);
    });

    it('answers 400, not 409, when the title is already used', async () => {
      const title = newTitle();
      await routes.create({ title });
      const answer = await routes.send('POST', { title, ruleset: ruleset(), active: false });
      expectError(answer, 400);
      expect(parsed(answer)).toMatchObject({ details: [{ path: 'title' }] });
    });
  });

  describe('GET /admin/reaction', () => {
    it('lists active and inactive reactions with the members that lrsql has, and counters', async () => {
      const [first, second] = [ruleset(), ruleset()];
      const title = newTitle();
      const active = await routes.create({ title, ruleset: first });
      const inactive = await routes.create({ ruleset: second, active: false });
      expect(await routes.listed(active)).toEqual({
        ...{ id: active, title, active: true, created: time, modified: time, error: null, ruleset: first },
        ...{ version: 1, fired: 0, failed: 0, lastFired: null, slow: false },
      });
      expect(await routes.listed(inactive)).toMatchObject({ active: false, ruleset: second });
    });

    it('lists with deleted=true those that are deleted, the latest first, with the time', async () => {
      const given = ruleset();
      const title = newTitle();
      const first = await routes.create({ title, ruleset: given });
      const second = await routes.create({ active: false });
      const kept = await routes.create();
      for (const reactionId of [first, second]) await routes.send('DELETE', { reactionId });
      const deleted = async () => {
        const answer = await lrs.call('GET', '/admin/reaction', { token, query: 'deleted=true' });
        expect(answer.status, answer.body.toString()).toBe(200);
        return (parsed(answer) as { reactions: Record<string, unknown>[] }).reactions;
      };
      const list = await deleted();
      expect(list.slice(0, 2)).toEqual([
        expect.objectContaining({ id: second, deleted: time }),
        {
          ...{ id: first, title, active: false, created: time, modified: time, error: null, ruleset: given },
          ...{ version: 1, fired: 0, failed: 0, lastFired: null, slow: false, deleted: list[1]?.modified },
        },
      ]);
      expect(list.some(({ id }) => id === kept)).toBe(false);
      // A change of a deleted one does not change when it was deleted.
      await routes.send('PUT', { reactionId: first, title: newTitle() });
      const [, changed] = await deleted();
      expect(changed).toMatchObject({ id: first, deleted: list[1]?.deleted });
      expect(String(changed?.modified) > String(changed?.deleted)).toBe(true);
      await routes.send('PUT', { reactionId: first, active: false });
      expect((await deleted()).some(({ id }) => id === first)).toBe(false);
      expect(await routes.listed(first)).not.toHaveProperty('deleted');
      expectError(await lrs.call('GET', '/admin/reaction', { token, query: 'deleted=yes' }), 400);
    });

    it.each(['', `/${randomUUID()}`, '/firings'])(
      'refuses unknown parameters, here of /admin/reaction%s, by no rule of xAPI',
      async (path) => {
        const answer = await lrs.call('GET', `/admin/reaction${path}`, { token, query: 'other=1' });
        expectError(answer, 400);
        const message = expect.stringMatching(/^is not known: /);
        expect(parsed(answer)).toMatchObject({ error: expect.not.stringContaining('xAPI') });
        expect(Object(parsed(answer)).details).toEqual([{ path: 'other', message }]);
      },
    );

    it('lists the warnings that GET /admin/reaction/{id} has', async () => {
      const id = await routes.create({ ruleset: ruleset({ note: 'for colleagues' }) });
      const deleted = await routes.create({ ruleset: ruleset({ note: 'for colleagues' }) });
      await routes.send('DELETE', { reactionId: deleted });
      const { warnings } = await routes.details(id);
      expect(warnings).toEqual([expect.objectContaining({ path: '$.note', rule: 'unknown-member' })]);
      expect(await routes.listed(id)).toMatchObject({ warnings });
      const answer = await lrs.call('GET', '/admin/reaction', { token, query: 'deleted=true' });
      const { reactions } = parsed(answer) as { reactions: Record<string, unknown>[] };
      expect(reactions.find((each) => each.id === deleted)).toMatchObject({ warnings });
      expect(await routes.listed(await routes.create())).not.toHaveProperty('warnings');
    });

    it('returns keys of a ruleset that mean nothing here as they were sent', async () => {
      const given = ruleset({ note: { for: ['colleagues', 1, null] } });
      expect(await routes.listed(await routes.create({ ruleset: given }))).toMatchObject({ ruleset: given });
    });
  });

  describe('PUT /admin/reaction', () => {
    it('changes title, ruleset and active one by one, and leaves the rest as it is', async () => {
      const given = ruleset();
      const id = await routes.create({ ruleset: given });
      const title = newTitle();
      expectJson(await routes.send('PUT', { reactionId: id, title }), { reactionId: id, modified: time });
      expect(await routes.listed(id)).toMatchObject({ title, active: true, ruleset: given, version: 1 });
      await routes.send('PUT', { reactionId: id, active: false });
      expect(await routes.listed(id)).toMatchObject({ title, active: false, ruleset: given, version: 1 });
      const other = ruleset();
      await routes.send('PUT', { reactionId: id, ruleset: other });
      expect(await routes.listed(id)).toMatchObject({ title, active: false, ruleset: other, version: 2 });
    });

    it('changes modified on update, and leaves created', async () => {
      const id = await routes.create();
      const before = await routes.listed(id);
      await routes.send('PUT', { reactionId: id, title: newTitle() });
      const after = await routes.listed(id);
      expect(after?.created).toBe(before?.created);
      expect(String(after?.modified) > String(before?.modified)).toBe(true);
    });

    it('answers with modified, with which the next change may begin', async () => {
      const id = await routes.create();
      const first = parsed(await routes.send('PUT', { reactionId: id, active: false })) as {
        modified: string;
      };
      expect((await routes.listed(id))?.modified).toBe(first.modified);
      const change = { reactionId: id, active: true, expectedModified: first.modified };
      const second = await routes.send('PUT', change);
      expectJson(second, { reactionId: id, modified: time });
      expect((await routes.listed(id))?.modified).toBe((parsed(second) as typeof first).modified);
      expectError(await routes.send('PUT', change), 412);
    });

    it('changes only what has not been changed meanwhile, if it is told since when', async () => {
      const id = await routes.create();
      const seen = await routes.listed(id);
      const expectedModified = seen?.modified;
      const title = newTitle();
      const send = (expected: unknown) =>
        routes.send('PUT', { reactionId: id, title, active: true, expectedModified: expected });
      expectJson(await routes.send('PUT', { reactionId: id, active: false, expectedModified }), {
        reactionId: id,
        modified: time,
      });
      const changed = await routes.listed(id);
      expectError(await send(expectedModified), 412);
      expect(await routes.listed(id)).toEqual(changed);
      await routes.send('DELETE', { reactionId: id });
      const afterwards = await send(changed?.modified);
      expectError(afterwards, 412);
      expect(parsed(afterwards)).toMatchObject({ error: expect.stringContaining('was deleted meanwhile') });
      expect(await routes.listed(id)).toBeUndefined();
      expectError(await send('yesterday'), 400);
      expectJson(await send(undefined), { reactionId: id, modified: time });
    });

    it('takes an id in capitals', async () => {
      const id = await routes.create();
      const answer = await routes.send('PUT', { reactionId: id.toUpperCase(), active: false });
      expectJson(answer, { reactionId: id, modified: time });
    });

    it.each([
      ['nothing to update', {}, ''],
      ['a ruleset without conditions', { ruleset: { identityPaths: [], conditions: {}, template: {} } }, '$'],
      ['an active that is no boolean', { active: 1 }, 'active'],
    ])('answers %s with 400', async (_, parts, path) => {
      const answer = await routes.send('PUT', { reactionId: await routes.create(), ...parts });
      expectError(answer, 400);
      const { details } = parsed(answer) as { details: { path: string }[] };
      expect(details[0]?.path.startsWith(path)).toBe(true);
    });

    it('answers 400 when the title is in use by another reaction, and 200 when it is its own', async () => {
      const title = newTitle();
      const id = await routes.create({ title });
      const other = await routes.create();
      expectError(await routes.send('PUT', { reactionId: other, title }), 400);
      expectJson(await routes.send('PUT', { reactionId: id, title }), { reactionId: id, modified: time });
    });

    it('answers 404 when there is no such id', async () => {
      expectError(await routes.send('PUT', { reactionId: randomUUID(), active: true }), 404);
    });

    it.each([
      ['absent', undefined],
      ['malformed', 'r1'],
      ['null', null],
      ['a number', 17],
    ])('answers 400 when the reactionId is %s', async (_, reactionId) => {
      expectError(await routes.send('PUT', { reactionId, active: true }), 400);
      expectError(await routes.send('DELETE', { reactionId }), 400);
      expectError(await routes.send('POST', { reactionId, from: '2020-01-01T00:00:00Z' }, '/replay'), 400);
    });
  });

  describe('DELETE /admin/reaction', () => {
    it('answers 200 with the reactionId, and the reaction is listed no more', async () => {
      const id = await routes.create();
      expectJson(await routes.send('DELETE', { reactionId: id }), { reactionId: id });
      expect(await routes.listed(id)).toBeUndefined();
    });

    it('warns of members beside the id that are ignored', async () => {
      const reactionId = await routes.create();
      const answer = await routes.send('DELETE', { reactionId, forever: true });
      const warnings = [{ path: 'forever', message: 'is unknown and has no effect', rule: 'unknown-member' }];
      expectJson(answer, { reactionId, warnings });
      expect(await routes.listed(reactionId)).toBeUndefined();
    });

    it('answers 200 when it is deleted again', async () => {
      const id = await routes.create();
      await routes.send('DELETE', { reactionId: id });
      expectJson(await routes.send('DELETE', { reactionId: id }), { reactionId: id });
    });

    it('answers 404 when there is no such id', async () => {
      expectError(await routes.send('DELETE', { reactionId: randomUUID() }), 404);
    });

    it('frees the title', async () => {
      const title = newTitle();
      await routes.send('DELETE', { reactionId: await routes.create({ title }) });
      expect(await routes.listed(await routes.create({ title }))).toMatchObject({ title });
    });

    it('is undone by a PUT with active; a PUT without it leaves the reaction hidden', async () => {
      const id = await routes.create();
      await routes.send('DELETE', { reactionId: id });
      const title = newTitle();
      expectJson(await routes.send('PUT', { reactionId: id, title }), { reactionId: id, modified: time });
      expect(await routes.listed(id)).toBeUndefined();
      expect((await routes.send('PUT', { reactionId: id, active: false })).status).toBe(200);
      expect(await routes.listed(id)).toMatchObject({ title, active: false });
    });

    it('is not undone while another reaction has the title', async () => {
      const title = newTitle();
      const id = await routes.create({ title });
      await routes.send('DELETE', { reactionId: id });
      await routes.create({ title });
      const answer = await routes.send('PUT', { reactionId: id, active: true });
      expectError(answer, 400);
      expect(parsed(answer)).toMatchObject({ details: [{ path: 'title' }] });
    });
  });

  describe('GET /admin/reaction/{id}', () => {
    it('shows a reaction with counters, lag and firings', async () => {
      const id = await routes.create();
      expect(await routes.details(id)).toEqual({
        ...(await routes.listed(id)),
        slow: false,
        lag: { statements: expect.any(Number), seconds: expect.any(Number) },
        firings: [],
      });
    });

    it('answers 404 when there is no such id or it is deleted, and 400 when it is no UUID', async () => {
      const id = await routes.create();
      await routes.send('DELETE', { reactionId: id });
      expectError(await routes.send('GET', undefined, `/${id}`), 404);
      expectError(await routes.send('GET', undefined, `/${randomUUID()}`), 404);
      expectError(await routes.send('GET', undefined, '/r1'), 400);
    });

    it.each(['limit=0', 'limit=x', 'limit=1001', 'cursor=x', 'other=1', 'limit=1&limit=2'])(
      'refuses %s',
      async (query) => {
        expectError(await lrs.call('GET', `/admin/reaction/${await routes.create()}`, { token, query }), 400);
      },
    );
  });

  it('GET /admin/reaction/firings needs the id of a statement', async () => {
    const firings = (query: string) => lrs.call('GET', '/admin/reaction/firings', { token, query });
    for (const query of ['', 'statement=x', 'statement=']) expectError(await firings(query), 400);
    expectJson(await firings(`statement=${randomUUID()}`), { triggered: [], triggeredBy: null });
  });

  it.each([
    ['POST', ''],
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', `/${randomUUID()}`],
    ['GET', '/firings'],
    ['POST', '/preview'],
    ['POST', '/replay'],
  ])('%s /admin/reaction%s needs a token', async (method, path) => {
    expectError(await lrs.call(method, `/admin/reaction${path}`, { body: {} }), 401);
    expectError(await lrs.call(method, `/admin/reaction${path}`, { token: 'a.b.c', body: {} }), 401);
  });

  it.each([
    ['POST', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/preview'],
    ['POST', '/replay'],
  ])('%s /admin/reaction%s refuses bodies that are no JSON object', async (method, path) => {
    for (const body of ['', '[', '[]', 'null', '"text"', '{"title":"a\\u0000b"}', '[{"__proto__":1}]']) {
      expectError(await lrs.call(method, `/admin/reaction${path}`, { token, body }), 400);
    }
  });

  if (shared)
    it('a change by one process counts in the others', async () => {
      const elsewhere = reactionRoutes(await lrs.elsewhere(), token);
      const id = await routes.create();
      await elsewhere.send('PUT', { reactionId: id, active: false });
      expect(await routes.listed(id)).toMatchObject({ active: false });
    });

  if (shared)
    it('every route is 404 and names the setting while reactions are switched off', async () => {
      const off = await lrs.elsewhere({ LRS_ENABLE_REACTIONS: 'false' });
      for (const [method, path] of [
        ['POST', ''],
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['GET', `/${randomUUID()}`],
        ['GET', '/firings'],
        ['POST', '/preview'],
        ['POST', '/replay'],
      ] as const) {
        const answer = await off.call(method, `/admin/reaction${path}`, { token, body: {} });
        expectError(answer, 404);
        expect(parsed(answer)).toMatchObject({
          error: 'Reactions are switched off: set lrs.enableReactions to true to have them.',
        });
      }
    });
});

interface Refused {
  readonly path: string;
  readonly message: string;
  readonly rule?: string;
}
