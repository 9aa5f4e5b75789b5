/** JSON with the members of each object in the order of their names; nothing for undefined. */
export function sortedJson(tree: unknown): string {
  if (typeof tree !== 'object' || tree === null) return JSON.stringify(tree) ?? '';
  if (Array.isArray(tree)) return `[${tree.map(sortedJson).join(',')}]`;
  const members: string[] = [];
  for (const name of Object.keys(tree).sort()) {
    const value = (tree as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${sortedJson(value)}`);
  }
  return `{${members.join(',')}}`;
}

/**
 * Whether `sortedJson` gives the same text for both, found in less time. A member that is undefined on one side only counts as
 * different, although its text is the same.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isTree(one) || !isTree(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  );
}

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
