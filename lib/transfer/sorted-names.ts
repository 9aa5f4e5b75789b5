/** The same JSON tree with the members of each object in the order of their names. */
export function sortedNames(tree: unknown): unknown {
  if (typeof tree !== 'object' || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map(sortedNames);
  const entries = Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, child]) => [name, sortedNames(child)]));
}
