import type { Json } from '../../lib/json/types.ts';

function put(tree: Json, [step, ...rest]: string[], value: Json | undefined): Json {
  if (step === undefined) throw new Error('A path needs a step.');
  const copy: Record<string, Json> = {};
  if (typeof tree === 'object') Object.assign(copy, tree);
  const below = rest.length === 0 ? value : put(copy[step] ?? {}, rest, value);
  if (below === undefined) delete copy[step];
  else copy[step] = below;
  return Array.isArray(tree) ? Object.values(copy) : copy;
}

/** A copy of the tree with the value at the path, e.g. `actor.member.0.mbox`, replaced, added or, without a value, removed. */
export function altered(tree: Json, path: string, value?: Json): Json {
  return put(tree, path.split('.'), value);
}
