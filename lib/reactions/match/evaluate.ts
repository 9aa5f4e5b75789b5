import type { Json } from '../../json/types.ts';
import { ReactionFailure } from '../failure.ts';
import { shownPath } from '../ruleset/place.ts';
import type { ClauseNode, ConditionNode } from '../types.ts';
import { valueAt } from '../value.ts';
import { type Comparison, comparisonOf, type Verdict } from './compare.ts';

/**
 * What a condition may turn out to be, as a set of bits: one of them when everything that it refers to is known, else those
 * that are still possible.
 */
export type Outcomes = number;
export const isTrue: Outcomes = 1;
export const isFalse: Outcomes = 2;
export const isUnknown: Outcomes = 4;
const anything: Outcomes = isTrue | isFalse | isUnknown;

/** The statement that each condition is matched by, as JSON, as far as they are chosen. */
export type Chosen = ReadonlyMap<string, Json>;

/** Evaluates a condition of a statement, which is chosen for it. */
export type Predicate = (statement: Json, chosen: Chosen) => Outcomes;

/** @param names of all conditions. */
export function compileCondition(node: ConditionNode, names: ReadonlySet<string>): Predicate {
  switch (node.kind) {
    case 'clause':
      return compileClause(node, names);
    case 'not': {
      const item = compileCondition(node.item, names);
      return (statement, chosen) => negated(item(statement, chosen));
    }
    case 'and': {
      const items = node.items.map((item) => compileCondition(item, names));
      return (statement, chosen) => allOf(items, statement, chosen);
    }
    case 'or': {
      const items = node.items.map((item) => compileCondition(item, names));
      const negatives = items.map<Predicate>(
        (item) =>
          (...values) =>
            negated(item(...values)),
      );
      return (statement, chosen) => negated(allOf(negatives, statement, chosen));
    }
  }
}

function negated(outcomes: Outcomes): Outcomes {
  return (outcomes & isUnknown) | (outcomes & isTrue ? isFalse : 0) | (outcomes & isFalse ? isTrue : 0);
}

/** What `and` makes of them: true if all are, false if one is, else unknown. */
function allOf(items: readonly Predicate[], statement: Json, chosen: Chosen): Outcomes {
  let mayBeTrue = isTrue;
  let mayBeFalse = 0;
  let mayBeUnknown = 0;
  let onlyFalse = false;
  for (const item of items) {
    const outcomes = item(statement, chosen);
    mayBeTrue &= outcomes & isTrue;
    mayBeFalse |= outcomes & isFalse;
    mayBeUnknown |= outcomes & isUnknown;
    onlyFalse ||= outcomes === isFalse;
    if (onlyFalse) return isFalse;
  }
  return mayBeTrue | mayBeFalse | mayBeUnknown;
}

function compileClause(clause: ClauseNode, names: ReadonlySet<string>): Predicate {
  const { path, operand, place } = clause;
  const comparison: Comparison = comparisonOf(clause);
  if (operand.kind === 'value') {
    const { value } = operand;
    return (statement) => outcomeOf(comparison(valueAt(statement, path), value));
  }
  const { condition, path: referred } = operand;
  if (!names.has(condition)) {
    return () => {
      throw new ReactionFailure(
        'ReactionQueryError',
        `The comparison of ${shownPath(path)} at ${place} has a \`ref\` to the condition ${JSON.stringify(condition)}, which does not exist. The conditions are ${[...names].map((name) => JSON.stringify(name)).join(', ')}.`,
        'unknown-condition',
      );
    };
  }
  return (statement, chosen) => {
    const other = chosen.get(condition);
    return other === undefined
      ? anything
      : outcomeOf(comparison(valueAt(statement, path), valueAt(other, referred)));
  };
}

function outcomeOf(verdict: Verdict): Outcomes {
  if (verdict === undefined) return isUnknown;
  return verdict ? isTrue : isFalse;
}
