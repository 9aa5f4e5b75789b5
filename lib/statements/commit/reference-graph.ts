import { foreignMark } from '../search/foreign-mark.ts';
import type { SearchKey } from '../search/search-key.ts';
import type { Position } from '../types.ts';

/**
 * The most keys that a statement passes on, nearest first: its own, those of its target, and so on. Without a bound, a
 * chain of n statements would have n² entries (docs/decisions/0006-references-are-resolved-when-writing.md).
 */
export const mostPassedOn = 128;

/** The most index entries that a statement inherits: a key of another authority has a second one, which marks it. */
export const mostInherited = 2 * mostPassedOn;

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
  /** Further keys, inherited through a statement of another authority; each gets an entry with its foreign mark, too. */
  readonly keysOfOthers: SearchKey[];
  /** The index entries that it gets. */
  readonly added: SearchKey[];
}

/** The index entries of the node, except those of its authority. */
export function entriesOf({ keys, keysOfOthers }: Pick<ReferenceNode, 'keys' | 'keysOfOthers'>): SearchKey[] {
  return [...keys, ...keysOfOthers, ...keysOfOthers.map(foreignMark)];
}

/** Marks the targets of voiding statements as voided; a voiding statement cannot be voided itself (xAPI 1.0.3 Data 2.3.2). */
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
    if (graph.targetOf(node) === undefined) graph.passDown(node);
  }
  for (const node of nodes.values()) {
    if (graph.isFull) return false;
    if (graph.isSettled(node)) continue;
    const cycle = graph.cycleFrom(node);
    graph.passAround(cycle);
    for (const member of cycle) graph.passDown(member);
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
export function entriesFrom({ keys, keysOfOthers }: Pick<ReferenceNode, 'keys' | 'keysOfOthers'>): number {
  return Math.min(keys.length + 2 * keysOfOthers.length, mostInherited);
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

  /** Passes keys from a node that has all of its keys to all that refer to it, directly or indirectly. */
  passDown(from: ReferenceNode): void {
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

  /** Passes keys around a cycle twice: the first round brings those of all members to the first one, the second to all. */
  passAround(cycle: readonly ReferenceNode[]): void {
    for (let round = 0; round < 2; round += 1) {
      for (let index = cycle.length - 1; index >= 0 && !this.isFull; index -= 1) {
        const node = cycle[index];
        const target = cycle[(index + 1) % cycle.length];
        if (node && target) this.#inherit(node, target);
      }
    }
  }

  #inherit(node: ReferenceNode, target: ReferenceNode): void {
    this.#entriesLeft -= inherit(node, target);
  }

  /** The cycle that the references of a node lead into; each member refers to the next one, the last to the first. */
  cycleFrom(node: ReferenceNode): ReferenceNode[] {
    const seen = new Set<ReferenceNode>();
    let first = node;
    for (let next = this.targetOf(first); next && !seen.has(first); next = this.targetOf(first)) {
      seen.add(first);
      first = next;
    }
    const cycle = [first];
    for (let next = this.targetOf(first); next && next !== first; next = this.targetOf(next)) {
      cycle.push(next);
    }
    return cycle;
  }
}

/**
 * Passes the keys of a target on to a node that refers to it.
 * @returns how many index entries the node gains.
 */
export function inherit(
  node: ReferenceNode,
  target: Pick<ReferenceNode, 'keys' | 'keysOfOthers' | 'authority'>,
): number {
  const held = new Set([...node.keys, ...node.keysOfOthers]);
  const isNew = (key: SearchKey): boolean => !held.has(key);
  const left = Math.max(0, mostPassedOn - target.keys.length);
  const keys = target.keys.slice(0, mostPassedOn).filter(isNew);
  const keysOfOthers = target.keysOfOthers.slice(0, left).filter(isNew);
  const same = node.authority !== undefined && node.authority === target.authority;
  if (!same) keysOfOthers.unshift(...keys.splice(0));
  node.keys.push(...keys);
  node.keysOfOthers.push(...keysOfOthers);
  node.added.push(...keys, ...keysOfOthers, ...keysOfOthers.map(foreignMark));
  return keys.length + 2 * keysOfOthers.length;
}
