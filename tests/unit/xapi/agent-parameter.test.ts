import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { parseAgentParameter } from '../../../lib/xapi/agent-parameter.ts';

const agent = { mbox: 'mailto:ann@example.org', name: 'Ann' };
const group = { objectType: 'Group', account: { homePage: 'https://example.org/', name: 'blue' } };

function problem(text: string, allowGroup: boolean): InvalidError | undefined {
  try {
    parseAgentParameter(text, { allowGroup });
    return undefined;
  } catch (error) {
    if (error instanceof InvalidError) return error;
    throw error;
  }
}

describe('parseAgentParameter', () => {
  it('reads an Agent (xAPI 1.0.3 Communication 2.1.3)', () => {
    expect(parseAgentParameter(JSON.stringify(agent), { allowGroup: false })).toEqual(agent);
    expect(parseAgentParameter(JSON.stringify(agent), { allowGroup: true })).toEqual(agent);
  });

  it('reads an Identified Group only where the resource permits it', () => {
    expect(parseAgentParameter(JSON.stringify(group), { allowGroup: true })).toEqual(group);
    expect(problem(JSON.stringify(group), false)?.details).toMatchObject([{ path: 'agent.objectType' }]);
  });

  it('refuses an Anonymous Group, which nothing can match', () => {
    const anonymous = JSON.stringify({ objectType: 'Group', member: [agent] });
    expect(problem(anonymous, true)?.details).toMatchObject([{ path: 'agent' }]);
  });

  it.each([
    ['{"mbox":"ann@example.org"}', 'agent.mbox'],
    ['{"mbox":null}', 'agent.mbox'],
    ['{"name":"Ann"}', 'agent'],
    ['"mailto:ann@example.org"', 'agent'],
    ['[]', 'agent'],
    ['{"__proto__":{"mbox":"mailto:ann@example.org"}}', 'agent.__proto__'],
    ['null', 'agent'],
  ])('refuses %s at %s (xAPI 1.0.3 Data 2.2)', (text, path) => {
    expect(problem(text, true)?.details[0]?.path).toBe(path);
    expect(problem(text, false)?.details[0]?.path).toBe(path);
  });

  it.each(['', 'ann', '{', '{"mbox":"mailto:a@b"}}'])(
    'refuses %j, which is not the JSON of an Agent',
    (text) => {
      expect(problem(text, true)?.message).toMatch(/^The parameter agent must be the JSON of an Agent\. ./);
    },
  );
});
