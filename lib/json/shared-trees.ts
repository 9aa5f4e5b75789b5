/** Values computed from a shared tree, by the function or key of the computation. */
class Notes {
  byKey: Map<unknown, unknown> | undefined;
}

/**
 * Trees that several statements share. They are frozen, so what was computed from one stays valid and is cached as long as
 * the tree lives.
 */
export class SharedTrees {
  readonly #notes = new WeakMap<object, Notes>();

  /** Freezes a tree and all its parts. */
  share<Tree extends object>(tree: Tree): Tree {
    if (this.#notes.has(tree)) return tree;
    for (const part of Object.values(tree)) if (typeof part === 'object' && part !== null) this.share(part);
    this.#notes.set(tree, new Notes());
    return Object.freeze(tree);
  }

  isShared(tree: object): boolean {
    return this.#notes.has(tree);
  }

  /** The result of `work`, which must depend only on the tree; computed once for a shared tree. */
  once<Tree extends object, Result>(tree: Tree, work: (tree: Tree, trees: SharedTrees) => Result): Result {
    const notes = this.#notes.get(tree);
    if (notes === undefined) return work(tree, this);
    const known = notes.byKey?.get(work);
    if (known !== undefined) return known as Result;
    const result = work(tree, this);
    notes.byKey ??= new Map();
    notes.byKey.set(work, result);
    return result;
  }

  /** Whether `mark` was called with this key for the tree. */
  isMarked(tree: object, key: unknown): boolean {
    return this.#notes.get(tree)?.byKey?.has(key) ?? false;
  }

  /** Marks a shared tree; does nothing for others. */
  mark(tree: object, key: unknown): void {
    const notes = this.#notes.get(tree);
    if (notes === undefined) return;
    notes.byKey ??= new Map();
    notes.byKey.set(key, true);
  }
}
