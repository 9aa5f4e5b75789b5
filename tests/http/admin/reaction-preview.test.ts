import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NearMissReason } from '../../../lib/reactions/service-types.ts';
import { type Administration, administrations, expectError, expectJson } from '../../support/admin-client.ts';
import { type KeyPairHolder, keyPairHolder } from '../../support/key-pair.ts';
import { parsed, stringMember } from '../../support/lrs-client.ts';
import { reactionRoutes, ruleset, withReactions } from '../../support/reactions.ts';
import { newIri, newStatement } from '../../support/statement-client.ts';
import { voidedVerb } from '../../support/statements.ts';

interface Preview {
  readonly examined: number;
  readonly triggers: number;
  readonly firings: number;
  readonly complete: boolean;
  readonly stoppedBy?: string;
  readonly examples: readonly { readonly statement: object }[];
  readonly failures: readonly object[];
  readonly warnings: readonly object[];
  readonly nearMisses: readonly { readonly trigger: string; readonly reasons: readonly object[] }[];
}

describe.each(administrations)('the preview of a ruleset, on $name', ({ open, shared }) => {
  let lrs: Administration;
  let holder: KeyPairHolder;
  let token: string;

  beforeAll(async () => {
    const more = { LRS_ENABLE_ADMIN_STATUS: 'true', LRS_REACTION_PREVIEW_STATEMENTS: '5000' };
    lrs = await open({ ...withReactions, ...more });
    holder = await keyPairHolder(lrs);
    token = await lrs.firstToken();
  });
  afterAll(() => lrs?.close());

  const send = (body: object, at = lrs) => at.call('POST', '/admin/reaction/preview', { token, body });
  const preview = async (body: object, at = lrs): Promise<Preview> => {
    const answer = await send(body, at);
    expect(answer.status, answer.body.toString()).toBe(200);
    return parsed(answer) as Preview;
  };
  const count = async (): Promise<unknown> =>
    parsed(await lrs.call('GET', '/admin/status', { token, query: 'include=statement-count' }));
  const storedTime = async (id: string): Promise<string> => {
    const answer = await holder.xapi('GET', '/xapi/statements', { query: `statementId=${id}` });
    return stringMember(answer, 'stored');
  };

  const newestEntry = async (): Promise<unknown> => {
    const trail = await lrs.call('GET', '/admin/audit', { token, query: 'limit=1' });
    return (parsed(trail) as { events: unknown[] }).events[0];
  };

  /** A ruleset of two conditions on one activity, and statements of one learner for it. */
  function story() {
    const [passed, survey, object] = [newIri('verbs'), newIri('verbs'), newIri('activities')];
    const actor = { mbox: `mailto:${randomUUID()}@example.org` };
    const rules = ruleset({
      conditions: {
        quiz: {
          and: [
            { path: ['verb', 'id'], op: 'eq', val: passed },
            { path: ['object', 'id'], op: 'eq', val: object },
            { path: ['result', 'score', 'scaled'], op: 'gte', val: 0.8 },
          ],
        },
        survey: { path: ['verb', 'id'], op: 'eq', val: survey },
      },
      template: {
        actor: { $templatePath: ['quiz', 'actor'] },
        verb: { id: 'https://example.org/verbs/certified' },
        object: { id: object },
        result: { score: { $templatePath: ['quiz', 'result', 'score'] } },
      },
    });
    const quiz = (scaled: number) =>
      newStatement({ actor, verb: { id: passed }, object: { id: object }, result: { score: { scaled } } });
    const answered = () => newStatement({ actor, verb: { id: survey } });
    return { rules, quiz, answered };
  }

  it('tells how often a ruleset would fire, with examples of what it generates', async () => {
    const { rules, quiz, answered } = story();
    const [first, second] = [quiz(0.9), answered()];
    await holder.post(first, second, newStatement());
    const found = await preview({ ruleset: rules, statements: 3 });
    expect(found).toMatchObject({ examined: 3, triggers: 1, firings: 1, failures: [] });
    expect(found.examples).toEqual([
      {
        trigger: second.id,
        matched: { quiz: first.id, survey: second.id },
        statement: {
          actor: expect.objectContaining({ mbox: first.actor.mbox }),
          verb: { id: 'https://example.org/verbs/certified' },
          object: { id: first.object.id },
          result: { score: { scaled: 0.9 } },
          authority: expect.objectContaining({ objectType: 'Agent' }),
        },
      },
    ]);
  });

  it('counts matches as failures whose statements have an id that is taken', async () => {
    const { rules, quiz } = story();
    const id = randomUUID();
    const { quiz: condition } = Object(rules.conditions);
    const template = { ...Object(rules.template), id };
    const ruleset = { ...rules, conditions: { quiz: condition }, template };
    await holder.post(quiz(0.8), quiz(0.9), quiz(1), quiz(1));
    const found = await preview({ ruleset, statements: 4 });
    const failure = { type: 'ReactionTemplateError', reason: 'id-taken', matches: 2 };
    expect(found).toMatchObject({ triggers: 4, firings: 1, failures: [failure] });
    expect(found.examples).toMatchObject([{ statement: { id, result: { score: { scaled: 1 } } } }]);
    expect(found.warnings).toMatchObject([{ path: '$.template.id', rule: 'fixed-id' }]);
    const stored = newStatement({ id });
    await holder.post(stored);
    const again = await preview({ ruleset, statements: 5 });
    expect(again).toMatchObject({ firings: 0, examples: [], failures: [{ reason: 'id-taken', matches: 4 }] });
    await holder.post(newStatement({ verb: { id: voidedVerb }, object: { objectType: 'StatementRef', id } }));
    expect(await preview({ ruleset, statements: 6 })).toMatchObject({ failures: [{ matches: 4 }] });
  });

  it('writes nothing', async () => {
    const { rules, quiz, answered } = story();
    await holder.post(quiz(1), answered());
    const before = await count();
    expect(await preview({ ruleset: rules })).toMatchObject({ firings: 1 });
    expect(await count()).toEqual(before);
    const { reactions } = parsed(await reactionRoutes(lrs, token).send('GET')) as { reactions: object[] };
    expect(reactions).toEqual([]);
  });

  it('says first what lacks least: the one clause that does not hold, with what is expected and what was found', async () => {
    const { rules, quiz } = story();
    const near = quiz(0.79);
    await holder.post(near, newStatement());
    const { nearMisses } = await preview({ ruleset: rules, statements: 2 });
    expect(nearMisses[0]).toEqual({
      trigger: near.id,
      condition: 'quiz',
      reasons: [{ path: '$.conditions.quiz.and[2]', op: 'gte', expected: '0.8', found: '0.79' }],
      statements: 1,
    });
  });

  it('says first of statements that lack as much what has the Verb', async () => {
    const { rules, quiz } = story();
    const near = quiz(0.7);
    const { id: _, ...other } = quiz(0.9);
    await holder.post(near, { ...other, verb: { id: newIri('verbs') } });
    const { nearMisses } = await preview({ ruleset: rules, statements: 2 });
    expect(nearMisses).toMatchObject([
      { trigger: near.id },
      { reasons: [{ path: expect.stringMatching(/and\[0\]$/) }] },
    ]);
  });

  it('leaves out what reactions have generated where it says what nearly triggers', async () => {
    const verb = { id: newIri('verbs') };
    const made = { id: newIri('verbs') };
    const routes = reactionRoutes(lrs, token);
    const template = {
      ...Object(ruleset().template),
      verb: made,
      object: { $templatePath: ['seen', 'object'] },
    };
    const conditions = { seen: { path: ['verb', 'id'], op: 'eq', val: verb.id } };
    const reactionId = await routes.create({ ruleset: ruleset({ conditions, template }) });
    const trigger = newStatement({ verb });
    await holder.post(trigger);
    await expect
      .poll(async () => {
        await lrs.settle();
        return (await routes.details(reactionId)).fired;
      })
      .toBe(1);
    await routes.send('DELETE', { reactionId });
    const { id } = trigger.object as { readonly id: string };
    const wanted = { path: ['object', 'id'], op: 'eq', val: id };
    const strict = { and: [wanted, { path: ['result', 'success'], op: 'eq', val: true }] };
    const { nearMisses } = await preview({ ruleset: ruleset({ conditions: { seen: strict } }) });
    expect(nearMisses).toMatchObject([{ trigger: trigger.id, statements: 1 }]);
  });

  it('says which condition finds no statement where another one is fulfilled', async () => {
    const { rules, quiz } = story();
    const alone = quiz(0.9);
    await holder.post(alone);
    const { nearMisses } = await preview({ ruleset: rules, statements: 1 });
    expect(nearMisses).toEqual([
      {
        trigger: alone.id,
        condition: 'quiz',
        reasons: [
          {
            path: '$.conditions.survey',
            op: 'partner',
            expected: JSON.stringify({ 'actor.mbox': alone.actor.mbox }),
            found: null,
          },
        ],
        statements: 1,
      },
    ]);
  });

  /** Three failed attempts, each stored after the one before. */
  function attempts() {
    const [verb, actor] = [{ id: newIri('verbs') }, { mbox: `mailto:${randomUUID()}@example.org` }];
    const isFailed = { path: ['verb', 'id'], op: 'eq', val: verb.id };
    const isAfter = (condition: string) => ({
      path: ['stored'],
      op: 'gt',
      ref: { condition, path: ['stored'] },
    });
    const rules = ruleset({
      conditions: {
        first: isFailed,
        second: { and: [isFailed, isAfter('first')] },
        third: { and: [isFailed, isAfter('second')] },
      },
      template: { actor: { $templatePath: ['third', 'actor'] } },
    });
    return { rules, attempt: () => newStatement({ actor, verb }) };
  }

  it('names the condition that finds nothing together with the others where a statement fulfils each by itself', async () => {
    const { rules, attempt } = attempts();
    const [older, newer] = [attempt(), attempt()];
    await holder.post(older);
    await holder.post(newer);
    const { nearMisses } = await preview({ ruleset: rules, statements: 2 });
    const missOf = (id: string) => Object(nearMisses.find(({ trigger }) => trigger === id));
    const [before, after] = [await storedTime(older.id), await storedTime(newer.id)];
    expect(missOf(newer.id)).toMatchObject({
      condition: 'third',
      reasons: [{ path: '$.conditions.second', op: 'partner', found: null }],
    });
    expect(JSON.parse(missOf(newer.id).reasons[0].expected)).toMatchObject({
      stored: { gt: before, lt: after },
    });
    expect(missOf(older.id)).toMatchObject({
      condition: 'third',
      reasons: [{ path: '$.conditions.first' }, { path: '$.conditions.second' }],
    });
  });

  it('names of several conditions only those that find nothing', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map(() => newIri('verbs'));
    const actor = { mbox: `mailto:${randomUUID()}@example.org` };
    const is = (val: string | undefined) => ({ path: ['verb', 'id'], op: 'eq', val: val ?? '' });
    const rules = ruleset({ conditions: { a: is(a), b: is(b), c: is(c) } });
    const last = newStatement({ actor, verb: { id: c ?? '' } });
    await holder.post(newStatement({ actor, verb: { id: a ?? '' } }));
    await holder.post(last);
    const { nearMisses } = await preview({ ruleset: rules, statements: 1 });
    expect(nearMisses).toMatchObject([
      { trigger: last.id, condition: 'c', reasons: [{ path: '$.conditions.b', op: 'partner' }] },
    ]);
  });

  it('demands of no partner that it is stored after the statement', async () => {
    const [begun, ended] = [newIri('verbs'), newIri('verbs')];
    const conditions = {
      begun: { path: ['verb', 'id'], op: 'eq', val: begun },
      ended: {
        and: [
          { path: ['verb', 'id'], op: 'eq', val: ended },
          { path: ['stored'], op: 'gt', ref: { condition: 'begun', path: ['stored'] } },
        ],
      },
    };
    const last = newStatement({ verb: { id: ended } });
    const actor = { mbox: `mailto:${randomUUID()}@example.org` };
    await holder.post(newStatement({ actor, verb: { id: begun } }), last);
    const { nearMisses } = await preview({ ruleset: ruleset({ conditions }), statements: 2 });
    expect(nearMisses).toMatchObject([{ trigger: last.id, reasons: [{ path: '$.conditions.begun' }] }]);
  });

  const reasonsOf = (miss: unknown): NearMissReason[] => Object(miss).reasons;

  /** `ended` has to have the registration of `begun`, and `rated` the platform of `ended`. */
  function course() {
    const verbs = { begun: newIri('verbs'), ended: newIri('verbs'), rated: newIri('verbs') };
    const actor = { mbox: `mailto:${randomUUID()}@example.org` };
    const isVerb = (val: string) => ({ path: ['verb', 'id'], op: 'eq', val });
    const isAsIn = (condition: string, path: readonly string[]) => ({
      path,
      op: 'eq',
      ref: { condition, path },
    });
    const registration = ['context', 'registration'];
    const rules = ruleset({
      conditions: {
        begun: isVerb(verbs.begun),
        ended: { and: [isVerb(verbs.ended), isAsIn('begun', registration)] },
        rated: { and: [isVerb(verbs.rated), isAsIn('ended', ['context', 'platform'])] },
      },
      template: { actor: { $templatePath: ['begun', 'actor'] } },
    });
    const stored = (name: keyof typeof verbs, context: object) =>
      newStatement({ actor, verb: { id: verbs[name] }, context });
    return { rules, stored, actor };
  }

  it('shows a ref to another statement that is missing as it stands in the ruleset', async () => {
    const { rules, stored, actor } = course();
    const registration = randomUUID();
    await holder.post(stored('begun', { registration }));
    const { nearMisses } = await preview({ ruleset: rules, statements: 1 });
    const [ended, rated] = reasonsOf(nearMisses[0]);
    expect([ended?.path, rated?.path]).toEqual(['$.conditions.ended', '$.conditions.rated']);
    const ref = (condition: string) => ({ ref: { condition, path: ['context', 'platform'] } });
    expect(JSON.parse(String(ended?.expected))).toEqual({
      ...{ 'actor.mbox': actor.mbox, 'context.registration': registration },
      'context.platform': ref('rated'),
    });
    expect(JSON.parse(String(rated?.expected))).toEqual({
      'actor.mbox': actor.mbox,
      'context.platform': ref('ended'),
    });
  });

  it('says what a partner has to share with a statement that is found beside the one that lacks it', async () => {
    const { rules, stored, actor } = course();
    const registration = randomUUID();
    await holder.post(stored('rated', { platform: 'web' }));
    await holder.post(stored('begun', { registration }));
    const { nearMisses } = await preview({ ruleset: rules, statements: 1 });
    expect(nearMisses).toMatchObject([{ condition: 'begun', reasons: [{ path: '$.conditions.ended' }] }]);
    expect(JSON.parse(String(reasonsOf(nearMisses[0])[0]?.expected))).toEqual({
      ...{ 'actor.mbox': actor.mbox, 'context.registration': registration },
      'context.platform': 'web',
    });
  });

  it('leaves statements out that have taken part in a firing', async () => {
    const { rules, attempt } = attempts();
    const all = [attempt(), attempt(), attempt()];
    for (const each of all) await holder.post(each);
    const found = await preview({ ruleset: rules, statements: 3 });
    expect(found).toMatchObject({ examined: 3, triggers: 1, nearMisses: [] });
  });

  it('names the comparisons because of which `not` and `or` do not hold', async () => {
    const verb = { id: newIri('verbs') };
    const is = (path: string, val: boolean | number) => ({ path: ['result', path], op: 'eq', val });
    const conditions = {
      a: {
        and: [
          { path: ['verb', 'id'], op: 'eq', val: verb.id },
          { not: { and: [is('success', true), is('completion', true)] } },
          { not: { or: [is('success', false), { path: ['result', 'duration'], op: 'eq', val: 'PT1S' }] } },
          { or: [is('success', false), is('completion', false)] },
        ],
      },
    };
    const near = newStatement({ verb, result: { success: true, completion: true } });
    await holder.post(near);
    const { nearMisses } = await preview({ ruleset: ruleset({ conditions }), statements: 1 });
    const at = (index: number, rest: string) => `$.conditions.a.and[${index}].${rest}`;
    expect(nearMisses).toMatchObject([
      {
        trigger: near.id,
        reasons: [
          { path: at(1, 'not.and[0]'), op: 'not eq', expected: 'true', found: 'true' },
          { path: at(1, 'not.and[1]'), op: 'not eq', expected: 'true', found: 'true' },
          { path: at(2, 'not.or[1]'), op: 'not eq', expected: '"PT1S"', found: null },
          { path: at(3, 'or[0]'), op: 'eq', expected: 'false', found: 'true' },
          { path: at(3, 'or[1]'), op: 'eq', expected: 'false', found: 'true' },
        ],
      },
    ]);
  });

  it('counts near misses with the same reasons, of which it shows the newest', async () => {
    const { rules, quiz } = story();
    const [older, newer] = [quiz(0.9), quiz(0.9)];
    await holder.post(older);
    await holder.post(quiz(0.9), newer);
    const { nearMisses } = await preview({ ruleset: rules, statements: 3 });
    expect(nearMisses).toMatchObject([{ trigger: newer.id, statements: 3 }]);
  });

  it('says of a partner that is missing what each ref between the two conditions compares', async () => {
    const [begun, ended] = [{ id: newIri('verbs') }, { id: newIri('verbs') }];
    const registration = randomUUID();
    const refTo = (condition: string, path: readonly string[]) => ({ condition, path });
    const rules = ruleset({
      conditions: {
        begun: {
          and: [
            { path: ['verb', 'id'], op: 'eq', val: begun.id },
            { path: ['timestamp'], op: 'lt', ref: refTo('ended', ['timestamp']) },
          ],
        },
        ended: {
          and: [
            { path: ['verb', 'id'], op: 'eq', val: ended.id },
            {
              path: ['context', 'registration'],
              op: 'eq',
              ref: refTo('begun', ['context', 'registration']),
            },
            { path: ['result', 'response'], op: 'like', ref: refTo('begun', ['result', 'response']) },
            { path: ['object', 'id'], op: 'noteq', ref: refTo('ended', ['verb', 'id']) },
          ],
        },
      },
      template: { actor: { $templatePath: ['begun', 'actor'] } },
    });
    const timestamp = '2024-05-06T07:08:09.000Z';
    const first = newStatement({ verb: begun, timestamp, context: { registration } });
    await holder.post(first);
    const second = newStatement({ verb: ended, timestamp, result: { response: 'long' } });
    await holder.post(second);
    const { nearMisses } = await preview({ ruleset: rules, statements: 2 });
    const expectedOf = (id: string) => {
      const miss = nearMisses.find(({ trigger }) => trigger === id);
      return JSON.parse(String(Reflect.get(miss?.reasons[0] ?? {}, 'expected')));
    };
    const mailbox = (statement: object) => Reflect.get(Reflect.get(statement, 'actor'), 'mbox');
    // Of a statement that has begun: one that ended it.
    expect(expectedOf(first.id)).toEqual({
      'actor.mbox': mailbox(first),
      'context.registration': registration,
      'result.response': { like: null },
      timestamp: { gt: timestamp },
    });
    // The other way round; it has no registration.
    expect(expectedOf(second.id)).toEqual({
      'actor.mbox': mailbox(second),
      timestamp: { lt: timestamp },
      'context.registration': null,
      'result.response': { patternFor: 'long' },
    });
  });

  it('says that a statement has none of the identity paths', async () => {
    const { rules, answered } = story();
    const account = { homePage: 'https://example.org', name: randomUUID() };
    await holder.post({ ...answered(), actor: { account } });
    const { nearMisses } = await preview({ ruleset: rules, statements: 1 });
    expect(nearMisses).toMatchObject([
      { reasons: [{ path: '$.identityPaths', op: 'identity', expected: '["actor.mbox"]', found: null }] },
    ]);
  });

  it('leaves statements out that have neither the Verb nor the Object, and says first what lacks least', async () => {
    const [verb, object] = [{ id: newIri('verbs') }, { id: newIri('activities') }];
    const conditions = {
      quiz: {
        and: [
          { path: ['verb', 'id'], op: 'eq', val: verb.id },
          { path: ['object', 'id'], op: 'eq', val: object.id },
          { path: ['result', 'success'], op: 'eq', val: true },
          { path: ['result', 'completion'], op: 'eq', val: true },
        ],
      },
      other: { path: ['verb', 'id'], op: 'eq', val: newIri('verbs') },
    };
    const done = { success: true, completion: true };
    const unrelated = newStatement({ result: done });
    const far = newStatement({ verb, result: {} });
    const otherVerb = newStatement({ object, result: done });
    const near = newStatement({ verb, object, result: { success: true } });
    for (const statement of [near, otherVerb, far, unrelated]) await holder.post(statement);
    const { nearMisses } = await preview({ ruleset: ruleset({ conditions }), statements: 4 });
    expect(nearMisses.map(({ trigger, reasons }) => [trigger, reasons.length])).toEqual([
      [near.id, 1],
      [otherVerb.id, 1],
      [far.id, 3],
    ]);
  });

  it('leaves statements of other Verbs out where the Object is compared with that of another statement', async () => {
    const begun = newIri('verbs');
    const conditions = {
      begun: { path: ['verb', 'id'], op: 'eq', val: begun },
      ended: {
        and: [
          { path: ['verb', 'id'], op: 'eq', val: newIri('verbs') },
          { path: ['object', 'id'], op: 'eq', ref: { condition: 'begun', path: ['object', 'id'] } },
        ],
      },
    };
    const first = newStatement({ verb: { id: begun } });
    await holder.post(first, newStatement());
    const { nearMisses } = await preview({ ruleset: ruleset({ conditions }), statements: 2 });
    expect(nearMisses).toMatchObject([{ trigger: first.id, reasons: [{ op: 'partner' }] }]);
  });

  it('leaves statements out of which less holds than not where neither Verb nor Object is wanted', async () => {
    const conditions = {
      long: {
        and: [
          { path: ['result', 'response'], op: 'like', val: 'x%' },
          { path: ['result', 'success'], op: 'eq', val: true },
          { path: ['result', 'completion'], op: 'eq', val: true },
        ],
      },
    };
    const near = newStatement({ result: { response: 'x', success: true } });
    await holder.post(near, newStatement({ result: { success: true } }), newStatement());
    const { nearMisses } = await preview({ ruleset: ruleset({ conditions }), statements: 3 });
    expect(nearMisses.map(({ trigger }) => trigger)).toEqual([near.id]);
  });

  it('counts together the learners of whom no statement fulfils a condition', async () => {
    const { rules, quiz } = story();
    const of = () => ({ ...quiz(0.9), actor: { mbox: `mailto:${randomUUID()}@example.org` } });
    await holder.post(of(), of(), of());
    const { nearMisses } = await preview({ ruleset: rules, statements: 3 });
    expect(nearMisses).toMatchObject([{ statements: 3, reasons: [{ op: 'partner' }] }]);
  });

  it('shows values of near misses cut after 200 characters', async () => {
    const verb = { id: newIri('verbs') };
    const conditions = {
      a: {
        and: [
          { path: ['verb', 'id'], op: 'eq', val: verb.id },
          { path: ['result', 'response'], op: 'eq', val: 'x'.repeat(500) },
        ],
      },
    };
    await holder.post(newStatement({ verb, result: { response: '😀'.repeat(5000) } }));
    const { nearMisses } = await preview({ ruleset: ruleset({ conditions }), statements: 1 });
    const lengths = ['expected', 'found'].map(
      (name) => Array.from(String(Reflect.get(nearMisses[0]?.reasons[0] ?? {}, name))).length,
    );
    expect(lengths).toEqual([200, 200]);
  });

  it('counts failures of the template by match', async () => {
    const { rules, quiz, answered } = story();
    const template = { ...Object(rules.template), result: { $templatePath: ['survey', 'result'] } };
    await holder.post(quiz(0.9), quiz(0.95), answered());
    const found = await preview({ ruleset: { ...rules, template }, statements: 3 });
    expect(found).toMatchObject({ triggers: 1, firings: 0, examples: [] });
    expect(found.failures).toEqual([
      {
        trigger: expect.any(String),
        type: 'ReactionTemplateError',
        message: expect.stringContaining('survey'),
        matches: 2,
      },
    ]);
  });

  it('fails in words where a condition refers to one that is not there', async () => {
    const { rules, answered } = story();
    await holder.post(answered());
    const conditions = {
      a: { path: ['timestamp'], op: 'gt', ref: { condition: 'nobody', path: ['timestamp'] } },
    };
    const found = await preview({ ruleset: { ...rules, conditions }, statements: 1 });
    expect(found.failures).toMatchObject([
      {
        type: 'ReactionQueryError',
        reason: 'unknown-condition',
        message:
          'The comparison of timestamp at $.conditions.a has a `ref` to the condition "nobody", which does not exist. The conditions are "a".',
        matches: 1,
      },
    ]);
  });

  it.each([
    ['before', (verb: object, wrong: object) => [wrong, verb]],
    ['behind', (verb: object, wrong: object) => [verb, wrong]],
  ])(
    'fails by a `ref` %s a Verb only on statements that have this Verb, as when they are stored',
    async (_, and) => {
      const { rules, quiz, answered } = story();
      const [first] = Object(rules.conditions).quiz.and;
      const wrong = { path: ['timestamp'], op: 'gt', ref: { condition: 'nobody', path: ['timestamp'] } };
      await holder.post(quiz(0.9), answered(), answered());
      const found = await preview({
        ruleset: { ...rules, conditions: { quiz: { and: and(first, wrong) } } },
        statements: 3,
      });
      expect(found).toMatchObject({ examined: 3, failures: [{ reason: 'unknown-condition', matches: 1 }] });
    },
  );

  it('examines a range of time', async () => {
    const { rules, quiz, answered } = story();
    const first = quiz(0.9);
    await holder.post(first);
    const time = await storedTime(first.id);
    await holder.post(answered());
    expect(await preview({ ruleset: rules, since: time })).toMatchObject({ examined: 1, firings: 1 });
    expect(await preview({ ruleset: rules, until: time, statements: 1 })).toMatchObject({
      ...{ examined: 1, firings: 0, complete: false, stoppedBy: 'statements' },
    });
    expectError(await send({ ruleset: rules, since: 'yesterday' }), 400);
  });

  it('says without a range, too, that there are older statements than those it has examined', async () => {
    await holder.post(newStatement(), newStatement());
    expect(await preview({ ruleset: ruleset(), statements: 1 })).toMatchObject({
      ...{ examined: 1, complete: false, stoppedBy: 'statements' },
    });
  });

  it('is complete where the range holds exactly as many statements as were asked for', async () => {
    const [first, last] = [newStatement(), newStatement()];
    await holder.post(first);
    const since = await storedTime(first.id);
    await holder.post(last);
    const found = await preview({ ruleset: ruleset(), since, statements: 1 });
    expect(found).toMatchObject({ examined: 1, complete: true });
    expect(found).not.toHaveProperty('stoppedBy');
  });

  it('refuses a range that ends before it begins, and members that it does not know', async () => {
    const [early, late] = ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000001Z'];
    const reversed = await send({ ruleset: ruleset(), since: late, until: early });
    expectError(reversed, 400);
    expect(parsed(reversed)).toMatchObject({
      details: [{ path: 'since', message: 'must not be after until' }],
    });
    expect(await preview({ ruleset: ruleset(), since: early, until: early })).toMatchObject({ examined: 0 });
    const unknown = await send({ ruleset: ruleset(), title: 'x', statement: 5, limit: 5 });
    expectError(unknown, 400);
    expect(parsed(unknown)).toMatchObject({
      details: [{ path: 'title' }, { path: 'statement' }, { path: 'limit' }],
    });
  });

  it('does not count voided statements', async () => {
    const { rules, quiz, answered } = story();
    const voided = quiz(0.9);
    await holder.post(voided, answered());
    await holder.post(
      newStatement({ verb: { id: voidedVerb }, object: { objectType: 'StatementRef', id: voided.id } }),
    );
    expect(await preview({ ruleset: rules, statements: 2 })).toMatchObject({ firings: 0 });
  });

  it('refuses a ruleset that breaks a rule, and more statements than the setting permits', async () => {
    const answer = await send({ ruleset: { conditions: {} } });
    expectError(answer, 400);
    expect(parsed(answer)).toMatchObject({ details: expect.any(Array) });
    const many = await send({ ruleset: ruleset(), statements: 5001 });
    expectError(many, 400);
    expect(many.body.toString()).toContain('lrs.reactionPreviewStatements');
    for (const statements of [0, 1.5, '10', null])
      expectError(await send({ ruleset: ruleset(), statements }), 400);
    const both = await send({ ruleset: ruleset({ identityPaths: 'actor.mbox' }), statements: 'all' });
    expect(parsed(both)).toMatchObject({ details: [{ path: 'statements' }, { path: '$.identityPaths' }] });
  });

  it('gives warnings', async () => {
    const answer = await preview({ ruleset: ruleset({ identityPath: [] }) });
    expect(answer).toMatchObject({ warnings: [{ path: '$.identityPath' }] });
  });

  it('is in the audit trail as a dry run with what it looked at', async () => {
    expectJson(await send({ ruleset: ruleset(), until: '2020-01-01T00:00:00.000007Z' }), {
      ...{ examined: 0, triggers: 0, firings: 0, complete: true },
      ...{ examples: [], failures: [], nearMisses: [], warnings: [] },
    });
    expect(await newestEntry()).toMatchObject({
      kind: 'disclosure',
      action: 'POST /admin/reaction/preview (dry run)',
      filters: { statements: '1000', until: '2020-01-01T00:00:00.000007Z' },
      counts: { statements: 0, firings: 0 },
      outcome: 'done',
    });
  });

  it('shares an entry of the audit trail with those of the same operator and range, which counts them', async () => {
    const { rules, quiz } = story();
    const until = await storedTime((await holder.post(quiz(0.9)))[0] ?? '');
    const previews: Preview[] = [];
    for (const least of [0.5, 0.6, 0.7]) {
      const seen = { path: ['result', 'score', 'scaled'], op: 'gte', val: least };
      previews.push(await preview({ until, ruleset: { ...rules, conditions: { quiz: seen } } }));
    }
    const sum = (member: 'examined' | 'firings') => previews.reduce((all, each) => all + each[member], 0);
    expect(await newestEntry()).toMatchObject({
      action: 'POST /admin/reaction/preview (dry run)',
      filters: { until },
      counts: { statements: sum('examined'), firings: sum('firings') },
      times: 3,
    });
  });

  if (shared)
    it('ends when it has read enough bytes or taken long enough, and says so', async () => {
      const { rules } = story();
      const long = () => newStatement({ result: { response: 'x'.repeat(30_000) } });
      await holder.post(long(), long(), long(), long());
      const few = await lrs.elsewhere({ LRS_REACTION_PREVIEW_BYTES: '65536' });
      expect(await preview({ ruleset: rules }, few)).toMatchObject({ complete: false, stoppedBy: 'bytes' });
    });
});
