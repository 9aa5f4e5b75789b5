import type { Json } from '../../json/types.ts';
import type { Identity } from '../match/identity.ts';
import { valueAt } from '../match/value.ts';
import { shownPath } from '../ruleset/place.ts';
import type { ClauseNode, ConditionNode, Operator, ReactionPath } from '../types.ts';
import { cut, shown } from './shown.ts';

/** A condition by its name. */
export interface NamedCondition {
  readonly name: string;
  readonly node: ConditionNode;
}

/** What a comparison demands of the statement that is compared with: `gt` of the one is `lt` of the other. */
const opposites: Readonly<Record<Operator, string>> = {
  eq: 'eq',
  noteq: 'noteq',
  gt: 'lt',
  gte: 'lte',
  lt: 'gt',
  lte: 'gte',
  like: 'patternFor',
  contains: 'elementOf',
};

/**
 * What a statement has to share with another one, in order to be its partner: the values at the identity paths, and what the
 * comparisons of their two conditions with each other demand, as JSON text; null where that is nothing.
 * @param fulfilled the condition that the other statement, of which `value` is the JSON, fulfils.
 * @param lacking the one that the partner is to fulfil; undefined where that is not known.
 */
export function sharedWith(
  identity: Identity,
  value: Json,
  {
    fulfilled,
    lacking,
  }: { readonly fulfilled: NamedCondition; readonly lacking: NamedCondition | undefined },
): string | null {
  const demands = new Demands();
  for (const { path, value: each } of identity.known) demands.add(path, 'eq', each);
  if (lacking !== undefined) {
    for (const { path, op, to } of references(lacking.node, fulfilled.name))
      demands.add(path, op, valueAt(value, to));
    for (const { path, op, to } of references(fulfilled.node, lacking.name))
      demands.add(to, opposites[op], valueAt(value, path));
  }
  return demands.text;
}

interface ReferenceTo extends Pick<ClauseNode, 'path' | 'op'> {
  /** The path in the statement of the other condition. */
  readonly to: ReactionPath;
}

/** The comparisons with the statement of a condition that hold wherever the node is true. */
function references(node: ConditionNode, condition: string): ReferenceTo[] {
  if (node.kind === 'and') return node.items.flatMap((item) => references(item, condition));
  if (node.kind !== 'clause') return [];
  const { path, op, operand } = node;
  return operand.kind === 'reference' && operand.condition === condition
    ? [{ path, op, to: operand.path }]
    : [];
}

/** Values by path: one that is to be equal as such, others below their operator. */
class Demands {
  readonly #byPath = new Map<string, Map<string, string>>();

  add(path: ReactionPath, op: string, value: Json | undefined): void {
    const name = shownPath(path);
    const known = this.#byPath.get(name) ?? new Map<string, string>();
    this.#byPath.set(name, known.set(op, shown(value) ?? 'null'));
  }

  get text(): string | null {
    const members = Array.from(this.#byPath, ([name, byOperator]) => {
      const equal = byOperator.size === 1 ? byOperator.get('eq') : undefined;
      return `${JSON.stringify(name)}:${equal ?? objectText(byOperator)}`;
    });
    return members.length === 0 ? null : cut(`{${members.join(',')}}`);
  }
}

function objectText(values: ReadonlyMap<string, string>): string {
  return `{${Array.from(values, ([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
