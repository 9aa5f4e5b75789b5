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
