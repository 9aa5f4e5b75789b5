import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../lib/json/json.ts';
import { mentionsOf } from '../../../lib/xapi/mentions.ts';
import type { Activity, Actor, Agent, Context, Group, Statement } from '../../../lib/xapi/types.ts';

/** An Agent whose name is that of its mailbox. */
function agent(name: string): Agent & { objectType: 'Agent' } {
  return { objectType: 'Agent', mbox: `mailto:${name}@x.org`, name };
}

function group(name: string, ...members: string[]): Group {
  return { objectType: 'Group', mbox: `mailto:${name}@x.org`, name, member: members.map(agent) };
}

/** An Activity whose type is its id. */
function activity(name: string): Activity & { objectType: 'Activity' } {
  return { objectType: 'Activity', id: `http://x.org/${name}`, definition: { type: `http://x.org/${name}` } };
}

const base: Statement = {
  actor: agent('actor'),
  verb: { id: 'http://x.org/verb' },
  object: activity('object'),
};

const context: Context = {
  instructor: agent('instructor'),
  team: group('team', 'team member'),
  contextAgents: [{ objectType: 'contextAgent', agent: agent('context agent') }],
  contextGroups: [{ objectType: 'contextGroup', group: group('context group', 'context member') }],
  contextActivities: {
    parent: [activity('parent')],
    grouping: activity('grouping'),
    category: [activity('category')],
    other: [activity('other'), { id: 'http://x.org/undefined' }],
  },
};

function names(statement: Statement, authority?: Actor): string[] {
  const seen = mentionsOf(statement, authority).names;
  for (const { identifier, name } of seen) expect(identifier).toBe(`mbox::mailto:${name}@x.org`);
  return seen.map(({ name }) => name);
}

function activities(statement: Statement): string[] {
  const seen = mentionsOf(statement, undefined).definitions;
  for (const { activity: id, text } of seen) expect(JSON.parse(text)).toEqual({ type: id });
  return seen.map(({ activity: id }) => id.replace('http://x.org/', ''));
}

describe('mentionsOf', () => {
  it('sees the Agents of every role, members of Groups, and no Groups (xAPI 1.0.3 Communication 2.4)', () => {
    expect(names({ ...base, context, authority: agent('a liar') }, agent('authority'))).toEqual([
      'actor',
      'instructor',
      'team member',
      'context agent',
      'context member',
      'authority',
    ]);
    expect(names({ ...base, object: agent('object') })).toEqual(['actor', 'object']);
    expect(names({ ...base, actor: group('g', 'a', 'b'), object: group('h', 'c') })).toEqual(['a', 'b', 'c']);
    expect(names(base, group('g', 'a'))).toEqual(['actor', 'a']);
  });

  it('sees who is there, Groups and those without a name too', () => {
    const nameless = { mbox: 'mailto:nameless@x.org' };
    const { agents } = mentionsOf(
      { ...base, actor: nameless, object: agent('object'), context },
      agent('authority'),
    );
    const inContext = [
      'instructor',
      'team',
      'team member',
      'context agent',
      'context group',
      'context member',
    ];
    const seen = ['nameless', ...inContext, 'object', 'authority'];
    expect(agents).toEqual(seen.map((name) => `mbox::mailto:${name}@x.org`));
    const anonymous: Group = { objectType: 'Group', member: [nameless] };
    expect(mentionsOf({ ...base, actor: anonymous }, undefined).agents).toEqual([
      'mbox::mailto:nameless@x.org',
    ]);
  });

  it('sees no name where there is none, but one without an objectType', () => {
    expect(names({ ...base, actor: { mbox: 'mailto:a@x.org' } })).toEqual([]);
    expect(names({ ...base, actor: { mbox: 'mailto:a@x.org', name: 'a' } })).toEqual(['a']);
  });

  it('sees the Activities of every role that have a definition, the Object last (xAPI 1.0.3 Communication 2.5)', () => {
    expect(activities({ ...base, context })).toEqual(['parent', 'grouping', 'category', 'other', 'object']);
    const untyped: Activity = { id: 'http://x.org/a', definition: { type: 'http://x.org/a' } };
    expect(activities({ ...base, object: untyped })).toEqual(['a']);
    expect(activities({ ...base, object: { id: 'http://x.org/a' } })).toEqual([]);
    expect(activities({ ...base, object: agent('a') })).toEqual([]);
  });

  it('sees what is in a SubStatement', () => {
    const object = { objectType: 'SubStatement', verb: base.verb } as const;
    const sub = { ...base, object: { ...object, actor: agent('sub'), object: activity('sub'), context } };
    expect(names(sub)).toEqual([
      'actor',
      'sub',
      'instructor',
      'team member',
      'context agent',
      'context member',
    ]);
    expect(activities(sub)).toEqual(['parent', 'grouping', 'category', 'other', 'sub']);
    const inner = { ...base, object: { ...object, actor: agent('sub'), object: agent('inner') } };
    expect(names(inner)).toEqual(['actor', 'sub', 'inner']);
  });

  it('sees nothing in a StatementRef', () => {
    const object = { objectType: 'StatementRef', id: 'fd41c918-b88b-4b20-a0a5-a4c32391aaa0' } as const;
    expect(mentionsOf({ ...base, object }, undefined)).toMatchObject({
      names: [{ identifier: 'mbox::mailto:actor@x.org', name: 'actor' }],
      definitions: [],
    });
  });

  it('tells whose statement it is, the members of a Group included, and from what platform', () => {
    const group = {
      objectType: 'Group',
      mbox: 'mailto:team@x.org',
      member: [agent('one'), agent('two')],
    } as const;
    const seen = mentionsOf({ ...base, actor: group, context: { platform: 'LMS' } }, agent('authority'));
    const identifiers = ['team', 'one', 'two'].map((name) => `mbox::mailto:${name}@x.org`);
    expect([seen.actors, seen.platform]).toEqual([identifiers, 'LMS']);
    expect(mentionsOf(base, undefined).platform).toBeUndefined();
  });

  it('tells its Verb, and the Activity that is its Object', () => {
    const verbAndActivity = (object: Statement['object']) => {
      const { verb, activity: id } = mentionsOf({ ...base, object, context }, undefined);
      return [verb, id];
    };
    const sub = { objectType: 'SubStatement', actor: agent('a'), verb: { id: 'http://x.org/sub' } } as const;
    expect(verbAndActivity({ id: 'http://x.org/a' })).toEqual([base.verb.id, 'http://x.org/a']);
    expect(verbAndActivity(activity('b'))).toEqual([base.verb.id, 'http://x.org/b']);
    for (const object of [
      agent('o'),
      group('g', 'a'),
      { ...sub, object: activity('inner') },
      { objectType: 'StatementRef', id: 'fd41c918-b88b-4b20-a0a5-a4c32391aaa0' } as const,
    ]) {
      expect(verbAndActivity(object)).toEqual([base.verb.id, undefined]);
    }
  });

  it('keeps the text of numbers', () => {
    const definition = '{"extensions":{"http://x.org/n":[1.0,1e2,12345678901234567890]}}';
    const text = JSON.stringify({ ...base, object: { id: 'http://x.org/a', definition: 0 } });
    const { source } = parseJson(Buffer.from(text.replace('"definition":0', `"definition":${definition}`)));
    expect(mentionsOf(source as unknown as Statement, undefined).definitions).toMatchObject([
      { text: definition },
    ]);
  });
});
