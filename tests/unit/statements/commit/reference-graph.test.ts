import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  entriesOf,
  mostPassedOn,
  type ReferenceNode,
  settleReferences,
} from '../../../../lib/statements/commit/reference-graph.ts';
import { foreignMark } from '../../../../lib/statements/search/foreign-mark.ts';

/** Nodes 0, 1, 2 …, of which each has keys of its own and may refer to another by number. */
function graphOf(plans: readonly { target: number | undefined; keys: string[]; authority?: string }[]) {
  const nodes = plans.map(
    ({ target, keys, authority = 'me' }, index): ReferenceNode => ({
      id: String(index),
      position: index,
      target: target === undefined ? undefined : String(target),
      voids: false,
      voided: false,
      authority,
      keys: [...keys],
      keysOfOthers: [],
      added: [],
    }),
  );
  settleReferences(new Map(nodes.map((node) => [node.id, node])));
  return nodes;
}

describe('the graph of references', () => {
  it('gives each statement its own keys and those of its targets, nearest first, through trees and cycles', () => {
    const plan = fc.record({
      target: fc.option(fc.nat(11), { nil: undefined }),
      keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(plan, { minLength: 1, maxLength: 12 }), (plans) => {
        const found = graphOf(plans).map(({ keys }) => keys);
        const expected = plans.map((_, start) => {
          const keys = new Set<string>();
          const seen = new Set<number>();
          let at: number | undefined = start;
          while (at !== undefined && plans[at] && !seen.has(at)) {
            seen.add(at);
            for (const key of plans[at]?.keys ?? []) keys.add(key);
            at = plans[at]?.target;
          }
          return [...keys];
        });
        expect(found).toEqual(expected);
      }),
    );
  });

  const shapes = {
    chain: (index: number) => (index === 0 ? undefined : index - 1),
    cycle: (index: number, count: number) => (index + 1) % count,
  };
  it.each(Object.entries(shapes))('hands on no more than the nearest keys in a %s', (_, targetOf) => {
    const count = 20_000;
    const nodes = graphOf(
      Array.from({ length: count }, (_, index) => ({
        target: targetOf(index, count),
        keys: [`verb ${index}`, `agent ${index}`],
      })),
    );
    const node = nodes[10_000];
    expect(node?.keys).toHaveLength(2 + mostPassedOn);
    expect(node?.keys.slice(0, 2)).toEqual(['verb 10000', 'agent 10000']);
    const total = nodes.reduce((sum, { keys }) => sum + keys.length, 0);
    expect(total).toBeLessThanOrEqual(count * (2 + mostPassedOn));
  });

  it('marks what comes from a statement that somebody else vouches for, or through one', () => {
    const [mine, through, theirs] = graphOf([
      { target: 1, keys: ['a'] },
      { target: 2, keys: ['b'] },
      { target: 3, keys: ['c'], authority: 'they' },
      { target: undefined, keys: ['d'] },
    ]);
    expect(mine).toMatchObject({ keys: ['a', 'b'], keysOfOthers: ['c', 'd'] });
    expect(through).toMatchObject({ keys: ['b'], keysOfOthers: ['c', 'd'] });
    expect(theirs).toMatchObject({ keys: ['c'], keysOfOthers: ['d'] });
    expect(theirs && entriesOf(theirs)).toEqual(['c', 'd', foreignMark('d')]);
    expect(mine?.added).toEqual(['b', 'c', 'd', foreignMark('c'), foreignMark('d')]);
  });
});
