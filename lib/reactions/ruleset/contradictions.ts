import type { ClauseNode, ConditionNode, Scalar } from '../types.ts';
import { whyImpossible } from './clause-warnings.ts';
import { placeBelow, shownPath } from './place.ts';
import type { Report } from './report.ts';
import { kindAt, textKindAt } from './shape.ts';

/** A comparison with a value whose type no extension decides. */
interface Compared {
  readonly node: ClauseNode;
  readonly value: Scalar;
}

/** Warns of comparisons below one `and` that demand different values of one place: no statement fulfils them all. */
export function warnOfContradictions(items: readonly ConditionNode[], report: Report): void {
  const byPath = new Map<string, Compared[]>();
  for (const node of items) {
    if (node.kind !== 'clause' || node.operand.kind !== 'value' || !isComparable(node)) continue;
    const key = JSON.stringify(node.path);
    const compared = { node, value: node.operand.value };
    // Of a value that no statement has, the comparison itself is warned of.
    if (whyImpossible(node.path, node.op, compared.value) !== undefined) continue;
    const earlier = byPath.get(key) ?? [];
    const other = earlier.find((each) => excludes(each, compared));
    if (other !== undefined)
      report.warn(
        placeBelow(node.place, 'val'),
        'contradiction',
        `and ${other.node.place} demand of ${shownPath(node.path)} what is never true together, so the condition is never fulfilled`,
      );
    byPath.set(key, [...earlier, compared]);
  }
}

function isComparable({ path }: ClauseNode): boolean {
  return textKindAt(path) === 'plain' && kindAt(path, '2.0.0') !== 'any';
}

function excludes(one: Compared, other: Compared): boolean {
  const [a, b] = [one.node.op, other.node.op];
  if (a === 'eq' && b === 'eq') return one.value !== other.value;
  if (typeof one.value !== 'number' || typeof other.value !== 'number') return false;
  return isBelow(rangeOf(one), rangeOf(other)) || isBelow(rangeOf(other), rangeOf(one));
}

interface Range {
  readonly least: number;
  readonly greatest: number;
  /** Whether the bounds do not belong to it. */
  readonly isOpen: boolean;
}

function rangeOf({ node: { op }, value }: Compared): Range {
  const [least, greatest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const isOpen = op === 'gt' || op === 'lt';
  if (op === 'gt' || op === 'gte') return { least: Number(value), greatest, isOpen };
  if (op === 'lt' || op === 'lte') return { least, greatest: Number(value), isOpen };
  if (op === 'eq') return { least: Number(value), greatest: Number(value), isOpen };
  return { least, greatest, isOpen };
}

function isBelow(one: Range, other: Range): boolean {
  return one.greatest < other.least || (one.greatest === other.least && (one.isOpen || other.isOpen));
}
