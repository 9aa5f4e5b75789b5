import type { Json } from '../../lib/json/types.ts';
import type { XapiVersion } from '../../lib/xapi/types.ts';

const agent = { objectType: 'Agent', name: 'Ann', mbox: 'mailto:ann@example.org' };

const group = {
  objectType: 'Group',
  name: 'Team',
  account: { homePage: 'https://example.org/teams', name: 'blue' },
  member: [agent, { mbox_sha1sum: 'cd9b00a5611f94eaa7b1661edab976068e364975' }],
};

const activity = {
  objectType: 'Activity',
  id: 'https://example.org/quiz/1',
  definition: {
    name: { en: 'Quiz', 'de-DE': 'Quiz' },
    description: { en: 'A quiz' },
    type: 'http://adlnet.gov/expapi/activities/cmi.interaction',
    moreInfo: 'https://example.org/quiz/1/about',
    interactionType: 'choice',
    correctResponsesPattern: ['a[,]b'],
    choices: [{ id: 'a', description: { en: 'A' } }, { id: 'b' }],
    extensions: { 'https://example.org/x': { any: [null, 'thing'] } },
  },
};

const attachment = {
  usageType: 'https://example.org/usage',
  display: { en: 'Essay' },
  description: { en: 'An essay' },
  contentType: 'text/plain; charset=utf-8',
  length: 27,
  sha2: '495395e777cd98da653df9615d09c0fd6bb2f8d4788394cd53c56a3bfdcd848a',
  fileUrl: 'https://example.org/essay.txt',
};

const context = {
  registration: 'ec531277-b57b-4c15-8d91-d292c5b2b8f7',
  instructor: agent,
  team: group,
  contextActivities: {
    parent: activity,
    grouping: [activity],
    category: [activity, { id: 'https://example.org/category' }],
    other: [],
  },
  revision: '1',
  platform: 'LMS',
  language: 'en-GB',
  statement: { objectType: 'StatementRef', id: '6690e6c9-3ef0-4ed3-8b37-7f3964730bee' },
  extensions: { 'https://example.org/x': null },
};

const contextOf200 = {
  contextAgents: [{ objectType: 'contextAgent', agent, relevantTypes: ['https://example.org/tutor'] }],
  contextGroups: [{ objectType: 'contextGroup', group, relevantTypes: ['https://example.org/class'] }],
};

/** A valid statement that has every property which the version knows, its SubStatement included. */
export function fullStatement(version: XapiVersion): Json {
  const common = {
    actor: group,
    verb: { id: 'https://example.org/planned', display: { en: 'planned' } },
    result: {
      score: { scaled: 0.5, raw: 5, min: 0, max: 10 },
      success: true,
      completion: false,
      response: 'a',
      duration: 'PT1M',
      extensions: { 'https://example.org/x': 1 },
    },
    timestamp: '2013-05-18T05:32:34.804Z',
    attachments: [attachment],
  };
  const inner = version === '1.0.3' ? context : { ...context, ...contextOf200 };
  const { revision: _revision, platform: _platform, ...outer } = inner;
  return {
    ...common,
    id: 'fd41c918-b88b-4b20-a0a5-a4c32391aaa0',
    object: { ...common, objectType: 'SubStatement', object: activity, context: inner },
    context: outer,
    stored: '2013-05-18T05:32:34.804Z',
    authority: {
      objectType: 'Group',
      member: [{ account: { homePage: 'https://example.org/', name: 'app' } }, agent],
    },
    version: version === '1.0.3' ? '1.0.0' : '2.0.0',
  };
}

/** The smallest valid statement. */
export const smallStatement: Json = {
  actor: { mbox: 'mailto:ann@example.org' },
  verb: { id: 'https://example.org/read' },
  object: { id: 'https://example.org/book' },
};
