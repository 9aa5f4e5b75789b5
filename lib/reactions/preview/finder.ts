import type { Json } from '../../json/types.ts';
import { type Chosen, compileCondition, isFalse, isTrue } from '../match/evaluate.ts';
import { placeBelow } from '../ruleset/place.ts';
import type { NearMissReason } from '../service-types.ts';
import type { ClauseNode, ConditionNode } from '../types.ts';
import { valueAt } from '../value.ts';
import { shown } from './shown.ts';

/** What there is to say about a condition that a statement does not fulfil. */
export interface Finding {
  readonly reasons: readonly NearMissReason[];
  /** How many clauses would have to turn out otherwise; of alternatives that lack equally little, all have reasons. */
  readonly lacks: number;
  /** How many of its clauses hold. */
  readonly held: number;
  /** Whether one of those is about the Verb or the Object. */
  readonly isAboutSame: boolean;
  /** Whether one of those is about the Verb. */
  readonly hasVerb: boolean;
}

/** Looks for the reasons in one part of a condition; the statement is chosen for the condition with the name. */
export type Finder = (value: Json, chosen: Chosen) => Finding;

export interface Subject {
  /** Of the condition. */
  readonly name: string;
  /** Of all conditions. */
  readonly names: ReadonlySet<string>;
  /** Whether the part is not to hold, as it stands below `not`. */
  readonly isNegated?: boolean;
}

/** Whether the condition compares the id of the Verb or the Object with a value, other than by `not`. */
export function hasSubject(node: ConditionNode): boolean {
  if (node.kind === 'clause') return isSubject(node);
  return node.kind !== 'not' && node.items.some(hasSubject);
}

function isSubject({ path: [first, second], operand }: ClauseNode): boolean {
  return (first === 'verb' || first === 'object') && second === 'id' && operand.kind === 'value';
}

/** @param place of the part in the ruleset. */
export function finderOf(node: ConditionNode, place: string, subject: Subject): Finder {
  const { isNegated = false } = subject;
  switch (node.kind) {
    case 'clause':
      return clauseFinder(node, place, subject);
    case 'not': {
      // A clause that is negated is named by the place of its `not`.
      const below = node.item.kind === 'clause' && !isNegated ? place : placeBelow(place, 'not');
      return finderOf(node.item, below, { ...subject, isNegated: !isNegated });
    }
    default: {
      const { kind } = node;
      const finders = node.items.map((item, index) =>
        finderOf(item, placeBelow(placeBelow(place, kind), index), subject),
      );
      // `not` of `and` is as `or` of what is negated.
      const combine = (kind === 'and') === isNegated ? leastOf : allOf;
      return (value, chosen) => combine(finders.map((find) => find(value, chosen)));
    }
  }
}

function allOf(findings: readonly Finding[]): Finding {
  return {
    reasons: findings.flatMap(({ reasons }) => reasons),
    lacks: findings.reduce((sum, { lacks }) => sum + lacks, 0),
    held: findings.reduce((sum, { held }) => sum + held, 0),
    isAboutSame: findings.some(({ isAboutSame }) => isAboutSame),
    hasVerb: findings.some(({ hasVerb }) => hasVerb),
  };
}

/** Those that lack least, and of these, those of which most holds. */
function leastOf(findings: readonly Finding[]): Finding {
  const [best] = findings.toSorted((one, other) => one.lacks - other.lacks || other.held - one.held);
  if (best === undefined || best.lacks === 0) return best ?? fulfilled;
  const equal = findings.filter(({ lacks, held }) => lacks === best.lacks && held === best.held);
  return { ...allOf(equal), lacks: best.lacks, held: best.held };
}

const fulfilled: Finding = { reasons: [], lacks: 0, held: 1, isAboutSame: false, hasVerb: false };

/** Nothing is to be said where the clause is as wanted, or may be with other statements, or refers to a condition that does not exist. */
function clauseFinder(node: ClauseNode, place: string, { name, names, isNegated }: Subject): Finder {
  const { operand } = node;
  if (operand.kind === 'reference' && !names.has(operand.condition)) return () => fulfilled;
  const outcomes = compileCondition(node, names);
  const wanted = isNegated ? isFalse : isTrue;
  const isAboutSame = !isNegated && isSubject(node);
  const hasVerb = isAboutSame && node.path[0] === 'verb';
  const op = isNegated ? `not ${node.op}` : node.op;
  return (value, chosen) => {
    if ((outcomes(value, chosen) & wanted) !== 0) return { ...fulfilled, isAboutSame, hasVerb };
    const reason = { path: place, op, ...comparedIn(node, name, value) };
    return { reasons: [reason], lacks: 1, held: 0, isAboutSame: false, hasVerb: false };
  };
}

function comparedIn(
  { path, operand }: ClauseNode,
  name: string,
  value: Json,
): Pick<NearMissReason, 'expected' | 'found'> {
  const isOwn = operand.kind === 'reference' && operand.condition === name;
  const own = isOwn ? valueAt(value, operand.path) : undefined;
  const expected = operand.kind === 'value' ? operand.value : own;
  return { expected: shown(expected), found: shown(valueAt(value, path)) };
}
