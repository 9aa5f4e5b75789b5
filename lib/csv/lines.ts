import { createArrayCsvStringifier } from 'csv-writer/dist/index.js';
import { longestSlice, textSlices } from '../text-slices.ts';
import type { LanguagePicker } from '../xapi/language.ts';
import { parseStored } from '../xapi/statement/stored-statement.ts';
import { cellOf, headerOf, mapHeaderOf } from './cells.ts';
import type { PropertyPath } from './property-paths.ts';

const recordDelimiter = '\r\n';
const plain = createArrayCsvStringifier({ recordDelimiter });
const quoting = createArrayCsvStringifier({ recordDelimiter, alwaysQuote: true });

/** What the columns of a table hold. */
export interface Columns {
  readonly paths: readonly PropertyPath[];
  /** Picks the texts of language maps; without it language maps are JSON. */
  readonly languages?: LanguagePicker | undefined;
  /** Language maps that follow in columns of their own, as JSON. */
  readonly maps?: readonly PropertyPath[];
}

/** The line of the columns' names. */
export function headerLine({ paths, maps = [] }: Columns): string {
  return lineOf([...paths.map(headerOf), ...maps.map(mapHeaderOf)]);
}

/** The line of a statement, given as JSON text: one cell for each column. */
export function statementLine(text: string, columns: Columns): string {
  const { source } = parseStored(text);
  return lineOf(Array.from(cellsOf(source, columns)));
}

/** Each cell is made when it is taken. */
function* cellsOf(source: unknown, { paths, languages, maps = [] }: Columns): Generator<string> {
  for (const path of paths) yield cellOf(source, path, languages);
  for (const path of maps) yield cellOf(source, path);
}

/** Characters that the cells of a line may have together for it to be made at once. */
const longestLine = 1024 * 1024;

/**
 * The same line in parts, between which other work may be done. That of a long statement with many columns, each of which may
 * hold all of it, is made cell by cell, and a long cell in slices: the line can be longer than a text may be.
 */
export function* statementLineParts(text: string, columns: Columns): Generator<string> {
  const count = columns.paths.length + (columns.maps?.length ?? 0);
  if (text.length * count <= longestLine) {
    yield statementLine(text, columns);
    return;
  }
  const { source } = parseStored(text);
  // Parsing alone takes long enough.
  yield '';
  let separator = '';
  for (const cell of cellsOf(source, columns)) {
    yield* fieldParts(separator, cell);
    separator = ',';
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
  // A text may consist of quotes, each of which is doubled.
  for (const slice of textSlices(cell)) yield quote === '' ? slice : slice.replaceAll('"', '""');
  yield quote;
}

/** Fields are quoted where they have to be (RFC 4180 2.6); the package forgets those with a bare carriage return. */
function lineOf(cells: readonly string[]): string {
  const stringifier = cells.some((cell) => cell.includes('\r')) ? quoting : plain;
  return stringifier.stringifyRecords([cells]);
}
