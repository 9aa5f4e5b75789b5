import type { Json } from './types.ts';

/** Bytes of the JavaScript heap for one value: 8 for a number in a list, 64 for `{}`, up to 90 for an object in an object. */
const perValue = 60;

/** How many bytes of the JavaScript heap a text takes: one for each character, or two where one of them is not ASCII. */
export function textHeap(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;
}

/** The number of JSON values of a tree as `JsonScanner` counts them in its text: lists, objects and the commas in them. */
export function countValues(tree: object): number {
  let count = 0;
  const open = [tree];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const items: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
    count += Math.max(1, items.length);
    for (const item of items) if (typeof item === 'object' && item !== null) open.push(item);
  }
  return count;
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
