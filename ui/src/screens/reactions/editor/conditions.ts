import { pathMember } from '../../../../../lib/reactions/ruleset/placeholder.ts';
import type { ValueKind } from '../../../../../lib/reactions/ruleset/shape.ts';
import { operators as allOperators, type Operator } from '../../../../../lib/reactions/types.ts';
import { isObject, withName } from '../../../xapi/json-edit.ts';

export const conditionKinds = ['clause', 'and', 'or', 'not'] as const;
export type ConditionKind = (typeof conditionKinds)[number];

/** What a condition counts as: of several members the server takes the first of these. */
export function conditionKind(condition: unknown): ConditionKind {
  if (!isObject(condition)) return 'clause';
  return (['and', 'or', 'not'] as const).find((kind) => condition[kind] !== undefined) ?? 'clause';
}

export const emptyClause = { path: ['verb', 'id'], op: 'eq', val: '' } as const;

/** The same condition as another kind, with as much of it as that can hold. */
export function asKind(condition: unknown, kind: ConditionKind): unknown {
  const before = conditionKind(condition);
  if (before === kind) return condition;
  const parts = partsOf(condition, before);
  if (kind === 'clause') return firstClause(condition) ?? emptyClause;
  if (kind !== 'not') return { [kind]: before === 'not' ? [condition] : parts };
  return { not: before === 'clause' || parts.length !== 1 ? condition : parts[0] };
}

function partsOf(condition: unknown, kind: ConditionKind): readonly unknown[] {
  if (!isObject(condition) || kind === 'clause') return [condition];
  return [condition[kind]].flat();
}

function firstClause(condition: unknown): unknown {
  const kind = conditionKind(condition);
  if (kind === 'clause') return condition;
  for (const part of partsOf(condition, kind)) {
    const clause = firstClause(part);
    if (clause !== undefined) return clause;
  }
  return undefined;
}

/** The operators that make sense for values of a kind. */
export function operatorsFor(kind: ValueKind | undefined): readonly Operator[] {
  switch (kind) {
    case 'number':
      return ['eq', 'noteq', 'gt', 'gte', 'lt', 'lte'];
    case 'boolean':
      return ['eq', 'noteq'];
    case 'string':
      return ['eq', 'noteq', 'like', 'gt', 'gte', 'lt', 'lte'];
    case 'array':
      return ['contains'];
    default:
      return allOperators;
  }
}

/** The ruleset with a condition called differently, there and wherever it is referred to. */
export function withConditionNamed(ruleset: unknown, name: string, next: string): unknown {
  return renamedIn(withName(ruleset, ['conditions', name], next), name, next);
}

function renamedIn(value: unknown, name: string, next: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamedIn(item, name, next));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => {
    if (key === 'ref' && isObject(member) && member.condition === name)
      return [key, { ...member, condition: next }];
    if (key === pathMember && Array.isArray(member) && member[0] === name)
      return [key, [next, ...member.slice(1)]];
    return [key, renamedIn(member, name, next)];
  });
  return Object.fromEntries(members);
}

/** A name that no condition has yet. */
export function freeName(names: readonly string[]): string {
  const taken = new Set(names);
  for (let number = names.length + 1; ; number += 1) {
    const name = `condition${number}`;
    if (!taken.has(name)) return name;
  }
}
