import { describe, expect, it } from 'vitest';
import { digestOf, sameDigest } from '../../../../lib/xapi/statement/equal.ts';
import type { Agent, Statement } from '../../../../lib/xapi/types.ts';

const id = '6d969975-8d7e-4506-ac19-877c57f2921a';
const otherId = '8f87ccde-bb56-4c2e-ab83-44982ef22df0';
const ann: Agent = { mbox: 'mailto:ann@x.org' };
const bob: Agent = { mbox: 'mailto:bob@x.org' };
const course = { id: 'http://x.org/course' };
const quiz = { id: 'http://x.org/quiz' };
const base: Statement = { id, actor: ann, verb: { id: 'http://x.org/did' }, object: quiz };
const attachment = {
  usageType: 'http://x.org/usage',
  display: { 'en-US': 'A text' },
  contentType: 'text/plain',
  length: 1,
  sha2: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
};

function sub(properties: Partial<Statement> = {}): Statement {
  const { actor, verb } = base;
  return {
    ...base,
    object: { objectType: 'SubStatement', actor, verb, object: quiz, ...(properties as object) },
  };
}

/** Each pair once as it stands, once inside a SubStatement. */
type Pairs = [title: string, a: Partial<Statement>, b: Partial<Statement>][];

const equalAnywhere: Pairs = [
  ['verb display', { verb: { id: 'http://x.org/did', display: { en: 'did' } } }, {}],
  ['the definition of the object', { object: { ...quiz, definition: { name: { en: 'Quiz' } } } }, {}],
  ['a missing objectType of an Activity', { object: { ...quiz, objectType: 'Activity' } }, {}],
  ['a missing objectType of an Agent', { actor: { ...ann, objectType: 'Agent' } }, {}],
  ['the order of properties', { object: quiz, actor: ann }, { actor: ann, object: quiz }],
  ['the case of a domain', { actor: { mbox: 'mailto:ann@X.org' } }, {}],
  [
    'the order of Group members',
    { actor: { objectType: 'Group', member: [ann, bob] } },
    { actor: { objectType: 'Group', member: [{ ...bob, objectType: 'Agent' }, ann] } },
  ],
  [
    'the order of the members of a team and an instructor',
    {
      context: {
        team: { objectType: 'Group', member: [ann, bob] },
        instructor: { objectType: 'Group', member: [ann, bob] },
      },
    },
    {
      context: {
        team: { objectType: 'Group', member: [bob, ann] },
        instructor: { objectType: 'Group', member: [bob, ann] },
      },
    },
  ],
  [
    'the order of context activities and their definitions',
    { context: { contextActivities: { other: [course, { ...quiz, definition: {} }] } } },
    { context: { contextActivities: { other: [{ ...quiz, objectType: 'Activity' }, course] } } },
  ],
  [
    'a single context activity for a list of one',
    { context: { contextActivities: { parent: course } } },
    { context: { contextActivities: { parent: [course] } } },
  ],
  [
    'the order of contextAgents and of their relevantTypes',
    {
      context: {
        contextAgents: [
          { objectType: 'contextAgent', agent: ann, relevantTypes: ['http://x.org/1', 'http://x.org/2'] },
          { objectType: 'contextAgent', agent: bob },
        ],
      },
    },
    {
      context: {
        contextAgents: [
          { objectType: 'contextAgent', agent: bob },
          { objectType: 'contextAgent', agent: ann, relevantTypes: ['http://x.org/2', 'http://x.org/1'] },
        ],
      },
    },
  ],
  [
    'the order of the members of contextGroups',
    {
      context: {
        contextGroups: [{ objectType: 'contextGroup', group: { objectType: 'Group', member: [ann, bob] } }],
      },
    },
    {
      context: {
        contextGroups: [{ objectType: 'contextGroup', group: { objectType: 'Group', member: [bob, ann] } }],
      },
    },
  ],
  [
    'the case of a registration',
    { context: { registration: id } },
    { context: { registration: id.toUpperCase() } },
  ],
  [
    'the case of a reference',
    { object: { objectType: 'StatementRef', id } },
    { object: { objectType: 'StatementRef', id: id.toUpperCase() } },
  ],
  [
    'the case of a reference in the context',
    { context: { statement: { objectType: 'StatementRef', id } } },
    { context: { statement: { objectType: 'StatementRef', id: id.toUpperCase() } } },
  ],
  ['the case of a language', { context: { language: 'en-US' } }, { context: { language: 'en-us' } }],
  [
    'seconds of a duration beyond hundredths',
    { result: { duration: 'PT1.239S' } },
    { result: { duration: 'PT1.23S' } },
  ],
  ['seconds cut to nothing', { result: { duration: 'PT1.001S' } }, { result: { duration: 'PT1S' } }],
  ['a trailing zero of a duration', { result: { duration: 'PT1.5S' } }, { result: { duration: 'PT1,50S' } }],
  ['the text of a number', { result: { score: { raw: Number('1.0') } } }, { result: { score: { raw: 1 } } }],
  [
    'the order of keys in an extension',
    { result: { extensions: { 'http://x.org/e': { a: 1, b: [{ c: 1, d: 2 }] } } } },
    { result: { extensions: { 'http://x.org/e': { b: [{ d: 2, c: 1 }], a: 1 } } } },
  ],
  [
    'the case of a language tag',
    { attachments: [attachment] },
    { attachments: [{ ...attachment, display: { 'en-us': 'A text' } }] },
  ],
  [
    'the case of a hash',
    { attachments: [attachment] },
    { attachments: [{ ...attachment, sha2: attachment.sha2.toUpperCase() }] },
  ],
  [
    'the offset of a timestamp',
    { timestamp: '2020-01-01T12:00:00+02:00' },
    { timestamp: '2020-01-01T10:00:00.000Z' },
  ],
  [
    'a timestamp cut to milliseconds',
    { timestamp: '2020-01-01T12:00:00.123987Z' },
    { timestamp: '2020-01-01T12:00:00.123Z' },
  ],
  [
    'a timestamp rounded to milliseconds',
    { timestamp: '2020-01-01T12:00:00.1239Z' },
    { timestamp: '2020-01-01T12:00:00.124Z' },
  ],
];

const differentAnywhere: Pairs = [
  ['the verb', { verb: { id: 'http://x.org/Did' } }, {}],
  ['the actor', { actor: bob }, {}],
  ['the name of an actor', { actor: { ...ann, name: 'Ann' } }, {}],
  ['the case of the local part of an address', { actor: { mbox: 'mailto:Ann@x.org' } }, {}],
  ['an Agent and a Group', { actor: { ...ann, objectType: 'Group' } }, {}],
  [
    'the number of equal members',
    { actor: { objectType: 'Group', member: [ann, ann, bob] } },
    { actor: { objectType: 'Group', member: [ann, bob, bob] } },
  ],
  ['the object', { object: course }, {}],
  ['an Agent as object', { object: { ...ann, objectType: 'Agent' } }, {}],
  [
    'the reference',
    { object: { objectType: 'StatementRef', id } },
    { object: { objectType: 'StatementRef', id: otherId } },
  ],
  ['a result', { result: { success: true } }, { result: { success: false } }],
  ['a missing result', { result: { success: true } }, {}],
  ['an empty result', { result: {} }, {}],
  ['a hundredth of a second', { result: { duration: 'PT1.24S' } }, { result: { duration: 'PT1.23S' } }],
  ['a duration in other units', { result: { duration: 'PT60S' } }, { result: { duration: 'PT1M' } }],
  ['tens of seconds', { result: { duration: 'PT10S' } }, { result: { duration: 'PT1S' } }],
  ['a number', { result: { score: { raw: 1 } } }, { result: { score: { raw: 1.0000001 } } }],
  [
    'the order of a list in an extension',
    { result: { extensions: { 'http://x.org/e': [1, 2] } } },
    { result: { extensions: { 'http://x.org/e': [2, 1] } } },
  ],
  [
    'null and a missing value in an extension',
    { result: { extensions: { 'http://x.org/e': { a: null } } } },
    { result: { extensions: { 'http://x.org/e': {} } } },
  ],
  [
    'the role of a context activity',
    { context: { contextActivities: { parent: [course] } } },
    { context: { contextActivities: { grouping: [course] } } },
  ],
  ['the registration', { context: { registration: id } }, { context: { registration: otherId } }],
  ['the instructor', { context: { instructor: ann } }, { context: { instructor: bob } }],
  [
    'the relevantTypes of a contextAgent',
    {
      context: {
        contextAgents: [{ objectType: 'contextAgent', agent: ann, relevantTypes: ['http://x.org/1'] }],
      },
    },
    { context: { contextAgents: [{ objectType: 'contextAgent', agent: ann }] } },
  ],
  [
    'the order of attachments',
    { attachments: [attachment, { ...attachment, sha2: 'b' }] },
    { attachments: [{ ...attachment, sha2: 'b' }, attachment] },
  ],
  ['attachments', { attachments: [attachment] }, {}],
  [
    'the text of a language that is there twice',
    { attachments: [{ ...attachment, display: { en: 'A text', EN: 'Same' } }] },
    { attachments: [{ ...attachment, display: { en: 'Another text', EN: 'Same' } }] },
  ],
  ['a millisecond', { timestamp: '2020-01-01T12:00:00.123Z' }, { timestamp: '2020-01-01T12:00:00.124Z' }],
];

const pause = () => undefined;

async function expectSame(a: Statement, b: Statement, same: boolean): Promise<void> {
  const [ofA, ofB] = [await digestOf(a, pause), await digestOf(b, pause)];
  expect(sameDigest(ofA, ofB)).toBe(same);
  expect(sameDigest(ofB, ofA)).toBe(same);
}

describe('sameDigest (xAPI 1.0.3 Data 2.3.1)', () => {
  it.each(equalAnywhere)('ignores %s', async (_title, a, b) => {
    await expectSame({ ...base, ...a }, { ...base, ...b }, true);
    await expectSame(sub(a), sub(b), true);
  });

  it.each(differentAnywhere)('counts %s', async (_title, a, b) => {
    await expectSame({ ...base, ...a }, { ...base, ...b }, false);
    await expectSame(sub(a), sub(b), false);
  });

  it('ignores what the LRS sets on a statement', async () => {
    const stored = '2024-01-01T00:00:00.000001Z';
    await expectSame({ ...base, authority: bob, stored, timestamp: stored, version: '1.0.0' }, base, true);
    await expectSame({ ...base, stored }, { ...base, stored: '2024-01-02T00:00:00Z' }, true);
    await expectSame({ ...base, authority: bob }, { ...base, authority: ann }, true);
    const { id: _id, ...withoutId } = base;
    await expectSame(withoutId, base, true);
  });

  it('does not believe that a timestamp was assigned because stored says the same', async () => {
    const claimed = { stored: '2024-01-01T00:00:00Z', timestamp: '2024-01-01T00:00:00Z' };
    await expectSame({ ...base, ...claimed }, { ...base, timestamp: '2023-12-31T00:00:00Z' }, false);
  });

  it('counts the instant of a timestamp that the client has set', async () => {
    const stored = { stored: '2024-01-01T00:00:00Z', timestamp: '2023-12-31T00:00:00Z' };
    await expectSame({ ...base, ...stored }, { ...base, timestamp: '2023-12-31T00:00:01Z' }, false);
  });

  it('counts a missing timestamp of a SubStatement, which no LRS sets', async () => {
    await expectSame(sub({ timestamp: '2023-12-31T00:00:00Z' }), sub(), false);
  });

  it('compares ids without case', async () => {
    await expectSame(base, { ...base, id: id.toUpperCase() }, true);
    await expectSame(base, { ...base, id: otherId }, false);
  });

  const names = Array.from({ length: 500 }, (_, index) => `${index}-${'n'.repeat(500)}`);
  const member = names.map((name) => ({ mbox: `mailto:${name}@x.org` }) as const);
  const group = { objectType: 'Group', member } as const;
  const display = Object.fromEntries(names.map((name) => [name, 'a text']));
  const nested = Object.fromEntries(names.map((name) => [name, { value: [1] }]));

  it.each<[string, number, Partial<Statement>]>([
    [
      'the items of lists without an order',
      2 * member.length,
      { actor: group, context: { contextGroups: [{ objectType: 'contextGroup', group }] } },
    ],
    ['attachments', 50, { attachments: Array.from({ length: 50 }, () => attachment) }],
    // Of 250,000 characters 16,384 each time.
    ['parts of a long language map', 15, { attachments: [{ ...attachment, display }] }],
    ['parts of a long extension', 15, { result: { extensions: { 'http://x.org/e': nested } } }],
  ])('pauses between %s, and computes the same', async (_title, least, parts) => {
    const statement = { ...base, ...parts };
    let pauses = 0;
    const counted = async () => {
      pauses += 1;
    };
    const digest = await digestOf(statement, counted);
    expect(pauses).toBeGreaterThanOrEqual(least);
    expect(digest).toEqual(await digestOf(statement, pause));
    expect(digest).not.toEqual(await digestOf(base, pause));
  });
});
