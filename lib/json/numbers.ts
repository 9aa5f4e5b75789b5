import { printsUnchanged } from './scanner.ts';
import { endOfString } from './syntax.ts';

/**
 * The same JSON with each number that would print differently replaced by a string of U+0000 and the number's text.
 * @param text valid JSON
 * @param onTooLarge told the offset of each number beyond the range of a double.
 */
export function markNumbers(text: string, onTooLarge: (offset: number) => void): string {
  const token = /["\d-]/g;
  const number = /[\d.eE+-]+/y;
  let marked = '';
  let copied = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '"') {
      token.lastIndex = endOfString(text, found.index);
      continue;
    }
    number.lastIndex = found.index;
    const digits = number.exec(text)?.[0] ?? '';
    token.lastIndex = found.index + digits.length;
    if (printsUnchanged(digits)) continue;
    if (!Number.isFinite(Number(digits))) onTooLarge(found.index);
    marked += `${text.slice(copied, found.index)}"\\u0000${digits}"`;
    copied = token.lastIndex;
  }
  return marked + text.slice(copied);
}

/** What stands for a number of this text in a tree that `printJson` prints. */
export const markedNumber = (digits: string): string => `\u0000${digits}`;

/**
 * Undoes `markNumbers` in printed JSON. It is unambiguous: no string of a client contains U+0000, and a backslash in one is
 * printed doubled.
 */
export function printMarkedNumbers(printed: string): string {
  // Most texts have no backslash, and a single character is found much faster than several.
  if (!printed.includes('\\') || !printed.includes('"\\u0000')) return printed;
  return printed.replace(/"\\u0000([^"]*)"/g, '$1');
}
