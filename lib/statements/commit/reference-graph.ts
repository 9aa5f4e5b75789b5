import { foreignMark } from '../search/foreign-mark.ts';
import type { SearchKey } from '../search/search-key.ts';
import type { Position } from '../types.ts';

/**
 * The most keys that a statement passes on, nearest first: its own, those of its target, and so on. Without a bound, a
 * chain of n statements would have n² entries (docs/decisions/0006-references-are-resolved-when-writing.md).
 */
export const handedKeys = 128;

/** The most index entries that a statement inherits: a key of another authority has a second one, which marks it. */
export const mostInherited = 2 * handedKeys;

/** A statement that refers to another or is referred to. */
export interface ReferenceNode {
  readonly id: string;
  readonly position: Position;
  readonly target: string | undefined;
  readonly voids: boolean;
  voided: boolean;
  /** The search key of its authority; undefined when it is not known. */
  readonly authority: SearchKey | undefined;
  /** The search keys that it is found by, its own first, then inherited ones, without those of its authority. */
  readonly keys: SearchKey[];
  /** Further keys, inherited through a statement of another authority. */
  readonly foreignKeys: SearchKey[];
  /** The index entries that it gets. */
  readonly added: SearchKey[];
}

/** The index entries of the node, except those of its authority. */
export function entriesOf({ keys, foreignKeys }: Pick<ReferenceNode, 'keys' | 'foreignKeys'>): SearchKey[] {
  return [...keys, ...foreignKeys, ...foreignKeys.map(foreignMark)];
}

/** The key that marks a statement as voided (xAPI 1.0.3 Data 2.3.2). */
export function markVoided(nodes: ReadonlyMap<string, ReferenceNode>): void {
  for (const node of nodes.values()) {
    const target = node.target === undefined ? undefined : nodes.get(node.target);
    if (target !== undefined && node.voids && !target.voids) target.voided = true;
  }
}

/**
 * Propagates keys from targets to referring statements, through any number of references and in cycles too (xAPI 1.0.3
 * Communication 2.1.3). It follows each reference once, those in cycles twice.
 * @param entryLimit the most index entries that may be added.
 * @returns false when the limit is reached; the nodes then hold only some of the inherited keys.
 */
export function settleReferences(
  nodes: ReadonlyMap<string, ReferenceNode>,
  entryLimit = Number.POSITIVE_INFINITY,
): boolean {
  const graph = new Graph(nodes, entryLimit);
  for (const node of nodes.values()) {
    if (graph.targetOf(node) === undefined) graph.handDown(node);
  }
  for (const node of nodes.values()) {
    if (graph.isFull) return false;
    if (graph.isSettled(node)) continue;
    const circle = graph.circleFrom(node);
    graph.handRound(circle);
    for (const member of circle) graph.handDown(member);
  }
  return !graph.isFull;
}

/** The number of references between each node and the end of its chain: the first target, or a cycle. */
export function distancesOf(nodes: ReadonlyMap<string, ReferenceNode>): Map<string, number> {
  const distances = new Map<string, number>();
  for (const node of nodes.values()) {
    const path: string[] = [];
    let next: ReferenceNode | undefined = node;
    while (next !== undefined && !distances.has(next.id)) {
      path.push(next.id);
      // A provisional value, so that a cycle ends the walk.
      distances.set(next.id, 0);
      next = next.target === undefined ? undefined : nodes.get(next.target);
    }
    let distance = next === undefined ? 0 : (distances.get(next.id) ?? 0) + 1;
    for (const id of path.reverse()) {
      distances.set(id, distance);
      distance += 1;
    }
  }
  return distances;
}

/**
 * An upper estimate of the index entries that a node gets from a target: at most twice as many if the authorities differ.
 */
export function entriesFrom({ keys, foreignKeys }: Pick<ReferenceNode, 'keys' | 'foreignKeys'>): number {
  return Math.min(keys.length + 2 * foreignKeys.length, mostInherited);
}

class Graph {
  readonly #nodes: ReadonlyMap<string, ReferenceNode>;
  readonly #referrers = new Map<ReferenceNode, ReferenceNode[]>();
  readonly #settled = new Set<ReferenceNode>();
  #entriesLeft: number;

  constructor(nodes: ReadonlyMap<string, ReferenceNode>, entryLimit: number) {
    this.#nodes = nodes;
    this.#entriesLeft = entryLimit;
    for (const node of nodes.values()) {
      const target = this.targetOf(node);
      if (target === undefined) continue;
      const others = this.#referrers.get(target);
      if (others) others.push(node);
      else this.#referrers.set(target, [node]);
    }
  }

  targetOf({ target }: ReferenceNode): ReferenceNode | undefined {
    return target === undefined ? undefined : this.#nodes.get(target);
  }

  get isFull(): boolean {
    return this.#entriesLeft < 0;
  }

  isSettled(node: ReferenceNode): boolean {
    return this.#settled.has(node);
  }

  /** From a node that has all its keys to all that refer to it, directly or indirectly. */
  handDown(from: ReferenceNode): void {
    this.#settled.add(from);
    const pending = [from];
    for (let target = pending.pop(); target; target = pending.pop()) {
      for (const node of this.#referrers.get(target) ?? []) {
        if (this.#settled.has(node) || this.isFull) continue;
        this.#inherit(node, target);
        this.#settled.add(node);
        pending.push(node);
      }
    }
  }

  /** The first round brings the keys of each member to the first one, the second round to all members. */
  handRound(circle: readonly ReferenceNode[]): void {
    for (let round = 0; round < 2; round += 1) {
      for (let index = circle.length - 1; index >= 0 && !this.isFull; index -= 1) {
        const node = circle[index];
        const target = circle[(index + 1) % circle.length];
        if (node && target) this.#inherit(node, target);
      }
    }
  }

  #inherit(node: ReferenceNode, target: ReferenceNode): void {
    this.#entriesLeft -= inherit(node, target);
  }

  /** The cycle that the references of a node lead into; each member refers to the next one, the last to the first. */
  circleFrom(node: ReferenceNode): ReferenceNode[] {
    const seen = new Set<ReferenceNode>();
    let first = node;
    for (let next = this.targetOf(first); next && !seen.has(first); next = this.targetOf(first)) {
      seen.add(first);
      first = next;
    }
    const circle = [first];
    for (let next = this.targetOf(first); next && next !== first; next = this.targetOf(next)) {
      circle.push(next);
    }
    return circle;
  }
}

/**
 * Passes the keys of a target on to a node that refers to it.
 * @returns how many index entries the node gains.
 */
export function inherit(
  node: ReferenceNode,
  target: Pick<ReferenceNode, 'keys' | 'foreignKeys' | 'authority'>,
): number {
  const held = new Set([...node.keys, ...node.foreignKeys]);
  const isNew = (key: SearchKey): boolean => !held.has(key);
  const room = Math.max(0, handedKeys - target.keys.length);
  const keys = target.keys.slice(0, handedKeys).filter(isNew);
  const foreignKeys = target.foreignKeys.slice(0, room).filter(isNew);
  const same = node.authority !== undefined && node.authority === target.authority;
  if (!same) foreignKeys.unshift(...keys.splice(0));
  node.keys.push(...keys);
  node.foreignKeys.push(...foreignKeys);
  node.added.push(...keys, ...foreignKeys, ...foreignKeys.map(foreignMark));
  return keys.length + 2 * foreignKeys.length;
}
