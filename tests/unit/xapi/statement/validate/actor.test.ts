import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../../lib/json/types.ts';
import { altered } from '../../../../support/altered.ts';
import { smallStatement } from '../../../../support/full-statement.ts';
import { clientPath, problems, versions } from '../../../../support/problems.ts';

const ann = { mbox: 'mailto:ann@example.org' };
const bob = { openid: 'https://bob.example.org/' };
const account = { homePage: 'https://example.org/', name: '1625378' };
const sha1 = 'cd9b00a5611f94eaa7b1661edab976068e364975';

/** Everywhere an Agent or a Group may stand. */
const positions: [string, Json][] = [
  ['actor', smallStatement],
  ['object', smallStatement],
  ['context.instructor', smallStatement],
  [
    'object.actor',
    altered(smallStatement, 'object', { ...Object(smallStatement), objectType: 'SubStatement' }),
  ],
];

const everywhere = versions.flatMap((version) =>
  positions.map(([position, statement]) => ({ version, position, statement })),
);

describe.each(everywhere)('an actor at $position under $version', ({ version, position, statement }) => {
  const problemsOf = (actor: Json) => problems(altered(statement, position, actor), version);

  it.each<[string, Json]>([
    ['an Agent by mbox', { objectType: 'Agent', ...ann }],
    ['an Agent by mbox_sha1sum', { objectType: 'Agent', mbox_sha1sum: sha1 }],
    ['an Agent by openid', { objectType: 'Agent', ...bob }],
    ['an Agent by account', { objectType: 'Agent', account, name: '' }],
    ['an account whose name is empty', { objectType: 'Agent', account: { ...account, name: '' } }],
    ['an Anonymous Group', { objectType: 'Group', member: [ann, bob] }],
    ['an Anonymous Group that lists nobody', { objectType: 'Group', member: [] }],
    ['an Identified Group without members', { objectType: 'Group', ...ann }],
    [
      'an Identified Group with members',
      { objectType: 'Group', account, member: [{ ...ann, objectType: 'Agent' }] },
    ],
  ])('may be %s (xAPI 1.0.3 Data 2.4.2)', (_, actor) => {
    expect(problemsOf(actor)).toEqual([]);
  });

  it.each<[string, Json, string, RegExp]>([
    ['text', 'ann@example.org', '', /must be an/],
    ['an array', [ann], '', /must be an/],
    ['an Agent without identifier', { objectType: 'Agent', name: 'Ann' }, '', /must have one of mbox/],
    ['an Agent with two', { objectType: 'Agent', ...ann, ...bob }, '', /only one of .*, not mbox and openid/],
    ['an Agent with members', { objectType: 'Agent', ...ann, member: [bob] }, '.member', /only a Group/],
    ['an Agent in lower case', { objectType: 'agent', ...ann }, '.objectType', /did you mean "Agent"/],
    ['a Person', { objectType: 'Person', ...ann }, '.objectType', /must be/],
    ['a numeric objectType', { objectType: 1, ...ann }, '.objectType', /must be/],
    ['a name that is no string', { objectType: 'Agent', ...ann, name: 7 }, '.name', /must be a string/],
    ['an mbox without mailto', { objectType: 'Agent', mbox: 'ann@example.org' }, '.mbox', /mailto/],
    ['an mbox without address', { objectType: 'Agent', mbox: 'mailto:example.org' }, '.mbox', /mailto/],
    ['a short hash', { objectType: 'Agent', mbox_sha1sum: sha1.slice(1) }, '.mbox_sha1sum', /40 hex digits/],
    ['an openid without scheme', { objectType: 'Agent', openid: 'bob.example.org' }, '.openid', /IRI/],
    ['text as account', { objectType: 'Agent', account: 'bob' }, '.account', /must be an account/],
    [
      'an account without homePage',
      { objectType: 'Agent', account: { name: 'b' } },
      '.account.homePage',
      /required/,
    ],
    [
      'an account without name',
      { objectType: 'Agent', account: { homePage: 'a:b' } },
      '.account.name',
      /required/,
    ],
    [
      'a homePage without scheme',
      { objectType: 'Agent', account: { ...account, homePage: 'b' } },
      '.account.homePage',
      /IRI/,
    ],
    [
      'an account name that is a number',
      { objectType: 'Agent', account: { ...account, name: 5 } },
      '.account.name',
      /string/,
    ],
    [
      'an account with more',
      { objectType: 'Agent', account: { ...account, id: 5 } },
      '.account.id',
      /not a property/,
    ],
    ['a Group without anything', { objectType: 'Group' }, '.member', /required in a Group without/],
    ['a Group with two identifiers', { objectType: 'Group', ...ann, account }, '', /only one of/],
    ['a Group in upper case', { objectType: 'GROUP', ...ann }, '.objectType', /did you mean "Group"/],
    ['a Group whose member is no array', { objectType: 'Group', member: ann }, '.member', /array of Agents/],
    [
      'a Group with a nameless member',
      { objectType: 'Group', member: [ann, {}] },
      '.member[1]',
      /must have one of/,
    ],
    [
      'a Group with a Group inside',
      { objectType: 'Group', member: [{ objectType: 'Group', ...ann }] },
      '.member[0].objectType',
      /cannot be a member/,
    ],
    [
      'an Identified Group with a Group inside',
      { objectType: 'Group', ...ann, member: [{ objectType: 'Group', ...bob }] },
      '.member[0].objectType',
      /cannot be a member/,
    ],
    ['a Group with null inside', { objectType: 'Group', member: [null] }, '.member[0]', /not null/],
  ])('must not be %s (xAPI 1.0.3 Data 2.4.2)', (_, actor, below, message) => {
    const [first] = problemsOf(actor);
    expect(first?.path).toBe(clientPath(position) + below);
    expect(first?.message).toMatch(message);
  });
});

describe('an actor', () => {
  it('is taken for an Agent without objectType (xAPI 1.0.3 Data 2.4.2.1)', () => {
    expect(problems(altered(smallStatement, 'actor', ann))).toEqual([]);
    expect(problems(altered(smallStatement, 'actor', { ...ann, member: [bob] }))).toMatchObject([
      { path: 'statement.actor.member', message: expect.stringContaining('"objectType": "Group"') },
    ]);
  });

  it('needs its objectType as an object (xAPI 1.0.3 Data 2.4.4.2)', () => {
    expect(problems(altered(smallStatement, 'object', ann))).toMatchObject([
      { path: 'statement.object.objectType', section: 'xAPI 1.0.3 Data 2.4.4.2' },
    ]);
  });

  it('must be a Group as team (xAPI 1.0.3 Data 2.4.6)', () => {
    expect(problems(altered(smallStatement, 'context.team', { objectType: 'Group', ...ann }))).toEqual([]);
    expect(problems(altered(smallStatement, 'context.team', { objectType: 'Agent', ...ann }))).toMatchObject([
      { path: 'statement.context.team.objectType' },
    ]);
    expect(problems(altered(smallStatement, 'context.team', ann))).toMatchObject([
      { path: 'statement.context.team.objectType', message: 'is required in a Group' },
    ]);
  });
});

describe.each(versions)('an authority under %s (xAPI 1.0.3 Data 2.4.9)', (version) => {
  const problemsOf = (authority: Json) => problems(altered(smallStatement, 'authority', authority), version);

  it('may be an Agent', () => {
    expect(problemsOf(ann)).toEqual([]);
  });

  it('may be the pair of an OAuth consumer and a user', () => {
    expect(problemsOf({ objectType: 'Group', member: [{ account }, ann] })).toEqual([]);
    expect(problemsOf({ objectType: 'Group', member: [ann, { account }] })).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ['an Identified Group', { objectType: 'Group', ...ann, member: [{ account }, bob] }, ''],
    ['a Group of one', { objectType: 'Group', member: [{ account }] }, '.member'],
    ['a Group of three', { objectType: 'Group', member: [{ account }, ann, bob] }, '.member'],
    ['a Group of two without an account', { objectType: 'Group', member: [ann, bob] }, '.member'],
    ['an Agent without identifier', {}, ''],
  ])('must not be %s', (_, authority, below) => {
    expect(problemsOf(authority)).toMatchObject([{ path: `statement.authority${below}` }]);
  });
});
