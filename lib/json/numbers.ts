import { printsUnchanged } from './scanner.ts';
import { endOfString } from './syntax.ts';

/**
 * A text of the same JSON in which a string of U+0000 and the number's text stands for each number that would not print as
 * it came.
 * @param text valid JSON
 * @param refuse throws the error for a number beyond the range of a double, which stands at the offset.
 */
export function markNumbers(text: string, refuse: (offset: number) => never): string {
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
    if (!Number.isFinite(Number(digits))) refuse(found.index);
    marked += `${text.slice(copied, found.index)}"\\u0000${digits}"`;
    copied = token.lastIndex;
  }
  return marked + text.slice(copied);
}

/**
 * Undoes `markNumbers` in printed JSON. Nothing else can look like a mark there: no string of a client holds U+0000, and a
 * backslash in one is printed doubled.
 */
export function printMarkedNumbers(printed: string): string {
  // Most texts have no backslash, and one character is found much faster than several.
  if (!printed.includes('\\') || !printed.includes('"\\u0000')) return printed;
  return printed.replace(/"\\u0000([^"]*)"/g, '$1');
}
