import { describe, expect, it } from 'vitest';
import { searchTerms } from '../../../lib/xapi/search-terms.ts';
import type { Agent, Group, Statement } from '../../../lib/xapi/types.ts';

function agent(name: string): Agent & { objectType: 'Agent' } {
  return { objectType: 'Agent', mbox: `mailto:${name}@x.org` };
}

function group(name: string | undefined, ...members: string[]): Group {
  const identity = name === undefined ? {} : { mbox: `mailto:${name}@x.org` };
  return { objectType: 'Group', ...identity, ...(members.length > 0 && { member: members.map(agent) }) };
}

const base: Statement = {
  actor: agent('actor'),
  verb: { id: 'http://x.org/verb' },
  object: { id: 'http://x.org/activity' },
};

/** The values of one kind, sorted; mailboxes by their local part. */
function values(kind: string, statement: Statement): string[] {
  return searchTerms(statement)
    .filter((term) => term.kind === kind)
    .map((term) => term.value.replace(/^mbox::mailto:(.*)@x.org$/, '$1'))
    .sort();
}

describe('searchTerms', () => {
  it('finds a simple statement by actor, verb and activity only', () => {
    expect(searchTerms(base)).toStrictEqual([
      { kind: 'verb', value: 'http://x.org/verb' },
      { kind: 'agent', value: 'mbox::mailto:actor@x.org' },
      { kind: 'activity', value: 'http://x.org/activity' },
    ]);
  });

  it('has no term twice, because the index refuses the second one', () => {
    const twins = group(undefined, 'twin', 'twin');
    const statement: Statement = {
      ...base,
      actor: twins,
      object: {
        objectType: 'SubStatement',
        actor: twins,
        verb: base.verb,
        object: { id: 'http://x.org/activity' },
        context: { instructor: agent('actor') },
      },
      context: { instructor: agent('actor'), team: group('g', 'twin') },
      authority: twins,
    };
    const terms = searchTerms(statement).map(({ kind, value }) => `${kind} ${value}`);
    expect(new Set(terms).size).toBe(terms.length);
    expect(values('authority', statement)).toStrictEqual(['twin']);
  });

  it('finds by actor and object, Groups and their members included (xAPI 1.0.3 Communication 2.1.3, agent)', () => {
    expect(values('agent', { ...base, object: agent('object') })).toStrictEqual(['actor', 'object']);
    expect(
      values('agent', { ...base, actor: group('g', 'm1', 'm2'), object: group(undefined, 'm3') }),
    ).toStrictEqual(['g', 'm1', 'm2', 'm3']);
    expect(values('activity', { ...base, object: agent('object') })).toStrictEqual([]);
  });

  it('finds by every other role as a related agent (xAPI 1.0.3 Communication 2.1.3, related_agents)', () => {
    const statement: Statement = {
      ...base,
      authority: agent('authority'),
      context: {
        instructor: group('instructor', 'i1'),
        team: group('team', 't1'),
        contextAgents: [{ objectType: 'contextAgent', agent: agent('ca') }],
        contextGroups: [{ objectType: 'contextGroup', group: group('cg', 'cg1') }],
      },
    };
    expect(values('agent', statement)).toStrictEqual(['actor']);
    expect(values('related-agent', statement)).toStrictEqual(
      ['authority', 'instructor', 'i1', 'team', 't1', 'ca', 'cg', 'cg1'].sort(),
    );
  });

  it('finds by the roles of a SubStatement as related only (xAPI 1.0.3 Communication 2.1.3)', () => {
    const statement: Statement = {
      ...base,
      object: {
        objectType: 'SubStatement',
        actor: group(undefined, 'sub-actor'),
        verb: { id: 'http://x.org/sub-verb' },
        object: agent('sub-object'),
        context: {
          registration: '6d969975-8d7e-4506-ac19-877c57f2921a',
          instructor: agent('sub-instructor'),
          team: group('sub-team', 'sub-member'),
          contextActivities: { other: [{ id: 'http://x.org/sub-other' }] },
        },
      },
    };
    expect(values('agent', statement)).toStrictEqual(['actor']);
    expect(values('related-agent', statement)).toStrictEqual(
      ['sub-actor', 'sub-object', 'sub-instructor', 'sub-team', 'sub-member'].sort(),
    );
    expect(values('verb', statement)).toStrictEqual(['http://x.org/verb']);
    expect(values('registration', statement)).toStrictEqual([]);
    expect(values('activity', statement)).toStrictEqual([]);
    expect(values('related-activity', statement)).toStrictEqual(['http://x.org/sub-other']);
  });

  it("finds by context activities and a SubStatement's object as related activities (xAPI 1.0.3 Communication 2.1.3)", () => {
    const statement: Statement = {
      ...base,
      context: {
        contextActivities: {
          parent: { id: 'http://x.org/parent' },
          grouping: [{ id: 'http://x.org/g1' }, { id: 'http://x.org/g2' }],
          category: [{ id: 'http://x.org/category' }],
          other: [{ id: 'http://x.org/other' }],
        },
      },
    };
    expect(values('activity', statement)).toStrictEqual(['http://x.org/activity']);
    expect(values('related-activity', statement)).toStrictEqual(
      ['parent', 'g1', 'g2', 'category', 'other'].map((name) => `http://x.org/${name}`).sort(),
    );
    const sub: Statement = {
      ...base,
      object: { objectType: 'SubStatement', ...base, object: { id: 'http://x.org/sub' } },
    };
    expect(values('related-activity', sub)).toStrictEqual(['http://x.org/sub']);
  });

  it('lists no value twice, nor as related what already stands as plain', () => {
    const statement: Statement = {
      ...base,
      authority: agent('actor'),
      context: {
        instructor: agent('i'),
        team: group('i', 'actor', 'i'),
        contextActivities: {
          parent: [{ id: 'http://x.org/activity' }],
          other: [{ id: 'http://x.org/o' }, { id: 'http://x.org/o' }],
        },
      },
    };
    expect(values('agent', statement)).toStrictEqual(['actor']);
    expect(values('related-agent', statement)).toStrictEqual(['i']);
    expect(values('related-activity', statement)).toStrictEqual(['http://x.org/o']);
    expect(values('authority', statement)).toStrictEqual(['actor']);
  });

  it('finds by the registration without case', () => {
    const statement = { ...base, context: { registration: '6D969975-8D7E-4506-AC19-877C57F2921A' } };
    expect(values('registration', statement)).toStrictEqual(['6d969975-8d7e-4506-ac19-877c57f2921a']);
  });

  it('lists every Agent of an authority Group (xAPI 1.0.3 Data 2.4.9)', () => {
    expect(values('authority', { ...base, authority: group(undefined, 'app', 'user') })).toStrictEqual([
      'app',
      'user',
    ]);
  });

  it('takes nothing from a StatementRef, as object or in the context (xAPI 1.0.3 Communication 2.1.3)', () => {
    const reference = { objectType: 'StatementRef', id: '6d969975-8d7e-4506-ac19-877c57f2921a' } as const;
    expect(searchTerms({ ...base, object: reference, context: { statement: reference } })).toStrictEqual([
      { kind: 'verb', value: 'http://x.org/verb' },
      { kind: 'agent', value: 'mbox::mailto:actor@x.org' },
    ]);
  });
});
