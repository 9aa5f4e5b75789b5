import type { SearchKey } from './search-key.ts';
import type { Position } from './types.ts';

/** A statement that refers to another or is referred to. */
export interface ReferenceNode {
  readonly id: string;
  readonly position: Position;
  readonly target: string | undefined;
  readonly voids: boolean;
  voided: boolean;
  /** All keys that it is found by, own and inherited, except those of its authority. */
  readonly keys: Set<SearchKey>;
  /** The keys that it is found by from now on. */
  readonly added: SearchKey[];
}

type Referrers = ReadonlyMap<ReferenceNode, readonly ReferenceNode[]>;

/**
 * Hands keys from targets to those that refer to them, through any number of references and in circles too, and marks
 * what is voided (xAPI 1.0.3 Communication 2.1.3, Data 2.3.2). Each key passes each reference at most once.
 */
export function settleReferences(nodes: ReadonlyMap<string, ReferenceNode>): void {
  const referrers = referrersByTarget(nodes);
  for (const [target, others] of referrers) {
    if (!target.voids && others.some(({ voids }) => voids)) target.voided = true;
  }
  const pending = Array.from(referrers.keys(), (node) => ({ node, keys: [...node.keys] }));
  for (let step = pending.pop(); step; step = pending.pop()) {
    for (const node of referrers.get(step.node) ?? []) {
      const keys = inherit(node, step.keys);
      if (keys.length > 0) pending.push({ node, keys });
    }
  }
}

function referrersByTarget(nodes: ReadonlyMap<string, ReferenceNode>): Referrers {
  const referrers = new Map<ReferenceNode, ReferenceNode[]>();
  for (const node of nodes.values()) {
    const target = node.target === undefined ? undefined : nodes.get(node.target);
    if (target === undefined) continue;
    const others = referrers.get(target);
    if (others) others.push(node);
    else referrers.set(target, [node]);
  }
  return referrers;
}

/** @returns the keys that are new to the node. */
function inherit(node: ReferenceNode, keys: readonly SearchKey[]): SearchKey[] {
  const fresh = keys.filter((key) => !node.keys.has(key));
  for (const key of fresh) {
    node.keys.add(key);
    node.added.push(key);
  }
  return fresh;
}
