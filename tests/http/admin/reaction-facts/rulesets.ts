import { expect, it } from 'vitest';
import { parsed } from '../../../support/lrs-client.ts';
import { extensionPath, type ReactionClient, type RulesetParts } from '../../../support/reaction-client.ts';

const mbox = ['actor', 'mbox'];

/** A comparison, and below it the place where it breaks a rule, e.g. `.path[1]`. */
type Broken = readonly [comparison: unknown, place: string];

const compare = (path: unknown, op: unknown, operand: object) => ({ path, op, ...operand });
const reference = (...path: unknown[]) => ({ ref: { condition: 'a', path } });

export function rulesetFacts(client: ReactionClient): void {
  /** The status of a new reaction with these parts, and where its ruleset breaks a rule. */
  async function verdict(parts: RulesetParts): Promise<{ status: number; places: string[] }> {
    const answer = await client.tryToReact(parts);
    const details: { path: string }[] = Object(parsed(answer)).details ?? [];
    return { status: answer.status, places: details.map(({ path }) => path) };
  }
  const accepts = async (parts: RulesetParts): Promise<void> =>
    expect([parts, await verdict(parts)]).toEqual([parts, { status: 200, places: [] }]);
  const refuses = async (parts: RulesetParts, ...places: readonly string[]): Promise<void> =>
    expect([parts, await verdict(parts)]).toEqual([parts, { status: 400, places }]);
  const acceptsAll = (and: readonly unknown[]): Promise<void> => accepts({ conditions: { a: { and } } });
  const refusesAll = (broken: readonly Broken[]): Promise<void> =>
    refuses(
      { conditions: { a: { and: broken.map(([comparison]) => comparison) } } },
      ...broken.map(([, place], index) => `$.conditions.a.and[${index}]${place}`),
    );

  it('section 2.1: identityPaths is a required array, which may be empty', async () => {
    for (const identityPaths of [undefined, null, {}, 'actor.mbox'])
      await refuses({ identityPaths }, '$.identityPaths');
    await accepts({ identityPaths: [] });
  });

  it('section 2.2: each identity path leads to a single value of a statement', async () => {
    await accepts({ identityPaths: [mbox, ['actor', 'account', 'name'], extensionPath] });
    await refuses(
      {
        identityPaths: [
          ...[mbox, ['actor'], ['context', 'contextActivities', 'parent'], ['actor', 'email'], 'mbox', []],
        ],
      },
      ...['[1]', '[2]', '[3][1]', '[4]', '[5]'].map((place) => `$.identityPaths${place}`),
    );
  });

  it('section 2.3: conditions is a required object with at least one condition', async () => {
    for (const conditions of [undefined, null, [], {}]) await refuses({ conditions }, '$.conditions');
  });

  it('section 2.4: a condition may have any name', async () => {
    const names = ['', 'my / @quiz', '@a', 'ünïcode 🎓', '"quoted"', '0', '__proto__'];
    const conditions = Object.fromEntries(names.map((name) => [name, client.isDone()]));
    const extensions = Object.fromEntries(
      names.map((name, index) => [`https://example.org/${index}`, { $templatePath: [name, 'id'] }]),
    );
    const reaction = await client.react({
      conditions,
      template: client.template({ result: { extensions } }),
    });
    const [id] = await client.post(client.done());
    const [firing] = await client.firings(reaction);
    expect(Object.entries(firing?.matched ?? {}).sort()).toEqual(names.map((name) => [name, id]).sort());
    const [generated] = await client.generated(reaction);
    expect(Object.values(generated?.result?.extensions ?? {})).toEqual(names.map(() => id));
  });

  it('section 2.5: template is required, and may be any JSON, which is not checked as a statement', async () => {
    await refuses({ template: undefined }, '$.template');
    for (const template of [null, 17, 'text', [], {}, { actor: 'nobody' }]) await accepts({ template });
  });

  it('section 2.6: other members of a ruleset are accepted, stored and returned', async () => {
    const note = { for: ['colleagues', 1, null] };
    const id = await client.react({ note });
    expect(await client.reaction(id)).toMatchObject({ ruleset: client.ruleset({ note }) });
  });

  it('section 2.7: a condition is `and` or `or` of at least one, `not` of one, or a comparison, one in another', async () => {
    const done = client.isDone();
    let deep: unknown = done;
    for (let depth = 0; depth < 7; depth++) deep = { not: { not: { and: [{ or: [deep] }] } } };
    await acceptsAll([{ and: [done] }, { or: [done] }, { not: { not: done } }, done, deep]);
    await refusesAll([
      ...[null, [], 'done', [done], compare(mbox, 'eq', {})].map((condition) => [condition, ''] as const),
      ...[[], done].map((and) => [{ and }, '.and'] as const),
      ...[[], done].map((or) => [{ or: [{ or }] }, '.or[0].or'] as const),
      [{ not: [done] }, '.not'],
    ]);
  });

  it('section 2.8: a condition with several of `and`, `or`, `not` and a comparison counts by the first of them', async () => {
    const done = client.isDone();
    const never = compare(['verb', 'id'], 'eq', { val: `${client.verb}-never` });
    const hold = [
      { and: [done], or: [never], not: done, ...never },
      { or: [done], not: done, ...never },
      { not: never, ...never },
    ];
    await client.expectFulfilled({}, { hold, fail: [{ and: [never], or: [done], not: never, ...done }] });
  });

  it('section 2.9: that a ref names a condition is not checked on save; one that names none is an error at run time', async () => {
    const ref = { condition: 'nowhere', path: ['id'] };
    const a = client.isDoneAnd(compare(['id'], 'eq', { ref }));
    const reaction = await client.react({ conditions: { a } });
    await client.post(client.done());
    expect(await client.reaction(reaction)).toMatchObject({
      active: false,
      error: { type: 'ReactionQueryError', message: expect.stringContaining('"nowhere"') },
    });
    await refusesAll([
      [compare(['id'], 'eq', { ref: { condition: 1, path: ['id'] } }), '.ref.condition'],
      [compare(['id'], 'eq', { ref: { condition: 'a' } }), '.ref.path'],
    ]);
  });

  it('section 2.10: a path is an array of strings and non-negative integers', async () => {
    const at = (path: unknown) => compare(path, 'eq', { val: 'x' });
    const long = [...extensionPath, ...Array.from({ length: 29 }, (_, step) => step)];
    await acceptsAll([at(['context', 'contextActivities', 'parent', 0, 'id']), at(long)]);
    await refusesAll([
      ...['verb.id', null, [], {}].map((path) => [at(path), '.path'] as const),
      ...[-1, 1.5, null, true, ['id']].map((step) => [at([...extensionPath, step]), '.path[3]'] as const),
    ]);
  });

  it('section 2.12: whatever index a path has, what follows it is checked alike', async () => {
    const at = (index: number, member: string) =>
      compare(['context', 'contextActivities', 'grouping', index, member], 'eq', { val: 'x' });
    const indexes = [0, 1, 9_999];
    await acceptsAll(indexes.map((index) => at(index, 'id')));
    await refusesAll(indexes.map((index) => [at(index, 'mbox'), '.path[4]']));
  });

  const texts = [
    ...[['id'], ['timestamp'], ['verb', 'display', 'en-US'], ['object', 'objectType'], ['authority', 'name']],
    ...[
      ['object', 'definition', 'description', 'de'],
      ['context', 'registration'],
      ['attachments', 0, 'sha2'],
    ],
  ];
  const scores = ['raw', 'min', 'max', 'scaled'].map((name) => ['result', 'score', name]);
  const booleans = ['success', 'completion'].map((name) => ['result', name]);
  it.each<[string, string, readonly (readonly (string | number)[])[], unknown, unknown]>([
    ['2.13', 'text', texts, 'x', 1],
    ['2.14', 'a number', [...scores, ['attachments', 0, 'length']], 1, '1'],
    ['2.15', 'true or false', booleans, true, 'true'],
  ])(
    'section %s: some places have %s, and are compared with nothing else',
    async (_, __, paths, val, other) => {
      await acceptsAll(paths.map((path) => compare(path, 'noteq', { val })));
      await refusesAll([
        ...paths.map((path) => [compare(path, 'noteq', { val: other }), '.val'] as const),
        ...paths.map((path) => [compare([...path, 'x'], 'noteq', { val }), `.path[${path.length}]`] as const),
      ]);
    },
  );

  it('section 2.16: below extensions there may be any single value', async () => {
    const places = [
      ['result', 'extensions'],
      ['context', 'extensions'],
      ['object', 'definition', 'extensions'],
      ['context', 'contextActivities', 'other', 3, 'definition', 'extensions'],
    ];
    const values = ['text', 1.5, true, false, null];
    await acceptsAll(
      places.flatMap((place) =>
        values.map((val) => compare([...place, 'https://example.org/x', 'y', 2], 'eq', { val })),
      ),
    );
  });

  it('section 2.17: a path that no statement can have is refused', async () => {
    const at = (...path: unknown[]) => compare(path, 'eq', { val: 'x' });
    await refusesAll([
      [at('verb', 'ID'), '.path[1]'],
      [at('reslt', 'response'), '.path[0]'],
      [at('actor', 0), '.path[1]'],
      [at('object'), '.path'],
    ]);
  });

  it('section 2.18: the operators are gt, lt, gte, lte, eq, noteq, like and contains', async () => {
    const by = (op: unknown) => compare(extensionPath, op, { val: 'x' });
    await acceptsAll(['gt', 'lt', 'gte', 'lte', 'eq', 'noteq', 'like', 'contains'].map(by));
    await refusesAll(['neq', '=', 'EQ', '', null, undefined].map((op) => [by(op), '.op']));
  });

  it('section 2.19: val is a text, a number, true, false or null', async () => {
    const withValue = (val: unknown) => compare(extensionPath, 'eq', { val });
    await acceptsAll(['x', 1.5, true, false, null].map(withValue));
    await refusesAll([['x'], { x: 1 }].map((val) => [withValue(val), '.val']));
  });

  it('section 2.20: what is compared has one type, except below extensions', async () => {
    const raw = ['result', 'score', 'raw'];
    await acceptsAll([
      compare(raw, 'eq', reference('result', 'score', 'max')),
      compare(raw, 'eq', reference(...extensionPath)),
      compare(extensionPath, 'eq', reference('result', 'success')),
    ]);
    await refusesAll([
      [compare(raw, 'eq', reference('verb', 'id')), '.ref'],
      [compare(['verb', 'id'], 'eq', reference('result', 'success')), '.ref'],
      [compare(['verb', 'id'], 'eq', reference('actor', 'account')), '.ref.path'],
    ]);
  });

  it('section 2.21: `like` compares text with text', async () => {
    const verb = ['verb', 'id'];
    await acceptsAll([
      compare(verb, 'like', { val: 'https://%' }),
      compare(verb, 'like', reference('object', 'id')),
    ]);
    await refusesAll([
      [compare(verb, 'like', { val: 1 }), '.val'],
      [compare(extensionPath, 'like', { val: 1 }), '.val'],
      [compare(extensionPath, 'like', reference('result', 'success')), '.ref'],
      [compare(['result', 'success'], 'like', { val: 't%' }), '.path'],
    ]);
  });

  it('section 2.22: `contains` looks into arrays, or below extensions', async () => {
    const contains = (...path: string[]) => compare(path, 'contains', { val: 'x' });
    await acceptsAll([
      contains('object', 'definition', 'correctResponsesPattern'),
      contains(...extensionPath),
    ]);
    await refusesAll([
      [contains('verb', 'id'), '.path'],
      [contains('actor'), '.path'],
    ]);
  });

  it('section 2.23: null is compared below extensions only', async () => {
    const withNull = (...path: string[]) => compare(path, 'eq', { val: null });
    await acceptsAll([withNull(...extensionPath)]);
    await refusesAll([
      [withNull('verb', 'id'), '.val'],
      [withNull('result', 'success'), '.val'],
    ]);
  });
}
