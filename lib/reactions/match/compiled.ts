import type { ParsedRuleset, ReactionPath } from '../types.ts';
import { type Comparison, equalityAt } from './compare.ts';
import { type Constraints, constraintsOf, fixedValues } from './constraints.ts';
import { compileCondition, type Predicate } from './evaluate.ts';

/** A condition, ready to be evaluated. */
export interface CompiledCondition {
  readonly name: string;
  readonly holds: Predicate;
  readonly constraints: Constraints;
  /** The Verbs and Objects of which a statement that it is true for has one; undefined: any. */
  readonly verbs: ReadonlySet<string> | undefined;
  readonly objects: ReadonlySet<string> | undefined;
}

/** A ruleset, ready to be matched. */
export interface CompiledRuleset {
  readonly ruleset: ParsedRuleset;
  readonly identity: readonly { readonly path: ReactionPath; readonly equals: Comparison }[];
  readonly conditions: readonly CompiledCondition[];
}

export function compileRuleset(ruleset: ParsedRuleset): CompiledRuleset {
  const names = new Set(ruleset.conditions.keys());
  const conditions = Array.from(ruleset.conditions, ([name, node]) => {
    const constraints = constraintsOf(node);
    return {
      name,
      holds: compileCondition(node, names),
      constraints,
      verbs: fixedValues(constraints, ['verb', 'id']),
      objects: fixedValues(constraints, ['object', 'id']),
    };
  });
  const identity = ruleset.identityPaths.map((path) => ({ path, equals: equalityAt(path) }));
  return { ruleset, identity, conditions };
}
