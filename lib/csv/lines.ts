import { createArrayCsvStringifier } from 'csv-writer/dist/index.js';
import type { LanguagePicker } from '../xapi/language.ts';
import { parseStored } from '../xapi/statement/stored-statement.ts';
import { cellOf, headerOf } from './cells.ts';
import type { PropertyPath } from './property-paths.ts';

const recordDelimiter = '\r\n';
const plain = createArrayCsvStringifier({ recordDelimiter });
const quoting = createArrayCsvStringifier({ recordDelimiter, alwaysQuote: true });

/** The line of the columns' names. */
export function headerLine(paths: readonly PropertyPath[]): string {
  return lineOf(paths.map(headerOf));
}

/**
 * The line of a statement, given as JSON text: one cell for each path.
 * @param languages picks the texts of language maps; without it language maps are JSON.
 */
export function statementLine(
  text: string,
  paths: readonly PropertyPath[],
  languages?: LanguagePicker,
): string {
  const { source } = parseStored(text);
  return lineOf(paths.map((path) => cellOf(source, path, languages)));
}

/** Characters that the cells of a line may have together for it to be made at once. */
const longestLine = 1024 * 1024;

/** Characters of a field that are made at once: a text may consist of quotes, each of which is doubled. */
const longestSlice = 64 * 1024;

/**
 * The same line in parts, between which other work may be done. That of a long statement with many columns, each of which may
 * hold all of it, is made cell by cell, and a long cell in slices: the line can be longer than a text may be.
 */
export function* statementLineParts(
  text: string,
  paths: readonly PropertyPath[],
  languages?: LanguagePicker,
): Generator<string> {
  if (text.length * paths.length <= longestLine) {
    yield statementLine(text, paths, languages);
    return;
  }
  const { source } = parseStored(text);
  // Parsing alone takes long enough.
  yield '';
  for (const [index, path] of paths.entries()) {
    yield* fieldParts(index === 0 ? '' : ',', cellOf(source, path, languages));
  }
  yield recordDelimiter;
}

/** The field of a cell, behind what separates it from the one before. */
function* fieldParts(separator: string, cell: string): Generator<string> {
  if (cell.length <= longestSlice) {
    yield separator + lineOf([cell]).slice(0, -recordDelimiter.length);
    return;
  }
  const quote = /[",\r\n]/.test(cell) ? '"' : '';
  yield separator + quote;
  for (let start = 0; start < cell.length; ) {
    const end = sliceEnd(cell, start);
    const slice = cell.slice(start, end);
    yield quote === '' ? slice : slice.replaceAll('"', '""');
    start = end;
  }
  yield quote;
}

/** Where a slice ends without cutting a character of two code units. */
function sliceEnd(cell: string, start: number): number {
  const end = start + longestSlice;
  return (cell.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

/** Fields are quoted where they have to be (RFC 4180 2.6); the package forgets those with a bare carriage return. */
function lineOf(cells: readonly string[]): string {
  const stringifier = cells.some((cell) => cell.includes('\r')) ? quoting : plain;
  return stringifier.stringifyRecords([cells]);
}
