/** Trees that several statements share; nobody can change them, so what was found out about one stays true. */
const shared = new WeakSet<object>();

/** Declares that a tree, and each part of it, will be looked at again. */
export function share<Tree extends object>(tree: Tree): Tree {
  if (shared.has(tree)) return tree;
  for (const part of Object.values(tree)) if (typeof part === 'object' && part !== null) share(part);
  shared.add(tree);
  return Object.freeze(tree);
}

export function isShared(tree: object): boolean {
  return shared.has(tree);
}

/** The same function, but its result for a shared tree is worked out once; it must depend on nothing but the tree. */
export function oncePerTree<Tree extends object, Result>(
  work: (tree: Tree) => Result,
): (tree: Tree) => Result {
  const results = new WeakMap<Tree, { readonly result: Result }>();
  return (tree) => {
    const known = results.get(tree);
    if (known !== undefined) return known.result;
    const result = work(tree);
    if (isShared(tree)) results.set(tree, { result });
    return result;
  };
}
