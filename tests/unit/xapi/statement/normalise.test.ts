import { describe, expect, it } from 'vitest';
import { normalise } from '../../../../lib/xapi/statement/normalise.ts';
import type { Statement } from '../../../../lib/xapi/types.ts';

const actor = { mbox: 'mailto:a@x.org' };
const verb = { id: 'http://x.org/verb' };
const object = { id: 'http://x.org/activity' };
const single = { contextActivities: { other: object, parent: [object] }, platform: 'p' };
const lists = { contextActivities: { parent: [object], other: [object] }, platform: 'p' };

describe('normalise', () => {
  it('turns a single context activity into a list of one (xAPI 1.0.3 Data 2.4.6.2)', () => {
    expect(normalise({ actor, verb, object, context: single })).toStrictEqual({
      actor,
      verb,
      object,
      context: lists,
    });
  });

  it('does so in a SubStatement (xAPI 1.0.3 Data 2.4.6.2)', () => {
    const sub = { objectType: 'SubStatement', actor, verb, object } as const;
    expect(normalise({ actor, verb, object: { ...sub, context: single }, context: lists })).toStrictEqual({
      actor,
      verb,
      object: { ...sub, context: lists },
      context: lists,
    });
  });

  it('gives the same object when there is nothing to change, and never changes what it is given', () => {
    const sub = { objectType: 'SubStatement', actor, verb, object, context: lists } as const;
    for (const statement of [
      { actor, verb, object },
      { actor, verb, object, context: { platform: 'p' } },
      { actor, verb, object: sub, context: lists },
    ] satisfies Statement[]) {
      expect(normalise(statement)).toBe(statement);
    }
    const given = { actor, verb, object, context: single };
    const before = structuredClone(given);
    normalise(given);
    expect(given).toStrictEqual(before);
  });
});
