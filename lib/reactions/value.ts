import type { Json } from '../json/types.ts';
import type { ReactionPath } from './types.ts';

/** The value at a path; undefined where there is none. */
export function valueAt(root: Json, path: ReactionPath): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = typeof step === 'number' ? value[step] : undefined;
    else value = Object.hasOwn(value, step) ? value[String(step)] : undefined;
  }
  return value;
}
