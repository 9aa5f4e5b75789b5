import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import type { Json, JsonObject } from '../../../lib/json/types.ts';
import { defaultRulesetLimits, parseRuleset } from '../../../lib/reactions/ruleset/parse.ts';
import { stepsOf } from '../../../lib/reactions/ruleset/place.ts';
import { checkedRuleset } from '../../../lib/reactions/service.ts';
import type { XapiVersion } from '../../../lib/xapi/types.ts';
import { thrownBy } from '../../support/thrown.ts';

const template = {
  actor: { mbox: 'mailto:somebody@example.org' },
  verb: { id: 'https://example.org/did' },
  object: { id: 'https://example.org/it' },
};

function check(parts: JsonObject, version: XapiVersion = '1.0.3') {
  return parseRuleset({ identityPaths: [['actor', 'mbox']], template, ...parts }, version);
}

/** What is wrong with a ruleset of one condition `a`. */
function problemsOf(a: Json, version?: XapiVersion): string[] {
  const result = check({ conditions: { a } }, version);
  return 'problems' in result ? result.problems.map(({ path, message }) => `${path} ${message}`) : [];
}

/** What is told of unknown members beside problems. */
function unknownIn(parts: JsonObject): string[] {
  const result = check(parts);
  if ('ruleset' in result) throw new Error('there is no problem');
  return result.unknown.map(({ path, message }) => `${path} ${message}`);
}

function warningsOf(parts: JsonObject): string[] {
  const result = check(parts);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.warnings.map(({ path, message }) => `${path} ${message}`);
}

const passed = { path: ['verb', 'id'], op: 'eq', val: 'https://example.org/passed' };

describe('a ruleset', () => {
  it.each<[string, JsonObject, string]>([
    ['identity paths', { identityPaths: null, conditions: { a: passed } }, '$.identityPaths'],
    ['conditions', { conditions: [] }, '$.conditions'],
    ['at least one condition', { conditions: {} }, '$.conditions'],
  ])('must have %s', (_, parts, path) => {
    expect(check(parts)).toMatchObject({ problems: [{ path, rule: 'structure' }] });
  });

  it.each<[string, JsonObject, string]>([
    ['identityPaths', { identityPaths: 'actor.mbox', conditions: { a: passed } }, 'an array of paths'],
    ['conditions', { conditions: 'done' }, 'an object of conditions by name'],
  ])(
    'says what %s must be when they have another type, and not that they are missing',
    (name, parts, type) => {
      expect(check(parts)).toMatchObject({
        problems: [{ path: `$.${name}`, message: expect.stringMatching(`^must be ${type}`) }],
      });
    },
  );

  it('must have a template, which may be any JSON', () => {
    const withoutTemplate = { identityPaths: [], conditions: { a: passed } };
    expect(parseRuleset(withoutTemplate, '1.0.3')).toMatchObject({ problems: [{ path: '$.template' }] });
    expect(parseRuleset({ ...withoutTemplate, template: null }, '1.0.3')).toHaveProperty('ruleset');
    expect(parseRuleset({ ...withoutTemplate, template: {} }, '1.0.3')).toHaveProperty('ruleset');
  });

  it('whose identity paths lack the brackets around the path is told what to write', () => {
    expect(check({ identityPaths: ['actor', 'mbox'], conditions: { a: passed } })).toMatchObject({
      problems: [{ path: '$.identityPaths', message: 'must be an array of paths: write [["actor","mbox"]]' }],
    });
  });

  it.each<[string, Json[]]>([
    ['two values', [passed, { ...passed, val: 'https://example.org/failed' }]],
    [
      'numbers of which none is left',
      [
        { path: ['result', 'score', 'scaled'], op: 'gt', val: 0.5 },
        { path: ['result', 'score', 'scaled'], op: 'lte', val: 0.5 },
      ],
    ],
  ])('is warned of where a condition demands %s of one place', (_, and) => {
    expect(check({ conditions: { a: { and } } })).toMatchObject({
      warnings: [{ path: '$.conditions.a.and[1].val', rule: 'contradiction' }],
    });
    expect(warningsOf({ conditions: { a: { or: and } } })).toEqual([]);
  });

  it('is warned of once where a value that no statement has stands beside another one', () => {
    const empty = { ...passed, val: '' };
    for (const and of [
      [passed, empty],
      [empty, passed],
    ]) {
      const place = `$.conditions.a.and[${and.indexOf(empty)}].val is no IRI`;
      expect(warningsOf({ conditions: { a: { and } } })).toEqual([expect.stringContaining(place)]);
    }
  });

  it('is not warned of where the values of one place may be true together', () => {
    const score = (op: string, val: number) => ({ path: ['result', 'score', 'scaled'], op, val });
    const extension = (val: Json) => ({
      path: ['result', 'extensions', 'https://example.org/x'],
      op: 'eq',
      val,
    });
    const both = [
      score('gte', 0.5),
      score('lte', 0.5),
      score('eq', 0.5),
      score('noteq', 0.4),
      passed,
      passed,
    ];
    expect(warningsOf({ conditions: { a: { and: [...both, extension(1), extension('1')] } } })).toEqual([]);
  });

  it.each(['gt', 'gte', 'lt', 'lte'])(
    'is warned of where %s compares durations, which it does as text',
    (op) => {
      const clause = { path: ['result', 'duration'], op, val: 'PT10M' };
      expect(check({ conditions: { a: clause } })).toMatchObject({
        warnings: [{ path: '$.conditions.a.op', rule: 'duration-order' }],
      });
      expect(warningsOf({ conditions: { a: { ...clause, op: 'eq' } } })).toEqual([]);
    },
  );

  it('may have further members, which are warned of', () => {
    expect(warningsOf({ conditions: { a: passed }, identityPath: [] })).toEqual([
      '$.identityPath is unknown and has no effect; did you mean "identityPaths"?',
    ]);
  });

  it.each<[string, JsonObject, string[]]>([
    [
      'AND for and',
      { conditions: { a: { AND: [passed] } } },
      ['$.conditions.a.AND is unknown and has no effect; did you mean "and"?'],
    ],
    [
      'value for val',
      { conditions: { a: { path: ['verb', 'id'], op: 'eq', value: 'x' } } },
      ['$.conditions.a.value is unknown and has no effect; did you mean "val"?'],
    ],
    [
      'paths for path, and And for and, in one condition',
      { conditions: { a: { paths: ['verb', 'id'], op: 'eq', val: 'x', And: [] } } },
      [
        '$.conditions.a.paths is unknown and has no effect; did you mean "path"?',
        '$.conditions.a.And is unknown and has no effect; did you mean "and"?',
      ],
    ],
    [
      'condition for conditions',
      { condition: { a: passed } },
      ['$.condition is unknown and has no effect; did you mean "conditions"?'],
    ],
  ])('that is refused names %s beside what is wrong', (_, parts, told) => {
    expect(unknownIn(parts)).toEqual(told);
  });

  it('with a condition that is no comparison and has nothing else is refused once', () => {
    expect(problemsOf({ AND: [passed] })).toEqual([
      '$.conditions.a must be an object with `and`, `or`, `not`, or `path` and `op`',
    ]);
  });

  it('may have nested conditions with any names', () => {
    const nested = { or: [{ not: { and: [passed] } }, passed] };
    expect(check({ conditions: { 'my / @quiz': nested } })).toHaveProperty('ruleset');
    const wrong = check({ conditions: { 'my quiz': { or: [{ not: { and: [] } }] } } });
    expect(wrong).toMatchObject({ problems: [{ path: '$.conditions["my quiz"].or[0].not.and' }] });
  });

  it.each<[string, JsonObject, number]>([
    ['conditions', { conditions: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [i, passed])) }, 1],
    ['comparisons', { conditions: { a: { and: Array(201).fill(passed) } } }, 1],
    ['bytes', { conditions: { a: { ...passed, val: 'x'.repeat(70_000) } } }, 1],
    ['the name of a condition', { conditions: { ['x'.repeat(256)]: passed } }, 1],
  ])('has a limit for %s', (_, parts, count) => {
    const result = check(parts);
    expect(result).toMatchObject({ problems: Array(count).fill({ rule: 'limit' }) });
  });

  it.each<[string, JsonObject]>([
    [
      'reactionMaxConditions',
      { conditions: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [i, passed])) },
    ],
    ['reactionMaxClauses', { conditions: { a: { and: Array(201).fill(passed) } } }],
    ['reactionMaxClauses', { identityPaths: Array(201).fill(['actor', 'mbox']), conditions: { a: passed } }],
    ['reactionRulesetMaxBytes', { conditions: { a: { ...passed, val: 'x'.repeat(70_000) } } }],
  ])('beyond %s is told the setting', (setting, parts) => {
    expect(check(parts)).toMatchObject({
      problems: [{ rule: 'limit', message: expect.stringContaining(`(lrs.${setting})`) }],
    });
  });

  it('has a limit for the depth of conditions', () => {
    let deep: Json = passed;
    for (let depth = 0; depth < 40; depth++) deep = { not: deep };
    expect(problemsOf(deep)[0]).toMatch(/deeper than 32/);
    expect(defaultRulesetLimits.reactionMaxConditions).toBe(10);
  });

  it('has warnings with stable rules', () => {
    const conditions = {
      a: { and: [passed], or: [passed] },
      b: { path: ['verb', 'id'], op: 'like', val: 'x', ref: { condition: 'a', path: ['id'] } },
      c: { path: ['result', 'success'], op: 'gt', val: true, vaal: 1 },
    };
    const result = check({
      identityPaths: [],
      conditions,
      template: { ...template, actor: { $templatePath: ['d', 'actor'] }, objekt: {} },
    });
    expect('warnings' in result && result.warnings.map(({ path, rule }) => [path, rule])).toEqual([
      ['$.conditions.b.val', 'no-wildcard'],
      ['$.conditions.c.op', 'boolean-order'],
      ['$.identityPaths', 'no-identity'],
      ['$.template.actor.$templatePath[0]', 'unknown-condition'],
      ['$.template.objekt', 'template-statement'],
      ['$.conditions.a.or', 'unused-member'],
      ['$.conditions.b.ref', 'unused-member'],
      ['$.conditions.c.vaal', 'unknown-member'],
    ]);
  });

  it('warns that its template makes no statement, and of names that no condition has', () => {
    const conditions = { quiz: passed };
    expect(warningsOf({ conditions, template: [] })).toEqual([
      '$.template is no object, so it never makes a statement',
    ]);
    const actor = { $templatePath: ['quis', 'actor'] };
    const verb = { id: { $templatePath: ['quiz', 'verb', 'name'] } };
    expect(warningsOf({ conditions, template: { actor, verb, object: { $templatePath: 'quiz' } } })).toEqual([
      '$.template.actor.$templatePath[0] there is no condition "quis"; did you mean "quiz"?',
      '$.template.verb.id.$templatePath leads to nothing that a statement may have, so no statement is made: "name" is no member of verb; its members are id, display',
      '$.template.object.$templatePath must be an array of the name of a condition and a path, else no statement is made',
    ]);
  });
});

describe('what is fixed in a template', () => {
  const conditions = { quiz: passed };
  const templated = (parts: JsonObject) => warningsOf({ conditions, template: { ...template, ...parts } });
  const from = (...path: (string | number)[]) => ({ $templatePath: ['quiz', ...path] });

  it('is not told of while it may make a statement, whatever is put in for its placeholders', () => {
    expect(
      templated({
        id: from('context', 'registration'),
        actor: {
          objectType: 'Agent',
          account: { homePage: from('actor', 'account', 'homePage'), name: 'ann' },
        },
        verb: { id: from('result', 'response'), display: { en: from('verb', 'display', 'en') } },
        object: { objectType: from('object', 'objectType'), id: from('object', 'id') },
        result: { score: from('result', 'score'), extensions: { 'https://example.org/x': from('id') } },
        context: {
          contextActivities: { parent: [from('object')] },
          statement: { objectType: 'StatementRef', id: from('id') },
        },
        attachments: from('attachments'),
      }),
    ).toEqual([]);
  });

  it.each<[string, JsonObject, string | RegExp]>([
    ['a missing id', { verb: {} }, /^\$\.template\.verb has no id, which is required in a Verb \(xAPI/],
    [
      'an unknown member',
      { reslt: {} },
      /^\$\.template\.reslt is not a property of a Statement.*result.*\(xAPI/,
    ],
    ['a malformed IRI', { verb: { id: 'did' } }, /^\$\.template\.verb\.id must be an? .*IRI.*\(xAPI/],
    [
      'a wrong type',
      { result: { success: 'yes' } },
      /^\$\.template\.result\.success must be true or false.*\(xAPI/,
    ],
    ['an actor without an identifier', { actor: { name: 'Ann' } }, /^\$\.template\.actor .*\(xAPI/],
    [
      'an attachment without a fileUrl',
      {
        attachments: [
          {
            ...{ usageType: 'https://example.org/u', display: { en: 'a' }, contentType: 'text/plain' },
            ...{ length: 1, sha2: 'a'.repeat(64) },
          },
        ],
      },
      /^\$\.template\.attachments\[0\]/,
    ],
    [
      'a misspelt $templatePath',
      { object: { $templatepath: ['quiz', 'object'] } },
      /did you mean "\$templatePath"\?$/,
    ],
  ])('is warned of where it never makes a statement: %s', (_, parts, message) => {
    const warnings = templated(parts);
    expect(warnings).toContainEqual(expect.stringMatching(message));
    for (const warning of warnings.filter((each) => each.includes('(xAPI')))
      expect(warning).toMatch(/, so no statement is made$/);
  });

  it('is warned of where the template lacks what each statement has', () => {
    const { actor, object } = template;
    const lacking = { actor, object };
    expect(warningsOf({ conditions, template: lacking })).toEqual([
      '$.template has no verb, which is required in a Statement (xAPI 1.0.3 Data 2.4), so no statement is made',
    ]);
    expect(warningsOf({ conditions, template: { ...lacking, verb: from('verb') } })).toEqual([]);
  });

  it.each<[string, Json]>([
    ['a moment', '2020-01-01T00:00:00Z'],
    ['no moment', 'x'],
    ['a value that no statement has', { $templatePath: ['nobody', 'stored'] }],
  ])('is warned of once where the LRS sets the value itself, here %s', (_, stored) => {
    const result = check({
      conditions,
      template: { ...template, stored, timestamp: '2020-01-01T00:00:00Z' },
    });
    expect(result).toMatchObject({
      warnings: [
        {
          path: '$.template.stored',
          message: 'is replaced: the LRS sets it when it stores the statement',
          rule: 'set-by-lrs',
        },
      ],
    });
  });

  it.each<[string, Json, string | undefined]>([
    ['an id', '7c1f0a52-3d1c-4b1e-9d55-0a8f0f8f6c11', 'only the first match'],
    ['the id of a matched statement', from('id'), 'no match makes a statement'],
    ['a registration', from('context', 'registration'), undefined],
    ['the value of an extension', from('result', 'extensions', 'https://example.org/id'), undefined],
  ])('is warned of where it gives %s, by which statements collide', (_, id, message) => {
    const warning = {
      ...{ path: '$.template.id', rule: 'fixed-id' },
      message: expect.stringContaining(message ?? ''),
    };
    const warnings = message === undefined ? [] : [warning];
    expect(check({ conditions, template: { ...template, id } })).toMatchObject({ warnings });
  });

  it('is told the nearest path where one leads to nothing', () => {
    const path = templated({ actor: from('actor', 'mbx') });
    expect(path).toContainEqual(
      expect.stringMatching(/"mbx" is no member of actor; the nearest path is \["quiz","actor","mbox"\]$/),
    );
    expect(templated({ object: from('verb.id') })).toContainEqual(
      expect.stringMatching(/: write \["quiz","verb","id"\]$/),
    );
  });

  it('is judged by the version of the statements that are made', () => {
    const contextAgents = [{ objectType: 'contextAgent', agent: from('actor') }];
    const ruleset = { conditions, template: { ...template, context: { contextAgents } } };
    expect(check(ruleset, '2.0.0')).toMatchObject({ warnings: [] });
    expect(check(ruleset, '1.0.3')).toMatchObject({
      warnings: [{ path: '$.template.context.contextAgents' }],
    });
  });

  it('may take a step of a path in its template from a statement', () => {
    const actor = (step: Json) => ({
      $templatePath: ['quiz', 'result', 'extensions', { $templatePath: ['quiz', ...[step].flat()] }],
    });
    const warningsWith = (step: Json) =>
      warningsOf({
        conditions: { quiz: passed },
        template: {
          ...template,
          actor: actor(step),
          verb: { id: 'https://example.org/v' },
          object: { id: 'https://example.org/o' },
        },
      });
    expect(warningsWith(['object', 'id'])).toEqual([]);
    expect(warningsWith('nothing')).toEqual([
      expect.stringMatching(
        /^\$\.template\.actor\.\$templatePath\[3\]\.\$templatePath leads to nothing that a statement may have, so no statement is made: "nothing" is no member of a statement/,
      ),
    ]);
  });
});

describe('a comparison', () => {
  const clause = (path: Json, op: string, rest: JsonObject = { val: 'x' }) =>
    problemsOf({ path, op, ...rest });

  it.each<[Json, string]>([
    [['verb', 'ID'], 'the nearest path is ["verb","id"]'],
    [['reslt', 'score'], 'the nearest path is ["result"]'],
    ['verb.id', 'write ["verb","id"]'],
    ['$.result.score.scaled', 'write ["result","score","scaled"]'],
    [['$.verb.id'], 'write ["verb","id"]'],
    [['verb.id'], 'write ["verb","id"]'],
    [['result', 'score'], 'one of scaled, raw, min, max must follow'],
    [['object', 'member'], 'an index such as 0 must follow'],
    [['actor', 'member', 'mbox'], 'an index such as 0 must follow, not "mbox"'],
    [['verb', 'id', 'x'], 'nothing may follow it'],
    [['verb', -1], 'must be a member name or an index from 0'],
    [[], 'must not be empty'],
    [null, 'must be an array of member names and indexes, e.g. ["verb","id"]'],
    ['verb', 'must be an array of member names and indexes, e.g. ["verb","id"]'],
    [['verb', '__proto__'], 'is no member of verb; its members are id, display'],
    [['result', 'points'], '"points" is no member of result; its members are score, '],
  ])('of the path %j is refused: %s', (path, message) => {
    expect(clause(path, 'eq')).toEqual([expect.stringContaining(message)]);
  });

  it.each<[Json, JsonObject]>([
    [['verb', 'id'], { val: 1 }],
    [['result', 'score', 'raw'], { val: '1' }],
    [['result', 'success'], { val: 'true' }],
    [['attachments', 0, 'length'], { val: false }],
    [['verb', 'id'], { val: null }],
  ])('of %j with a value of another type, %j, is refused', (path, operand) => {
    expect(clause(path, 'eq', operand)).toEqual([expect.stringContaining('must be a ')]);
  });

  const refExample = '{"condition":"quiz","path":["verb","id"]}';
  const ofA = (path: Json) => ({ condition: 'a', path });
  it.each<[JsonObject, string[]]>([
    ...['x', 5, null, []].map((ref): [JsonObject, string[]] => [
      { ref },
      [`ref must be an object with \`condition\` and \`path\`, e.g. ${refExample}`],
    ]),
    [
      { ref: {} },
      [
        'ref.path is required: an array of member names and indexes, e.g. ["verb","id"]',
        'ref.condition is required: the name of a condition, as text',
      ],
    ],
    [{ ref: ofA(5) }, ['ref.path must be an array of member names and indexes, e.g. ["verb","id"]']],
    [{ ref: ofA('verb.id') }, ['ref.path must be an array of member names and indexes: write ["verb","id"]']],
    [
      { ref: { ...ofA(['verb', 'id']), condition: 5 } },
      ['ref.condition must be the name of a condition, as text'],
    ],
    [
      { ref: ofA(['result', 'score', 'raw']) },
      ['ref leads to a number, and the value at `path` is a string: both must have one type'],
    ],
    [
      { op: 'like', ref: ofA(['result', 'score', 'raw']) },
      ['ref leads to a number, and `like` compares text'],
    ],
  ])('of a verb with %j is refused with the place and the rule', (parts, messages) => {
    expect(clause(['verb', 'id'], 'eq', parts)).toEqual(
      messages.map((message) => `$.conditions.a.${message}`),
    );
  });

  it('of a value that is never null with null is refused with the reason', () => {
    expect(clause(['result', 'success'], 'eq', { val: null })).toEqual([
      '$.conditions.a.val must be a boolean: only a value below `extensions` can be null, and no comparison finds statements without a value',
    ]);
  });

  it.each([1, 'a', true, null])('below an extension may be with %j', (val) => {
    expect(clause(['result', 'extensions', 'https://example.org/x', 'y', 2], 'eq', { val })).toEqual([]);
  });

  it('takes one of eight operators', () => {
    const ops = ['gt', 'lt', 'gte', 'lte', 'eq', 'noteq', 'like'];
    expect(ops.flatMap((op) => clause(['verb', 'id'], op))).toEqual([]);
    expect(clause(['verb', 'id'], 'neq')).toEqual([
      '$.conditions.a.op must be one of eq, noteq, gt, gte, lt, lte, like, contains; did you mean "noteq"?',
    ]);
  });

  it.each([
    ['noteq', ['neq', 'ne', '!=', '<>', 'not', 'NEQ', 'not_eq', 'notequals', 'noteqq']],
    ['eq', ['=', '==', 'equals', 'is', 'eqq']],
    ['gt', ['>', 'gtt']],
    ['gte', ['>=', 'ge', 'gtee']],
    ['lt', ['<', 'ltt']],
    ['lte', ['<=', 'le', 'ltee']],
    ['like', ['likee', 'liek']],
    ['contains', ['includes', 'contain']],
  ])('takes for %s what other languages and slips call it', (op, names) => {
    for (const name of names)
      expect(clause(['verb', 'id'], name)).toEqual([expect.stringContaining(`did you mean "${op}"?`)]);
  });

  it('takes no operator for its opposite, and says how several values are compared', () => {
    for (const name of ['ngt', 'nlt', '!gt', 'neqs', 'glt', 'unlike'])
      expect(clause(['verb', 'id'], name)).toEqual([
        expect.not.stringMatching(/did you mean "(eq|lt|lte|like)"/),
      ]);
    expect(clause(['verb', 'id'], 'in')).toEqual([expect.stringMatching(/`or`.*"contains"/)]);
  });

  it('by `like` is with text', () => {
    expect(clause(['result', 'score', 'raw'], 'like', { val: '1%' })).toHaveLength(1);
    expect(clause(['verb', 'id'], 'like', { val: 1 })).toHaveLength(1);
    const raw = { ref: { condition: 'a', path: ['result', 'score', 'raw'] } };
    expect(clause(['verb', 'id'], 'like', raw)).toHaveLength(1);
    expect(clause(['verb', 'id'], 'like', { val: '%'.repeat(300) })[0]).toMatch(/longer than 256/);
  });

  it('by `contains` is of an array, or below an extension', () => {
    const [problem] = clause(['verb', 'id'], 'contains');
    expect(problem).toMatch(/path leads to no array, and `contains` looks into an array$/);
    expect(clause(['object', 'definition', 'correctResponsesPattern'], 'contains')).toEqual([]);
    expect(clause(['context', 'extensions', 'https://example.org/x'], 'contains')).toEqual([]);
  });

  it('of Agents and Groups of the context is there from xAPI 2.0.0 on', () => {
    const mbox = {
      path: ['context', 'contextAgents', 0, 'agent', 'mbox'],
      op: 'eq',
      val: 'mailto:a@example.org',
    };
    expect(problemsOf(mbox, '2.0.0')).toEqual([]);
    expect(problemsOf(mbox, '1.0.3')).toHaveLength(1);
  });

  it('is warned of where it is hardly meant', () => {
    const a = {
      and: [
        { path: ['result', 'success'], op: 'gt', val: true },
        { ...passed, ref: { condition: 'a', path: ['id'] }, vaal: 1 },
        { path: ['id'], op: 'eq', ref: { condition: 'b', path: ['id'] } },
        { path: ['timestamp'], op: 'gt', val: 'yesterday' },
      ],
      or: [passed],
    };
    expect(warningsOf({ conditions: { a } })).toEqual([
      '$.conditions.a.and[0].op `gt` of true and false hardly makes sense; use `eq`',
      '$.conditions.a.and[2].ref.condition there is no condition "b"',
      '$.conditions.a.and[3].val is no timestamp, so the comparison is never true',
      '$.conditions.a.or has no effect beside `and`',
      '$.conditions.a.and[1].vaal is unknown and has no effect; did you mean "val"?',
      '$.conditions.a.and[1].ref has no effect beside `val`',
    ]);
  });
});

describe('a comparison with text that no stored statement has there', () => {
  const warned = (path: readonly (string | number)[], op: string, val: string | number) => {
    const check = parseRuleset(
      { identityPaths: [], conditions: { a: { path: [...path], op, val } }, template: {} },
      '2.0.0',
    );
    return 'warnings' in check ? check.warnings.filter(({ path: at }) => at === '$.conditions.a.val') : [];
  };

  it.each([
    [['verb', 'id'], 'eq', 'passed', 'no IRI'],
    [['verb', 'id'], 'noteq', 'passed', 'always true'],
    [['object', 'id'], 'eq', 'course', 'neither an IRI with a scheme nor a UUID'],
    [['object', 'definition', 'type'], 'eq', 'course', 'no IRI'],
    [['actor', 'mbox'], 'eq', 'ann@example.org', 'no mailto IRI'],
    [['actor', 'account', 'homePage'], 'eq', 'example.org', 'no IRI'],
    [['context', 'contextActivities', 'parent', 0, 'id'], 'eq', 'course', 'no IRI'],
    [['context', 'contextAgents', 0, 'relevantTypes'], 'contains', 'coach', 'no IRI'],
    [['id'], 'eq', 'first', 'no UUID'],
    [['context', 'registration'], 'noteq', 'none', 'no UUID, so the comparison is always true where'],
    [['context', 'statement', 'id'], 'eq', 'https://example.org/x', 'no UUID'],
    [['actor', 'mbox_sha1sum'], 'eq', 'abc', 'not the 40 hex digits'],
    [['attachments', 0, 'sha2'], 'eq', 'abc', 'not the hex digits of a SHA-2 hash'],
    [['attachments', 0, 'contentType'], 'eq', 'text', 'no media type'],
    [['result', 'duration'], 'eq', '90 s', 'no duration'],
    [['context', 'language'], 'eq', 'en US', 'no language tag'],
    [['version'], 'eq', '0.9', 'no version of xAPI'],
    [['actor', 'objectType'], 'eq', 'Person', 'none of "Agent", "Group"'],
    [['actor', 'member', 0, 'objectType'], 'eq', 'Group', 'not "Agent"'],
    [['object', 'objectType'], 'eq', 'activity', 'none of "Activity", "Agent"'],
    [['object', 'object', 'objectType'], 'eq', 'SubStatement', 'none of'],
    [['object', 'definition', 'interactionType'], 'eq', 'quiz', 'none of "true-false"'],
    [['timestamp'], 'eq', 'yesterday', 'no timestamp'],
  ])('is warned of: %j %s %s', (path, op, val, message) => {
    expect(warned(path, op, val)).toEqual([
      {
        path: '$.conditions.a.val',
        message: expect.stringContaining(message),
        rule: op === 'noteq' ? 'always-true' : 'never-true',
      },
    ]);
  });

  it.each<[readonly (string | number)[], string, number]>([
    [['result', 'score', 'scaled'], 'eq', 80],
    [['result', 'score', 'scaled'], 'noteq', -2],
    [['result', 'score', 'scaled'], 'gt', 1],
    [['result', 'score', 'scaled'], 'gte', 1.01],
    [['result', 'score', 'scaled'], 'lt', -1],
    [['result', 'score', 'scaled'], 'lte', -1.5],
    [['attachments', 0, 'length'], 'lt', 0],
    [['attachments', 0, 'length'], 'eq', 1.5],
  ])('is warned of where it is a number that is never there: %j %s %d', (path, op, val) => {
    const [warning, ...others] = warned(path, op, val);
    expect(others).toEqual([]);
    expect(warning?.rule).toBe(op === 'noteq' ? 'always-true' : 'never-true');
    expect(warning?.message).toMatch(/^statements have (whole )?numbers from -?\d( to 1)? here, so/);
  });

  it.each([
    [['result', 'score', 'scaled'], 'gte', 1],
    [['result', 'score', 'scaled'], 'gte', -1],
    [['result', 'score', 'scaled'], 'lte', -1],
    [['result', 'score', 'scaled'], 'lt', 1],
    [['result', 'score', 'raw'], 'gt', 80],
    [['attachments', 0, 'length'], 'gt', 1.5],
    [['actor', 'objectType'], 'eq', 'Group'],
    [['object', 'objectType'], 'eq', 'SubStatement'],
    [['version'], 'eq', '1.0.3'],
    [['result', 'duration'], 'eq', 'PT1M30S'],
    [['context', 'language'], 'eq', 'en-US'],
    [['id'], 'eq', '6F1D2B5E-3C4A-4F0E-9A77-1D2C3B4A5F60'],
    [['timestamp'], 'gt', '2020-01-01T00:00:00Z'],
    [['verb', 'id'], 'eq', 'http://example.org/passed'],
    [['verb', 'id'], 'like', '%/passed'],
    [['result', 'response'], 'like', 'a\\\\b'],
    [['verb', 'id'], 'gt', 'http'],
    [['object', 'id'], 'eq', '6f1d2b5e-3c4a-4f0e-9a77-1d2c3b4a5f60'],
    [['actor', 'mbox'], 'eq', 'mailto:ann@example.org'],
    [['actor', 'name'], 'eq', 'Ann'],
    [['result', 'extensions', 'http://example.org/x', 'id'], 'eq', 'x'],
  ])('is not warned of where it may be there: %j %s %s', (path, op, val) => {
    expect(warned(path, op, val)).toEqual([]);
  });
});

describe('a path', () => {
  it('is warned of where it needs the name of a language or of an extension that no statement has', () => {
    const a = {
      and: [
        { path: ['verb', 'display', 'in English'], op: 'eq', val: 'passed' },
        { path: ['result', 'extensions', 'attempt'], op: 'eq', val: 1 },
        { path: ['object', 'definition', 'name', 'en'], op: 'eq', val: 'x' },
      ],
    };
    expect(check({ conditions: { a } })).toMatchObject({
      warnings: [
        {
          path: '$.conditions.a.and[0].path[2]',
          message: 'is no language tag, such as en-US, so no statement has a value here',
          rule: 'no-value',
        },
        { path: '$.conditions.a.and[1].path[2]', message: expect.stringContaining('is no IRI') },
      ],
    });
  });
});

describe('a path that is written as text', () => {
  it.each([
    ['$.verb.id', ['verb', 'id']],
    ["$['verb']['id']", ['verb', 'id']],
    ['actor.member[0].name', ['actor', 'member', 0, 'name']],
  ])('%s has the steps %j', (text, steps) => {
    expect(stepsOf(text)).toEqual(steps);
  });

  it.each(['', 'a b', '$', '..', '[x]'])('"%s" has none', (text) => {
    expect(stepsOf(text)).toBeUndefined();
  });
});

describe('a ruleset that is accepted with very many warnings', () => {
  const warningsWith = (unknown: number) => {
    const further = Object.fromEntries(Array.from({ length: unknown }, (_, index) => [`member${index}`, 1]));
    const conditions = { a: { path: ['verb', 'id'], op: 'eq', val: 'no IRI' } };
    return checkedRuleset(
      { identityPaths: [], conditions, template, ...further },
      '1.0.3',
      defaultRulesetLimits,
    ).warnings;
  };

  it('lists what never holds before members that mean nothing, and last how many more there are', () => {
    const warnings = warningsWith(60);
    expect(warnings).toHaveLength(51);
    expect(warnings[0]).toMatchObject({ rule: 'never-true' });
    expect(warnings.at(-2)).toMatchObject({ path: '$.member48', rule: 'unknown-member' });
    const message = 'has 11 more warnings, which are not listed';
    expect(warnings.at(-1)).toEqual({ path: '$', message, rule: 'unlisted' });
  });

  it('says nothing of more where all are listed', () => {
    expect(warningsWith(49)).toHaveLength(50);
    expect(warningsWith(49).at(-1)).toMatchObject({ rule: 'unknown-member' });
    expect(warningsWith(50).at(-1)).toMatchObject({ message: 'has 1 more warning, which is not listed' });
  });
});

describe('the refusal of a ruleset that breaks very many rules', () => {
  const wrong = { path: ['verb', 'id'], op: 'no operator', val: 'x' };
  const refusalOf = (mistakes: number, unknown: number): InvalidError => {
    const further = Object.fromEntries(Array.from({ length: unknown }, (_, index) => [`member${index}`, 1]));
    const conditions = { a: { or: Array(mistakes).fill(wrong) } };
    const refusal = thrownBy(() =>
      checkedRuleset({ identityPaths: [], conditions, template, ...further }, '1.0.3', defaultRulesetLimits),
    );
    if (refusal instanceof InvalidError) return refusal;
    throw refusal;
  };

  it.each<[number, number, number, string]>([
    [60, 0, 50, '10 more mistakes, which are'],
    [51, 0, 50, '1 more mistake, which is'],
    [60, 2, 52, '10 more mistakes, which are'],
    [2, 51, 52, '1 more mistake, which is'],
  ])(
    'of %i mistakes and %i unknown members lists %i, and then says how many more',
    (mistakes, unknown, listed, more) => {
      const { details, message } = refusalOf(mistakes, unknown);
      expect(details).toHaveLength(listed + 1);
      expect(details.at(-1)).toEqual({ path: '$', message: `has ${more} not listed`, rule: 'unlisted' });
      expect(message).toContain(`(and ${mistakes + unknown - 1} more)`);
    },
  );

  it('of as many as are listed says nothing of more', () => {
    const { details, message } = refusalOf(50, 50);
    expect(details).toHaveLength(100);
    expect(details.at(-1)).toMatchObject({ path: '$.member49', rule: 'unknown-member' });
    expect(message).toContain('(and 99 more)');
  });
});
