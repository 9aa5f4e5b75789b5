import { newLine } from './bytes.ts';

/** Describes an offset of a UTF-8 text, e.g. `at line 3, column 14`; both count from 1, columns in UTF-16 units. */
export function placeOf(bytes: Buffer, offset: number): string {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at += 1) {
    if (bytes[at] !== newLine) continue;
    line += 1;
    lineStart = at + 1;
  }
  return `at line ${line}, column ${bytes.toString('utf8', lineStart, offset).length + 1}`;
}
