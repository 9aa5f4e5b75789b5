import type { Json } from './types.ts';

/** Bytes of the JavaScript heap for one value: 8 for a number in a list, 64 for `{}`, up to 90 for an object in an object. */
const perValue = 60;

/** How many bytes of the JavaScript heap a text takes: one for each character, or two where one of them is not ASCII. */
export function textHeap(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;
}

/**
 * An estimate of how many bytes of the JavaScript heap a tree takes beside its texts. A text that consists of `{}` and `[]`
 * takes 20 times its length.
 */
export function treeHeap(tree: Json): number {
  let count = 1;
  const open: Json[] = [tree];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const item of Array.isArray(value) ? value : Object.values(value)) {
      count += 1;
      if (typeof item === 'object' && item !== null) open.push(item);
    }
  }
  return count * perValue;
}
