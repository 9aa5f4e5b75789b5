import { quote } from './bytes.ts';
import type { SharedTrees } from './shared-trees.ts';
import type { Json, JsonObject } from './types.ts';

/** The positions of an object and its members in a JSON text, and whether the text can be reused as it is. */
export interface ObjectSpan {
  readonly start: number;
  readonly end: number;
  /** Offsets: the beginning and the end of each member. */
  readonly members: readonly number[];
  /**
   * For each object or array that is the value of a member, except the context, and of a member of the context: whether it
   * is in the context (1 or 0), where the member begins, where the value begins and where it ends.
   */
  readonly parts: readonly number[];
  /** The number of members of the context. */
  readonly contextMembers: number;
  /** The number of members of the object, and of all objects in it. */
  readonly names: number;
  /** Whether there is no whitespace between the tokens. */
  readonly compact: boolean;
  /** Whether a number in it would print differently. */
  readonly unusualNumbers: boolean;
}

/** An object with its text in the received JSON. */
export class ObjectText {
  readonly #bytes: Buffer;
  readonly #span: ObjectSpan;
  readonly #trees: SharedTrees | undefined;

  /** @param trees of the shared parts, if any. */
  constructor(bytes: Buffer, span: ObjectSpan, trees?: SharedTrees) {
    this.#bytes = bytes;
    this.#span = span;
    this.#trees = trees;
  }

  /**
   * The text of the members except the named ones, without braces, in pieces to be joined by commas.
   * @param tree the parsed object.
   * @returns undefined where printing gives another text: there is whitespace, or a repeated name.
   */
  membersWithout(omitted: ReadonlySet<string>, tree: Readonly<Record<string, Json>>): Buffer[] | undefined {
    const { members, names, compact } = this.#span;
    if (!compact || names !== countNames(tree, this.#trees)) return undefined;
    const pieces: Buffer[] = [];
    let found = 0;
    let start = -1;
    for (let at = 0; at < members.length; at += 2) {
      const from = members[at] ?? 0;
      if (omitted.has(this.#nameAt(from))) {
        if (start >= 0) pieces.push(this.#bytes.subarray(start, from - 1));
        start = -1;
        found += 1;
      } else if (start < 0) {
        start = from;
      }
    }
    if (start >= 0) pieces.push(this.#bytes.subarray(start, members.at(-1)));
    // A name may be written with escapes; then it is not found here.
    return found === countOf(omitted, tree) ? pieces : undefined;
  }

  #nameAt(member: number): string {
    return this.#bytes.toString('latin1', member + 1, this.#bytes.indexOf(quote, member + 1));
  }
}

function countNames(tree: Json & object, trees: SharedTrees | undefined): number {
  return trees === undefined ? countEach(tree) : trees.once(tree, countEach);
}

function countEach(tree: Json & object, trees?: SharedTrees): number {
  let count = 0;
  if (Array.isArray(tree)) {
    for (const item of tree) if (typeof item === 'object' && item !== null) count += countNames(item, trees);
  } else {
    for (const name in tree) {
      count += 1;
      const member = (tree as JsonObject)[name];
      if (typeof member === 'object' && member !== null) count += countNames(member, trees);
    }
  }
  return count;
}

function countOf(names: ReadonlySet<string>, tree: Readonly<Record<string, Json>>): number {
  let count = 0;
  for (const name of names) if (tree[name] !== undefined) count += 1;
  return count;
}
