import { makerOf, partsOf, provenReactions, type Told } from './reactions.ts';

/** How what was generated compares with what had to be. Each entry is the name of a reaction with the ids of what has matched. */
export interface Verdict {
  readonly expected: number;
  readonly missing: readonly string[];
  readonly surplus: readonly string[];
  readonly duplicates: readonly string[];
}

/** @param learners the stored statements of each learner, generated ones included, in the order in which they were stored. */
export function verdictOn(learners: Iterable<readonly Told[]>): Verdict {
  const expected = new Set<string>();
  const found = new Map<string, number>();
  for (const statements of learners) {
    for (const { name, expected: combinations } of provenReactions)
      for (const ids of combinations(statements)) expected.add(keyOf(name, ids));
    for (const told of statements) {
      const maker = makerOf(told);
      if (maker === undefined) continue;
      const key = keyOf(maker, partsOf(told));
      found.set(key, (found.get(key) ?? 0) + 1);
    }
  }
  return {
    expected: expected.size,
    missing: [...expected].filter((key) => !found.has(key)),
    surplus: [...found.keys()].filter((key) => !expected.has(key)),
    duplicates: [...found].filter(([, count]) => count > 1).map(([key]) => key),
  };
}

function keyOf(reaction: string, ids: readonly string[]): string {
  return `${reaction} ${ids.join(' ')}`;
}
