import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../../lib/json/types.ts';
import type { XapiVersion } from '../../../../../lib/xapi/types.ts';
import { altered } from '../../../../support/altered.ts';
import { smallStatement } from '../../../../support/full-statement.ts';
import { clientPath, problems, versions } from '../../../../support/problems.ts';

const agent = { mbox: 'mailto:ann@example.org' };
const activity = { id: 'https://example.org/book' };
const attachment = {
  usageType: 'https://example.org/usage',
  display: { en: 'Essay' },
  contentType: 'text/plain',
  length: 0,
  sha2: '495395e777cd98da653df9615d09c0fd6bb2f8d4788394cd53c56a3bfdcd848a',
};

/** The place, the value, the place of the problem where it differs, and the version when only one has the rule. */
type Case = [path: string, value: Json | undefined, at?: string | undefined, only?: XapiVersion];

function forEachVersion(
  verb: string,
  section: string,
  cases: Case[],
  expected: (at: string) => object[],
): void {
  for (const version of versions) {
    const own = cases.filter(([, , , only]) => only === undefined || only === version);
    it.each(own)(`${verb} %s = %j (${section}) under ${version}`, (path, value, at = path) => {
      expect(problems(altered(smallStatement, path, value), version)).toMatchObject(expected(at));
    });
  }
}

function refused(section: string, cases: Case[]): void {
  forEachVersion('refuses', section, cases, (at) => [
    { path: clientPath(at), section: expect.stringMatching(/^xAPI (1\.0\.3 Data|2\.0\.0 4\.2)/) },
  ]);
}

function accepted(section: string, cases: Case[]): void {
  forEachVersion('accepts', section, cases, () => []);
}

describe('a result', () => {
  accepted('xAPI 1.0.3 Data 2.4.5', [
    ['result', {}],
    ['result.success', false],
    ['result.completion', true],
    ['result.response', ''],
    ['result.duration', 'PT4H35M59.14S'],
    ['result.extensions', { 'a:b': null, 'c:d': [] }],
    ['result.score', {}],
    ['result.score', { scaled: -1 }],
    ['result.score', { scaled: 1 }],
    ['result.score', { raw: -5 }],
    ['result.score', { raw: 5, min: 5, max: 6 }],
    ['result.score', { raw: 6, min: 5, max: 6 }],
    ['result.score', { raw: 6, min: 5 }],
    ['result.score', { raw: 6, max: 6 }],
    ['result.score', { min: -0.2, max: -0.1 }],
  ]);
  refused('xAPI 1.0.3 Data 2.4.5', [
    ['result', []],
    ['result', 'passed'],
    ['result.success', 'true'],
    ['result.success', 1],
    ['result.completion', 'false'],
    ['result.response', 5],
    ['result.duration', 'P4W1D'],
    ['result.duration', 3600],
    ['result.extensions', 'x'],
    ['result.extensions', { x: 1 }, 'result.extensions.x'],
    ['result.Success', true],
    ['result.score', 5],
    ['result.score.scaled', 1.01],
    ['result.score.scaled', -1.01],
    ['result.score.scaled', '0.5'],
    ['result.score.raw', '5'],
    ['result.score.scale', 1],
    ['result.score', { raw: 4, min: 5 }, 'result.score.raw'],
    ['result.score', { raw: 7, max: 6 }, 'result.score.raw'],
    ['result.score', { min: 5, max: 5 }, 'result.score.min'],
    ['result.score', { min: 6, max: 5 }, 'result.score.min'],
  ]);
});

describe('a context', () => {
  accepted('xAPI 1.0.3 Data 2.4.6', [
    ['context', {}],
    ['context.registration', 'EC531277-B57B-4C15-8D91-D292C5B2B8F7'],
    ['context.contextActivities', {}],
    ['context.contextActivities.parent', activity],
    ['context.contextActivities.other', [activity, { ...activity, objectType: 'Activity' }]],
    ['context.contextActivities.category', []],
    ['context.language', 'x-private'],
    ['context.revision', ''],
    ['context.statement', { objectType: 'StatementRef', id: '6690e6c9-3ef0-4ed3-8b37-7f3964730bee' }],
  ]);
  refused('xAPI 1.0.3 Data 2.4.6', [
    ['context', 'course'],
    ['context.registration', 'course-1'],
    ['context.registration', ''],
    ['context.instructor', 'ann'],
    ['context.contextActivities', [activity]],
    ['context.contextActivities.Parent', activity],
    ['context.contextActivities.parents', [activity]],
    ['context.contextActivities.parent', 'https://example.org/book'],
    [
      'context.contextActivities.parent',
      { ...activity, objectType: 'Agent' },
      'context.contextActivities.parent.objectType',
    ],
    ['context.contextActivities.parent', [activity, {}], 'context.contextActivities.parent.1.id'],
    ['context.contextActivities.parent', [[activity]], 'context.contextActivities.parent.0'],
    ['context.revision', 5],
    ['context.platform', {}],
    ['context.language', 'en_US'],
    ['context.language', { en: 'x' }],
    ['context.statement', { id: '6690e6c9-3ef0-4ed3-8b37-7f3964730bee' }, 'context.statement.objectType'],
    ['context.statement', { objectType: 'StatementRef', id: 'x' }, 'context.statement.id'],
    ['context.statement', '6690e6c9-3ef0-4ed3-8b37-7f3964730bee'],
    ['context.extensions.x', 1],
    ['context.contextAgents', [], undefined, '1.0.3'],
    ['context.contextGroups', [], undefined, '1.0.3'],
  ]);

  it('names the version that contextAgents came with (xAPI 1.0.3 Data 2.2)', () => {
    const [first] = problems(altered(smallStatement, 'context.contextAgents', []));
    expect(first?.message).toBe('is not a property of a context: it came with xAPI 2.0.0');
  });
});

describe('a context of 2.0.0', () => {
  const contextAgent = { objectType: 'contextAgent', agent };
  const contextGroup = { objectType: 'contextGroup', group: { objectType: 'Group', ...agent } };
  const inContext = (property: string, value: Json) =>
    problems(altered(smallStatement, `context.${property}`, value), '2.0.0');

  it.each<[string, Json]>([
    ['contextAgents', []],
    ['contextAgents', [contextAgent, { ...contextAgent, relevantTypes: ['a:b', 'c:d'] }]],
    ['contextGroups', []],
    ['contextGroups', [contextGroup, { ...contextGroup, relevantTypes: ['a:b'] }]],
    ['contextGroups', [{ ...contextGroup, group: { objectType: 'Group', member: [agent] } }]],
  ])('may have %s = %j (xAPI 2.0.0 4.2.2.5)', (property, value) => {
    expect(inContext(property, value)).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ['contextAgents', contextAgent, ''],
    ['contextAgents', [agent], '[0].mbox'],
    ['contextAgents', [{ agent }], '[0].objectType'],
    ['contextAgents', [{ ...contextAgent, objectType: 'ContextAgent' }], '[0].objectType'],
    ['contextAgents', [{ objectType: 'contextAgent' }], '[0].agent'],
    ['contextAgents', [{ ...contextAgent, agent: { key: 'x' } }], '[0].agent.key'],
    [
      'contextAgents',
      [{ ...contextAgent, agent: { objectType: 'Group', ...agent } }],
      '[0].agent.objectType',
    ],
    ['contextAgents', [{ ...contextAgent, relevantTypes: [] }], '[0].relevantTypes'],
    ['contextAgents', [{ ...contextAgent, relevantTypes: 'a:b' }], '[0].relevantTypes'],
    ['contextAgents', [{ ...contextAgent, relevantTypes: ['a:b', 'tutor'] }], '[0].relevantTypes[1]'],
    ['contextGroups', contextGroup, ''],
    ['contextGroups', [{ ...contextGroup, objectType: 'contextAgent' }], '[0].objectType'],
    ['contextGroups', [{ objectType: 'contextGroup' }], '[0].group'],
    ['contextGroups', [{ ...contextGroup, group: agent }], '[0].group.objectType'],
    ['contextGroups', [{ ...contextGroup, member: [agent] }], '[0].member'],
    ['contextGroups', [{ ...contextGroup, relevantTypes: [] }], '[0].relevantTypes'],
  ])('must not have %s = %j (xAPI 2.0.0 4.2.2.5)', (property, value, below) => {
    const [first] = inContext(property, value);
    expect(first).toMatchObject({
      path: `statement.context.${property}${below}`,
      section: expect.stringMatching(/^xAPI 2\.0\.0 4\.2/),
    });
  });
});

describe('an Attachment', () => {
  accepted('xAPI 1.0.3 Data 2.4.11', [
    ['attachments', []],
    ['attachments', [attachment, { ...attachment, description: {}, fileUrl: 'https://example.org/a' }]],
    ['attachments', [{ ...attachment, sha2: 'A'.repeat(128), length: 9_007_199_254_740_991 }]],
    ['attachments', [{ ...attachment, sha2: 'a'.repeat(96) }]],
    ['attachments', [{ ...attachment, sha2: '0'.repeat(56) }]],
  ]);
  refused('xAPI 1.0.3 Data 2.4.11', [
    ['attachments', attachment],
    ['attachments', [5], 'attachments.0'],
    ['attachments', [null], 'attachments.0'],
    ['attachments', [altered(attachment, 'usageType')], 'attachments.0.usageType'],
    ['attachments', [altered(attachment, 'usageType', 'x')], 'attachments.0.usageType'],
    ['attachments', [altered(attachment, 'display')], 'attachments.0.display'],
    ['attachments', [altered(attachment, 'display', 'x')], 'attachments.0.display'],
    ['attachments', [altered(attachment, 'description', 'x')], 'attachments.0.description'],
    ['attachments', [altered(attachment, 'contentType')], 'attachments.0.contentType'],
    ['attachments', [altered(attachment, 'contentType', 'text')], 'attachments.0.contentType'],
    ['attachments', [altered(attachment, 'length')], 'attachments.0.length'],
    ['attachments', [altered(attachment, 'length', '27')], 'attachments.0.length'],
    ['attachments', [altered(attachment, 'length', 2.5)], 'attachments.0.length'],
    ['attachments', [altered(attachment, 'length', -1)], 'attachments.0.length'],
    ['attachments', [altered(attachment, 'sha2')], 'attachments.0.sha2'],
    ['attachments', [altered(attachment, 'sha2', '')], 'attachments.0.sha2'],
    ['attachments', [altered(attachment, 'sha2', 'g'.repeat(64))], 'attachments.0.sha2'],
    ['attachments', [altered(attachment, 'sha2', 'a'.repeat(40))], 'attachments.0.sha2'],
    ['attachments', [altered(attachment, 'fileUrl', 'a.txt')], 'attachments.0.fileUrl'],
    ['attachments', [altered(attachment, 'fileURL', 'a:b')], 'attachments.0.fileURL'],
  ]);
});

describe('a statement', () => {
  accepted('xAPI 1.0.3 Data 2.4', [
    ['verb.display', {}],
    ['verb.display', { en: '', 'de-DE': 'las' }],
    ['timestamp', '2999-01-01T00:00:00+02:00'],
    ['stored', '2013-05-18T05:32:34Z'],
    ['version', '1.0'],
    ['version', '1.0.0'],
    ['version', '1.0.9'],
    ['version', '1.0.3-rc1'],
    ['version', '1.0.3-rc.1'],
    ['version', '1.0.3+b'],
  ]);
  refused('xAPI 1.0.3 Data 2.4', [
    ['id', ''],
    ['id', 5],
    ['id', 'AA97B177-9383-4934-8543-0F91A7A028368'],
    ['verb', 'read'],
    ['verb.id', undefined],
    ['verb.id', 'read'],
    ['verb.display', 'read'],
    ['verb.display.a12345', 'read'],
    ['verb.name', 'read'],
    ['timestamp', '2013-05-18'],
    ['timestamp', '2013-05-18 05:32:34Z', undefined, '1.0.3'],
    ['timestamp', 1368855154],
    ['stored', 'yesterday'],
    ['version', '1.1.0'],
    ['version', '0.9.9'],
    ['version', '2.0.0', undefined, '1.0.3'],
    ['version', '1.0.'],
    ['version', 1],
    ['objectType', 'Statement'],
    ['Actor', agent],
    ['constructor', {}],
    ['toString', 'x'],
  ]);

  it('may be of an earlier version under 2.0.0, but not of a later one (xAPI 2.0.0 4.2.4.2)', () => {
    for (const version of ['1.0', '1.0.0', '1.0.9', '2.0', '2.0.0', '2.0.1']) {
      expect(problems(altered(smallStatement, 'version', version), '2.0.0')).toEqual([]);
    }
    for (const version of ['0.9.9', '1.1.0', '2.1.0', '3.0.0', '2', 'should fail']) {
      expect(problems(altered(smallStatement, 'version', version), '2.0.0')).toHaveLength(1);
    }
  });

  it('may have a blank in its timestamps under 2.0.0', () => {
    expect(problems(altered(smallStatement, 'timestamp', '2013-05-18 05:32:34Z'), '2.0.0')).toEqual([]);
  });
});
