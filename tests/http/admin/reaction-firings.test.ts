import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError, expectJson } from '../../support/admin-client.ts';
import { type KeyPairHolder, keyPairHolder } from '../../support/key-pair.ts';
import { parsed } from '../../support/lrs-client.ts';
import {
  newTitle,
  type ReactionRoutes,
  reactionRoutes,
  ruleset,
  withReactions,
} from '../../support/reactions.ts';
import { newIri, newStatement } from '../../support/statement-client.ts';

interface Firing {
  readonly statementId: string;
  readonly triggerId: string;
}

describe.each(administrations)('what reactions have done, on $name', ({ open }) => {
  let lrs: Administration;
  let holder: KeyPairHolder;
  let token: string;
  let routes: ReactionRoutes;

  beforeAll(async () => {
    lrs = await open(withReactions);
    holder = await keyPairHolder(lrs);
    token = await lrs.firstToken();
    routes = reactionRoutes(lrs, token);
  });
  afterAll(() => lrs?.close());

  /** A verb of its own, a reaction to it that takes a value which a statement may lack, and statements with and without. */
  function story() {
    const verb = { id: newIri('verbs') };
    const conditions = { seen: { path: ['verb', 'id'], op: 'eq', val: verb.id } };
    const template = {
      actor: { $templatePath: ['seen', 'actor'] },
      verb: { id: 'https://example.org/verbs/noticed' },
      object: { $templatePath: ['seen', 'object'] },
    };
    const strict = { ...template, result: { score: { $templatePath: ['seen', 'result', 'score'] } } };
    return {
      rules: ruleset({ conditions, template }),
      strictRules: ruleset({ conditions, template: strict }),
      seen: (parts: object = {}) => newStatement({ verb, ...parts }),
    };
  }

  /** The details of a reaction once everything stored has been looked at. */
  async function settled(id: string, query = ''): Promise<Record<string, unknown>> {
    let details: Record<string, unknown> = {};
    await expect
      .poll(async () => {
        await lrs.settle();
        details = await routes.details(id, query);
        const replay = Object(details.replay);
        return [Object(details.lag).statements, replay.state === 'running'];
      })
      .toEqual([0, false]);
    return details;
  }
  const firingsOf = async (id: string): Promise<Firing[]> => (await settled(id)).firings as Firing[];
  const linksOf = async (statement: string): Promise<unknown> =>
    parsed(await lrs.call('GET', '/admin/reaction/firings', { token, query: `statement=${statement}` }));

  it('is shown with the trigger, the matched statements and the generated one, newest first, page by page', async () => {
    const { rules, seen } = story();
    const title = newTitle();
    const id = await routes.create({ title, ruleset: rules });
    const triggers = [seen(), seen(), seen()];
    for (const trigger of triggers) await holder.post(trigger);
    const details = await settled(id, 'limit=2');
    expect(details).toMatchObject({
      fired: 3,
      failed: 0,
      lastFired: expect.stringMatching(/Z$/),
      error: null,
    });
    expect(details.firings).toEqual(
      [triggers[2], triggers[1]].map((trigger) => ({
        version: 1,
        statementId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        triggerId: trigger?.id,
        matched: { seen: trigger?.id },
        stored: expect.stringMatching(/Z$/),
      })),
    );
    const next = await routes.details(id, `limit=2&cursor=${details.more}`);
    expect(next.firings).toMatchObject([{ triggerId: triggers[0]?.id }]);
    expect(next.more).toBeUndefined();
    const [newest] = details.firings as Firing[];
    const firing = { ...newest, reaction: { id, title, deleted: false } };
    expect(await linksOf(triggers[2]?.id ?? '')).toEqual({ triggered: [firing], triggeredBy: null });
    expect(await linksOf(newest?.statementId ?? '')).toEqual({ triggered: [], triggeredBy: firing });
  });

  it('is shown for a statement that triggered it page by page, and says whether there is more', async () => {
    const { rules, seen } = story();
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push(await routes.create({ ruleset: rules }));
    const trigger = seen();
    await holder.post(trigger);
    for (const id of ids) await settled(id);
    const page = async (query: string) => {
      const request = { token, query: `statement=${trigger.id}${query}` };
      return parsed(await lrs.call('GET', '/admin/reaction/firings', request)) as {
        readonly triggered: readonly { readonly statementId: string }[];
        readonly more?: string;
      };
    };
    const all = await page('');
    expect(all.triggered).toHaveLength(3);
    expect(all).not.toHaveProperty('more');
    const first = await page('&limit=2');
    const second = await page(`&limit=2&cursor=${first.more}`);
    expect([...first.triggered, ...second.triggered]).toEqual(all.triggered);
    expect(second).not.toHaveProperty('more');
    const refused = { token, query: `statement=${trigger.id}&limit=0` };
    expectError(await lrs.call('GET', '/admin/reaction/firings', refused), 400);
  });

  it('is shown with the reason of the latest failure, which a replay and an activation leave as it is', async () => {
    const { rules, seen } = story();
    const fixed = randomUUID();
    const template = { ...Object(rules.template), id: fixed };
    const id = await routes.create({ ruleset: { ...rules, template } });
    const [first, second] = [seen(), seen({ object: { id: newIri('activities') } })];
    await holder.post(first);
    expect(await settled(id)).not.toHaveProperty('lastFailure');
    await holder.post(second);
    const failed = await settled(id);
    expect(failed).toMatchObject({ active: true, error: null, fired: 1, failed: 1 });
    const { lastFailure } = failed;
    expect(lastFailure).toEqual({
      type: 'ReactionTemplateError',
      reason: 'id-taken',
      message: expect.stringContaining(fixed),
      remedy: expect.stringContaining('Take the `id` out of the template'),
      triggerId: second.id,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    await routes.send('POST', { reactionId: id, from: '2020-01-01T00:00:00Z' }, '/replay');
    expect(await settled(id)).toMatchObject({ failed: 1, lastFailure, replay: { failed: 1 } });
    await routes.send('PUT', { reactionId: id, active: false });
    await routes.send('PUT', { reactionId: id, active: true });
    expect(await settled(id)).toMatchObject({ lastFailure });
  });

  it('keeps why it was stopped when it is active again', async () => {
    const { strictRules, seen } = story();
    const id = await routes.create({ ruleset: strictRules });
    await holder.post(seen());
    const { error, failed } = await settled(id);
    expect([Object(error).type, failed]).toEqual(['ReactionTemplateError', 1]);
    await routes.send('PUT', { reactionId: id, active: true });
    const { time: _, ...stopped } = Object(error);
    expect(await settled(id)).toMatchObject({ active: true, error: null, lastFailure: stopped });
  });

  it('is shown as an error in plain words with a remedy; a repair clears it and names what was missed', async () => {
    const { rules, strictRules, seen } = story();
    const id = await routes.create({ ruleset: strictRules });
    const trigger = seen();
    await holder.post(trigger);
    const failed = await settled(id);
    expect(failed).toMatchObject({ active: false, fired: 0, failed: 1 });
    expect(failed.error).toEqual({
      type: 'ReactionTemplateError',
      message: expect.stringContaining('"seen"'),
      remedy: expect.stringContaining('activate the reaction again'),
      triggerId: trigger.id,
      time: String(failed.modified).replace('000Z', 'Z'),
    });
    await holder.post(seen());
    const repaired = await routes.send('PUT', { reactionId: id, ruleset: rules, active: true });
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expectJson(repaired, { reactionId: id, modified: time, missed: { from: time, through: time } });
    const { missed, error } = await settled(id);
    expect(error).toBeNull();
    const from = Object(missed).from;
    expect((await routes.send('POST', { reactionId: id, from }, '/replay')).status).toBe(200);
    expect(await firingsOf(id)).toHaveLength(2);
    expect((await routes.details(id)).missed).toBeUndefined();
  });

  /** Stores a statement while the reaction is paused. @returns the answer by which it is resumed. */
  async function postInPause(id: string, statement: ReturnType<typeof newStatement>) {
    await settled(id);
    await routes.send('PUT', { reactionId: id, active: false });
    await holder.post(statement);
    await settled(id);
    return routes.send('PUT', { reactionId: id, active: true });
  }

  it('tells what it missed in a pause after a replay, too', async () => {
    const { rules, seen } = story();
    const id = await routes.create({ ruleset: rules });
    const missIn = async () => {
      await postInPause(id, seen());
      return Object((await settled(id)).missed);
    };
    const replay = (from: string) => routes.send('POST', { reactionId: id, from }, '/replay');
    const first = await missIn();
    expect((await replay(first.from)).status).toBe(200);
    expect(await firingsOf(id)).toHaveLength(1);
    const second = await missIn();
    expect(second.from >= first.through).toBe(true);
    expect((await replay(second.from)).status).toBe(200);
    expect(await firingsOf(id)).toHaveLength(2);
    expect((await routes.details(id)).missed).toBeUndefined();
  });

  it('tells what it has missed since its first pause until a replay has looked at it', async () => {
    const { rules, seen } = story();
    const id = await routes.create({ ruleset: rules });
    const missIn = async () => Object(parsed(await postInPause(id, seen()))).missed;
    const missed = async () => Object((await settled(id)).missed);
    const replay = async (from: string) =>
      expect((await routes.send('POST', { reactionId: id, from }, '/replay')).status).toBe(200);
    const first = await missIn();
    const second = await missIn();
    expect(second.from).toBe(first.from);
    expect(second.through > first.through).toBe(true);
    expect(await missed()).toEqual(second);
    // The second pause is replayed, the first is not.
    await replay(first.through);
    expect(await missed()).toEqual({ from: first.from, through: first.through });
    expect(await firingsOf(id)).toHaveLength(1);
    await replay(first.from);
    expect((await settled(id)).missed).toBeUndefined();
    expect(await firingsOf(id)).toHaveLength(2);
  });

  it('tells what it has missed when it is activated for the first time', async () => {
    const { rules, seen } = story();
    await holder.post(seen());
    const id = await routes.create({ ruleset: rules, active: false });
    await holder.post(seen());
    const answer = parsed(await routes.send('PUT', { reactionId: id, active: true }));
    const { missed } = answer as { missed: { from: string; through: string } };
    expect(missed.from < missed.through).toBe(true);
    expect(await settled(id)).toMatchObject({ fired: 0, missed });
    await routes.send('POST', { reactionId: id, from: missed.from }, '/replay');
    expect(await firingsOf(id)).toHaveLength(1);
    expect((await routes.details(id)).missed).toBeUndefined();
  });

  it('has the version of the ruleset that made it', async () => {
    const { rules, seen } = story();
    const id = await routes.create({ ruleset: rules });
    await holder.post(seen());
    await settled(id);
    await routes.send('PUT', {
      reactionId: id,
      ruleset: { ...rules, template: { ...Object(rules.template), object: { id: newIri('other') } } },
    });
    await holder.post(seen());
    expect((await settled(id)).firings).toMatchObject([{ version: 2 }, { version: 1 }]);
  });

  it('says where a comparison refers to a condition that does not exist, and how to correct it', async () => {
    const { rules, seen } = story();
    const { verb } = seen();
    const conditions = {
      seen: {
        and: [
          { path: ['verb', 'id'], op: 'eq', val: verb.id },
          { path: ['timestamp'], op: 'gt', ref: { condition: 'sene', path: ['timestamp'] } },
        ],
      },
    };
    const id = await routes.create({ ruleset: { ...rules, conditions } });
    await holder.post(seen({ verb }));
    expect((await settled(id)).error).toMatchObject({
      type: 'ReactionQueryError',
      reason: 'unknown-condition',
      message: expect.stringMatching(
        /of timestamp at \$\.conditions\.seen\.and\[1\] .* "sene", .* "seen"\.$/,
      ),
      remedy: expect.stringMatching(/^Correct `ref\.condition` at the place that the message names/),
    });
  });

  it('says how to correct a template that names no condition', async () => {
    const { rules, seen } = story();
    const template = { ...Object(rules.template), actor: { $templatePath: ['sene', 'actor'] } };
    const id = await routes.create({ ruleset: { ...rules, template } });
    await holder.post(seen());
    expect((await settled(id)).error).toMatchObject({
      type: 'ReactionTemplateError',
      reason: 'template-path',
      message: expect.stringContaining('"sene"'),
      remedy: expect.stringMatching(/^Correct the `\$templatePath` that the message names/),
    });
  });

  it('starts anew after a pause, and says nothing of what it missed where nothing was stored', async () => {
    const { rules, seen } = story();
    const id = await routes.create({ ruleset: rules });
    await holder.post(seen());
    await settled(id);
    await routes.send('PUT', { reactionId: id, active: false });
    await holder.post(seen());
    await settled(id);
    expect((await settled(id)).fired).toBe(1);
    await routes.send('PUT', { reactionId: id, active: true });
    await holder.post(seen());
    expect((await settled(id)).fired).toBe(2);
  });

  describe('the replay', () => {
    it('looks at statements of before the reaction was made, and twice changes nothing', async () => {
      const { rules, seen } = story();
      const past = [seen(), seen()];
      for (const statement of past) await holder.post(statement);
      const id = await routes.create({ ruleset: rules });
      expect(await firingsOf(id)).toEqual([]);
      for (const _ of ['once', 'twice']) {
        const answer = await routes.send('POST', { reactionId: id, from: '2020-01-01T00:00:00Z' }, '/replay');
        expectJson(answer, {
          reactionId: id,
          from: '2020-01-01T00:00:00.000000Z',
          through: expect.stringMatching(/Z$/),
        });
        const { firings, replay } = await settled(id);
        const triggers = (firings as Firing[]).map(({ triggerId }) => triggerId);
        expect(triggers.toSorted()).toEqual(past.map((statement) => statement.id).toSorted());
        expect(replay).toEqual({
          ...{
            from: '2020-01-01T00:00:00.000000Z',
            through: expect.any(String),
            reached: expect.any(String),
          },
          ...{ state: 'done', failed: 0, refused: 0, problems: [], error: null },
        });
        expect(Object(replay).reached).toBe(Object(replay).through);
      }
    });

    it('counts what fails by itself, and goes on; when it is repeated it counts anew', async () => {
      const { strictRules, seen } = story();
      await holder.post(seen(), seen({ result: { score: { scaled: 1 } } }), seen());
      const id = await routes.create({ ruleset: strictRules });
      for (const _ of ['once', 'twice']) {
        await routes.send('POST', { reactionId: id, from: '2020-01-01T00:00:00Z' }, '/replay');
        expect(await settled(id)).toMatchObject({
          ...{ active: true, fired: 1, failed: 0, error: null },
          replay: { state: 'done', failed: 2 },
        });
      }
    });

    it('says why matches failed, each reason once, with the last statement that it was found for', async () => {
      const { strictRules, seen } = story();
      const [first, last] = [seen(), seen()];
      for (const statement of [first, last]) await holder.post(statement);
      const id = await routes.create({ ruleset: strictRules });
      const replay = () => routes.send('POST', { reactionId: id, from: '2020-01-01T00:00:00Z' }, '/replay');
      await replay();
      expect((await settled(id)).replay).toMatchObject({
        failed: 2,
        problems: [
          {
            type: 'ReactionTemplateError',
            message: expect.stringContaining('["result","score"]'),
            remedy: expect.stringContaining('take the value out of the template'),
            triggerId: last.id,
            time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          },
        ],
      });
      expect(Object((await settled(id)).replay).problems).toHaveLength(1);
      await routes.send('PUT', { reactionId: id, ruleset: story().rules });
      await replay();
      expect((await settled(id)).replay).toMatchObject({ failed: 0, problems: [] });
    });

    it('says that the id which a template gives is taken', async () => {
      const { rules, seen } = story();
      const taken = seen();
      await holder.post(taken, seen());
      const template = { ...Object(rules.template), id: taken.id };
      const id = await routes.create({ ruleset: { ...rules, template } });
      await routes.send('POST', { reactionId: id, from: '2020-01-01T00:00:00Z' }, '/replay');
      expect((await settled(id)).replay).toMatchObject({
        failed: 2,
        problems: [
          { type: 'ReactionTemplateError', reason: 'id-taken', message: expect.stringMatching(/\S/) },
        ],
      });
    });

    it('does not count once more what has stopped the reaction', async () => {
      const { strictRules, seen } = story();
      const id = await routes.create({ ruleset: strictRules });
      await holder.post(seen());
      expect(await settled(id)).toMatchObject({ active: false, failed: 1 });
      await routes.send('PUT', { reactionId: id, active: true });
      await routes.send('POST', { reactionId: id, from: '2020-01-01T00:00:00Z' }, '/replay');
      expect(await settled(id)).toMatchObject({ active: true, failed: 1, replay: { failed: 1 } });
    });

    it('is done at once where nothing is stored after the time', async () => {
      const id = await routes.create();
      // Nothing is stored any more once all reactions have looked at everything.
      await settled(id);
      const answer = await routes.send('POST', { reactionId: id, from: new Date().toISOString() }, '/replay');
      expect([answer.status, answer.body.toString()]).toEqual([200, expect.any(String)]);
      expect(await routes.details(id)).toMatchObject({ replay: { state: 'done' } });
    });

    it('refuses a time in the future, and members that it does not know', async () => {
      const id = await routes.create();
      const future = await routes.send('POST', { reactionId: id, from: '2999-01-01T00:00:00Z' }, '/replay');
      expectError(future, 400);
      expect(parsed(future)).toMatchObject({
        details: [{ path: 'from', message: expect.stringMatching(/^must not be in the future/) }],
      });
      const body = {
        reactionId: id,
        from: '2020-01-01T00:00:00Z',
        until: '2021-01-01T00:00:00Z',
        dryRun: true,
      };
      const unknown = await routes.send('POST', body, '/replay');
      expectError(unknown, 400);
      expect(parsed(unknown)).toMatchObject({ details: [{ path: 'until' }, { path: 'dryRun' }] });
      expect(await routes.details(id)).not.toHaveProperty('replay');
    });

    it('needs an active reaction, and a time', async () => {
      const from = '2020-01-01T00:00:00Z';
      const paused = await routes.create({ active: false });
      expectError(await routes.send('POST', { reactionId: paused, from }, '/replay'), 400);
      const id = await routes.create();
      expectError(await routes.send('POST', { reactionId: id }, '/replay'), 400);
      expectError(await routes.send('POST', { reactionId: id, from: 'yesterday' }, '/replay'), 400);
      expectError(await routes.send('POST', { reactionId: randomUUID(), from }, '/replay'), 404);
      await routes.send('DELETE', { reactionId: id });
      expectError(await routes.send('POST', { reactionId: id, from }, '/replay'), 404);
    });
  });

  it('is in the audit trail with the reaction that was changed', async () => {
    const newest = async (): Promise<unknown> => {
      const trail = await lrs.call('GET', '/admin/audit', { token, query: 'limit=1' });
      return (parsed(trail) as { events: unknown[] }).events[0];
    };
    const id = await routes.create();
    const change = { kind: 'change', subject: id, outcome: 'done', status: 200 };
    expect(await newest()).toMatchObject({ ...change, action: 'POST /admin/reaction' });
    await routes.send('PUT', { reactionId: id, active: false, title: 'secret of a learner' });
    const filters = { changed: 'active, title', active: 'false' };
    expect(await newest()).toMatchObject({ ...change, action: 'PUT /admin/reaction', filters });
    await routes.send('PUT', { reactionId: id, active: true });
    await routes.send('POST', { reactionId: id, from: '2020-01-01T00:00:00Z' }, '/replay');
    expect(await newest()).toMatchObject({
      ...{ ...change, action: 'POST /admin/reaction/replay' },
      filters: { since: '2020-01-01T00:00:00.000000Z', until: expect.any(String) },
    });
    await routes.send('DELETE', { reactionId: id });
    const deleted = await newest();
    expect(deleted).toMatchObject({ ...change, action: 'DELETE /admin/reaction' });
    await routes.list();
    await routes.details(await routes.create());
    await routes.send('PUT', { reactionId: 'r1' });
    expect(await newest()).toMatchObject({ action: 'PUT /admin/reaction', outcome: 'refused', status: 400 });
  });
});
