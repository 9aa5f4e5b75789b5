import type { Json } from '../../json/types.ts';

/* How values of statements look in previews. */

/** Characters of a value that are shown. */
const longestValue = 200;
/** Items of an array that are shown. */
const mostItems = 10;

/** As JSON, cut after so many characters; of what lies deeper in it nothing is shown. */
export function shown(value: Json | undefined): string | null {
  if (value === undefined) return null;
  const text = Array.isArray(value)
    ? `[${value.slice(0, mostItems).map(shownScalar).join(',')}${value.length > mostItems ? ',…' : ''}]`
    : shownScalar(value);
  return cut(text);
}

/** @param longest in characters. */
export function cut(text: string, longest = longestValue): string {
  return Array.from(text).slice(0, longest).join('');
}

function shownScalar(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 2 * longestValue));
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? '[…]' : '{…}';
}
