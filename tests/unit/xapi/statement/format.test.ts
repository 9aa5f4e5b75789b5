import { describe, expect, it } from 'vitest';
import { LanguagePicker } from '../../../../lib/xapi/language.ts';
import { activitiesIn, toCanonical, toIds } from '../../../../lib/xapi/statement/format.ts';
import type { Activity, Agent, Group, Statement } from '../../../../lib/xapi/types.ts';

const maps = { name: { fr: 'Nom', en: 'Name' }, description: { fr: 'Texte', en: 'Text' } };
const inEnglish = { name: { en: 'Name' }, description: { en: 'Text' } };
const rest = {
  type: 'http://x.org/type',
  interactionType: 'choice',
  extensions: { 'http://x.org/e': { fr: 'a', en: 'b' } },
};

function activity(name: string): Activity {
  const choices = [{ id: 'a', description: { fr: 'Un', en: 'One' } }, { id: 'b' }];
  return { objectType: 'Activity', id: `http://x.org/${name}`, definition: { ...maps, ...rest, choices } };
}

function activityInEnglish(name: string): Activity {
  const choices = [{ id: 'a', description: { en: 'One' } }, { id: 'b' }];
  return {
    objectType: 'Activity',
    id: `http://x.org/${name}`,
    definition: { ...inEnglish, ...rest, choices },
  };
}

const ann: Agent = { objectType: 'Agent', name: 'Ann', mbox: 'mailto:ann@x.org' };
const bob: Agent = { name: 'Bob', account: { homePage: 'http://x.org', name: 'bob' } };
const annId = { objectType: 'Agent', mbox: 'mailto:ann@x.org' };
const bobId = { account: { homePage: 'http://x.org', name: 'bob' } };
const identified: Group = { objectType: 'Group', name: 'G', openid: 'http://g.x.org', member: [ann] };
const anonymous: Group = { objectType: 'Group', name: 'H', member: [ann, bob] };
const identifiedId = { objectType: 'Group', openid: 'http://g.x.org' };
const anonymousId = { objectType: 'Group', member: [annId, bobId] };

const attachment = {
  usageType: 'http://x.org/usage',
  display: { fr: 'Fichier', en: 'File' },
  description: { fr: 'Texte', en: 'Text' },
  contentType: 'text/plain',
  length: 1,
  sha2: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
};

const context = {
  registration: '6d969975-8d7e-4506-ac19-877c57f2921a',
  instructor: bob,
  team: identified,
  contextActivities: { parent: [activity('parent')], other: [activity('o1'), activity('o2')] },
  contextAgents: [{ objectType: 'contextAgent' as const, agent: ann, relevantTypes: ['http://x.org/t'] }],
  contextGroups: [{ objectType: 'contextGroup' as const, group: anonymous }],
  statement: { objectType: 'StatementRef' as const, id: '6d969975-8d7e-4506-ac19-877c57f2921a' },
};

const verb = { id: 'http://x.org/did', display: { fr: 'a fait', en: 'did' } };
const result = { score: { raw: 1 }, response: 'r' };
const common = {
  actor: anonymous,
  verb,
  result,
  context,
  timestamp: '2020-01-01T00:00:00Z',
  attachments: [attachment],
};
const statement: Statement = {
  id: '8f87ccde-bb56-4c2e-ab83-44982ef22df0',
  ...common,
  object: { objectType: 'SubStatement', ...common, actor: ann, object: activity('sub') },
  authority: ann,
  stored: '2020-01-01T00:00:00Z',
  version: '1.0.0',
};

describe('toIds (xAPI 1.0.3 Communication 2.1.3)', () => {
  it('reduces Agents, Groups, Verbs and Activities everywhere, and nothing else', () => {
    const contextIds = {
      ...context,
      instructor: bobId,
      team: identifiedId,
      contextActivities: {
        parent: [{ id: 'http://x.org/parent' }],
        other: [{ id: 'http://x.org/o1' }, { id: 'http://x.org/o2' }],
      },
      contextAgents: [{ objectType: 'contextAgent', agent: annId, relevantTypes: ['http://x.org/t'] }],
      contextGroups: [{ objectType: 'contextGroup', group: anonymousId }],
    };
    const commonIds = {
      ...common,
      actor: anonymousId,
      verb: { id: 'http://x.org/did' },
      context: contextIds,
    };
    expect(toIds(statement)).toStrictEqual({
      ...statement,
      ...commonIds,
      object: { objectType: 'SubStatement', ...commonIds, actor: annId, object: { id: 'http://x.org/sub' } },
      authority: annId,
    });
  });

  it.each([
    ['Agent', ann, annId],
    ['identified Group', identified, identifiedId],
    ['anonymous Group', anonymous, anonymousId],
    ['Activity', activity('a'), { id: 'http://x.org/a' }],
  ])('reduces an %s as object, of a SubStatement too', (_kind, object, ids) => {
    expect(toIds({ actor: bob, verb, object }).object).toStrictEqual(ids);
    const sub = { objectType: 'SubStatement', actor: bob, verb, object } as const;
    expect(toIds({ actor: bob, verb, object: sub }).object).toMatchObject({ object: ids });
  });

  it('keeps references', () => {
    const object = { objectType: 'StatementRef', id: '6d969975-8d7e-4506-ac19-877c57f2921a' } as const;
    expect(toIds({ actor: bob, verb, object }).object).toBe(object);
  });
});

describe('toCanonical (xAPI 1.0.3 Communication 2.1.3)', () => {
  it('leaves one language in every language map, and all else as it is', () => {
    const contextInEnglish = {
      ...context,
      contextActivities: {
        parent: [activityInEnglish('parent')],
        other: [activityInEnglish('o1'), activityInEnglish('o2')],
      },
    };
    const commonInEnglish = {
      ...common,
      verb: { ...verb, display: { en: 'did' } },
      context: contextInEnglish,
      attachments: [{ ...attachment, display: { en: 'File' }, description: { en: 'Text' } }],
    };
    expect(toCanonical(statement, new LanguagePicker(['en']))).toStrictEqual({
      ...statement,
      ...commonInEnglish,
      object: {
        objectType: 'SubStatement',
        ...commonInEnglish,
        actor: ann,
        object: activityInEnglish('sub'),
      },
    });
  });

  it('chooses for each map by itself', () => {
    const object = {
      id: 'http://x.org/a',
      definition: { name: { fr: 'Nom', 'en-US': 'Name' }, description: { fr: 'Texte' } },
    };
    expect(toCanonical({ actor: ann, verb, object }, new LanguagePicker(['en'])).object).toMatchObject({
      definition: { name: { 'en-US': 'Name' }, description: { fr: 'Texte' } },
    });
  });

  it('keeps empty maps and statements without any', () => {
    const bare: Statement = {
      actor: ann,
      verb: { id: verb.id, display: {} },
      object: { id: 'http://x.org/a' },
    };
    expect(toCanonical(bare, new LanguagePicker(['en']))).toStrictEqual(bare);
  });
});

describe('activitiesIn', () => {
  it('names every Activity once, in the order in which they occur', () => {
    const context = { contextActivities: { other: [activity('o'), activity('p')], parent: [activity('p')] } };
    const inner = { actor: ann, verb: { id: 'http://x.org/v' }, object: activity('o'), context };
    const found = activitiesIn({
      ...inner,
      object: { objectType: 'SubStatement', ...inner, object: activity('i') },
    });
    expect([...found].sort()).toEqual(['http://x.org/i', 'http://x.org/o', 'http://x.org/p']);
    expect([...activitiesIn({ ...inner, object: ann })]).toEqual(
      expect.not.arrayContaining(['http://x.org/i']),
    );
  });
});

describe('both formats', () => {
  it('neither change what they are given nor the order of its properties', () => {
    const before = structuredClone(statement);
    for (const formatted of [toIds(statement), toCanonical(statement, new LanguagePicker([]))]) {
      expect(Object.keys(formatted)).toStrictEqual(Object.keys(statement));
    }
    expect(statement).toStrictEqual(before);
  });
});
