/** Rulesets over the statements that `StatementGenerator` makes. */

const verb = (number: number): string => `https://w3id.org/xapi/bench/verbs/verb-${number}`;
const generatedVerb = 'https://w3id.org/xapi/bench/verbs/noticed';

/** What is sent to create a reaction. */
export interface Rule {
  readonly title: string;
  readonly ruleset: object;
  readonly active: true;
}

/** Five reactions which together match a tenth of the statements: two of twenty verbs, and of these a fifth of the scores each. */
export function matchingRules(): Rule[] {
  return [0, 1, 2, 3, 4].map((fifth) =>
    rule(`matching ${fifth}`, [
      { or: [equals(verb(0)), equals(verb(1))] },
      { path: ['result', 'score', 'raw'], op: 'gte', val: fifth * 20 },
      { path: ['result', 'score', 'raw'], op: 'lt', val: (fifth + 1) * 20 },
    ]),
  );
}

/** Reactions that match none of the statements. */
export function otherRules(count: number): Rule[] {
  return Array.from({ length: count }, (_, index) =>
    rule(`other ${index}`, [
      equals(verb(1000 + index)),
      { path: ['result', 'success'], op: 'eq', val: true },
    ]),
  );
}

const equals = (id: string): object => ({ path: ['verb', 'id'], op: 'eq', val: id });

function rule(title: string, clauses: readonly object[]): Rule {
  return {
    title,
    active: true,
    ruleset: {
      identityPaths: [['actor', 'account', 'name']],
      conditions: { trigger: { and: clauses } },
      template: {
        actor: { $templatePath: ['trigger', 'actor'] },
        verb: { id: generatedVerb },
        object: { objectType: 'StatementRef', id: { $templatePath: ['trigger', 'id'] } },
      },
    },
  };
}

/** Finds the statements that the reactions generate. */
export const generatedStatements = `/statements?verb=${encodeURIComponent(generatedVerb)}&ascending=true`;
