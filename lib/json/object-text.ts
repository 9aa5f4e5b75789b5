import { quote } from './bytes.ts';
import type { SharedTrees } from './shared-trees.ts';
import type { Json, JsonObject } from './types.ts';

/** Where an object and its members stand in a JSON text, and what tells whether they may be taken from there as they are. */
export interface ObjectSpan {
  readonly start: number;
  readonly end: number;
  /** Offsets: where each member begins, each followed by where it ends. */
  readonly members: readonly number[];
  /**
   * Of each object or array that is a member's value, but for the context, and of those of the context: whether it is in the
   * context (1 or 0), where the member begins, where the value begins and where it ends.
   */
  readonly parts: readonly number[];
  /** How many members the context has. */
  readonly contextMembers: number;
  /** How many members the object has, and all objects in it. */
  readonly names: number;
  /** Whether nothing stands between the tokens. */
  readonly compact: boolean;
  /** Whether some number in it would not print as it came. */
  readonly unusualNumbers: boolean;
}

/** An object as it is written in the JSON text that it came in. */
export class ObjectText {
  readonly #bytes: Buffer;
  readonly #span: ObjectSpan;
  readonly #trees: SharedTrees | undefined;

  /** @param trees those of the parts that are shared, if any. */
  constructor(bytes: Buffer, span: ObjectSpan, trees?: SharedTrees) {
    this.#bytes = bytes;
    this.#span = span;
    this.#trees = trees;
  }

  /**
   * The text of the members but for those that are named, without the braces, in pieces that a comma belongs between.
   * @param tree what parsing has made of the object.
   * @returns undefined where that text is not what printing gives: there are blanks, or a name stands twice in an object.
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
