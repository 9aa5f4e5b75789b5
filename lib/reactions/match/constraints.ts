import { textKindAt } from '../ruleset/shape.ts';
import type { ConditionNode, Operand, ReactionPath } from '../types.ts';

/** A value that the statement of a condition must have at a path. */
export interface Equality {
  readonly path: ReactionPath;
  readonly operand: Operand;
}

/** What must be so wherever a condition is true. */
export interface Constraints {
  readonly equalities: readonly Equality[];
  /** Of each group, one must be so. */
  readonly alternatives: readonly (readonly Constraints[])[];
}

const none: Constraints = { equalities: [], alternatives: [] };

export function constraintsOf(node: ConditionNode): Constraints {
  switch (node.kind) {
    case 'clause':
      return node.op === 'eq' ? { ...none, equalities: [{ path: node.path, operand: node.operand }] } : none;
    case 'not':
      return none;
    case 'and': {
      const items = node.items.map(constraintsOf);
      return {
        equalities: items.flatMap(({ equalities }) => equalities),
        alternatives: items.flatMap(({ alternatives }) => alternatives),
      };
    }
    case 'or': {
      const [only, ...others] = node.items.map(constraintsOf);
      if (only === undefined || others.length === 0) return only ?? none;
      return { equalities: [], alternatives: [[only, ...others]] };
    }
  }
}

/** More values than this are as good as any. */
const mostValues = 64;

/**
 * The values of which the statement must have one at the path, exactly as they are written; undefined where that is not known
 * without other statements.
 */
export function fixedValues(constraints: Constraints, path: ReactionPath): ReadonlySet<string> | undefined {
  for (const { path: at, operand } of constraints.equalities) {
    if (operand.kind === 'value' && typeof operand.value === 'string' && samePath(at, path))
      return new Set([operand.value]);
  }
  for (const group of constraints.alternatives) {
    const sets = group.map((alternative) => fixedValues(alternative, path));
    if (sets.some((set) => set === undefined)) continue;
    const values = new Set(sets.flatMap((set) => [...(set ?? [])]));
    if (values.size <= mostValues) return values;
  }
  return undefined;
}

function samePath(one: ReactionPath, other: ReactionPath): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index]);
}

/** Whether text at the path is compared character by character. */
export function isExact(path: ReactionPath): boolean {
  return textKindAt(path) === 'plain';
}
