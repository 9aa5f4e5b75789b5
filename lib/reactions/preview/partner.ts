import type { Json } from '../../json/types.ts';
import { isTimestamp, timestampToMicroseconds } from '../../xapi/timestamp.ts';
import type { Identity } from '../match/identity.ts';
import type { Match, Participant } from '../match/participant.ts';
import { shownPath } from '../ruleset/place.ts';
import type { ClauseNode, ConditionNode, Operator, ReactionPath, Reference } from '../types.ts';
import { valueAt } from '../value.ts';
import { cut, shown } from './shown.ts';

/** What a comparison demands of the statement that is compared with: `gt` of the one is `lt` of the other. */
const opposites: Readonly<Record<Operator, PartnerOperator>> = {
  eq: 'eq',
  noteq: 'noteq',
  gt: 'lt',
  gte: 'lte',
  lt: 'gt',
  lte: 'gte',
  like: 'patternFor',
  contains: 'elementOf',
};

type PartnerOperator = Operator | 'patternFor' | 'elementOf';

/** What a statement has to have in order to be the partner of others. */
interface Demand {
  readonly path: ReactionPath;
  readonly op: PartnerOperator;
  readonly value: Json | undefined;
  /** In place of a value: where it would be in a statement that was not found either. */
  readonly ref?: Reference;
}

type Conditions = ReadonlyMap<string, ConditionNode>;

/**
 * What a statement for a condition has to share with those for the others: the values at the identity paths, and what the
 * comparisons of their conditions with each other demand, as JSON text; null where that is nothing. Of a statement that is not
 * chosen no value is known: then the reference to it is shown.
 * @param lacking the name of the condition.
 */
export function sharedWith(
  identity: Identity,
  {
    chosen,
    lacking,
    conditions,
  }: { readonly chosen: Match; readonly lacking: string; readonly conditions: Conditions },
): string | null {
  const shared = identity.known.map(({ path, value }): Demand => ({ path, op: 'eq', value }));
  return textOf([...shared, ...demandsOn(lacking, chosen, conditions)]);
}

/** Whether the chosen statements demand that the one for another condition is stored after the trigger, so that none ever is. */
export function demandsLater(
  lacking: string,
  chosen: Match,
  {
    trigger,
    conditions,
  }: { readonly trigger: Pick<Participant, 'position'>; readonly conditions: Conditions },
): boolean {
  return demandsOn(lacking, chosen, conditions).some(({ path: [first, ...rest], op, value }) => {
    if (first !== 'stored' || rest.length > 0 || typeof value !== 'string') return false;
    if (!(isTimestamp(value, '1.0.3') || isTimestamp(value, '2.0.0'))) return false;
    const time = timestampToMicroseconds(value);
    return (op === 'gt' && time >= trigger.position) || (op === 'gte' && time > trigger.position);
  });
}

function demandsOn(lacking: string, chosen: Match, conditions: Conditions): Demand[] {
  const others = [...conditions.keys()].filter((name) => name !== lacking);
  return others.flatMap((name) => {
    const statement = chosen.get(name)?.value;
    const demanded = (path: ReactionPath): Pick<Demand, 'value' | 'ref'> =>
      statement === undefined
        ? { value: undefined, ref: { condition: name, path } }
        : { value: valueAt(statement, path) };
    return [
      ...references(conditions.get(lacking), name).map(
        ({ path, op, to }): Demand => ({ path, op, ...demanded(to) }),
      ),
      ...references(conditions.get(name), lacking).map(
        ({ path, op, to }): Demand => ({ path: to, op: opposites[op], ...demanded(path) }),
      ),
    ];
  });
}

interface ReferenceTo extends Pick<ClauseNode, 'path' | 'op'> {
  /** The path in the statement of the other condition. */
  readonly to: ReactionPath;
}

/** The comparisons with the statement of a condition that hold wherever the node is true. */
function references(node: ConditionNode | undefined, condition: string): ReferenceTo[] {
  if (node?.kind === 'and') return node.items.flatMap((item) => references(item, condition));
  if (node?.kind !== 'clause') return [];
  const { path, op, operand } = node;
  return operand.kind === 'reference' && operand.condition === condition
    ? [{ path, op, to: operand.path }]
    : [];
}

/** Characters of all demands together. */
const longestObject = 1000;

/** Values by path: one that is to be equal as such, others below their operator. */
function textOf(demands: readonly Demand[]): string | null {
  const byPath = new Map<string, Map<string, string>>();
  for (const { path, op, value, ref } of demands) {
    const name = shownPath(path);
    const known = byPath.get(name) ?? new Map<string, string>();
    byPath.set(name, known.set(op, ref ? JSON.stringify({ ref }) : (shown(value) ?? 'null')));
  }
  const members = Array.from(byPath, ([name, byOperator]) => {
    const equal = byOperator.size === 1 ? byOperator.get('eq') : undefined;
    return `${JSON.stringify(name)}:${equal ?? objectText(byOperator)}`;
  });
  return members.length === 0 ? null : cut(`{${members.join(',')}}`, longestObject);
}

function objectText(values: ReadonlyMap<string, string>): string {
  return `{${Array.from(values, ([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
