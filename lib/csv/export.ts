import { NotFoundError } from '../errors.ts';
import type { StatementSelection } from '../statements/parameters.ts';
import type {
  Position,
  Presentation,
  StatementPage,
  StatementQuery,
  StatementService,
} from '../statements/types.ts';
import { LanguagePicker } from '../xapi/language.ts';
import { byTurns, makeInTurn, rest } from './half-time.ts';
import { headerLine, statementLineParts } from './lines.ts';
import type { ExportSelection } from './parameters.ts';

/** Statements that are read at once. */
const pageSize = 50;

/** Lines, or parts of long ones, that are made before other work gets its turn, and milliseconds after which it gets it anyway. */
const turn = 10;
const longestTurn = 5;

/** Characters after which a piece is passed on, so that few long ones are in memory. */
const longestPiece = 256 * 1024;

/** The text of an export. */
export interface ExportText {
  /** Pieces of the text, in their order. */
  readonly lines: AsyncIterable<string>;
  /** How many statements were taken so far. */
  rows(): number;
}

/** What an export looks like. */
export interface Layout {
  /** Before the first statement. */
  readonly head: string;
  /** A statement, given as JSON text, in parts between which other work may be done; `row` counts from 0. */
  parts(text: string, row: number): Iterable<string>;
  /** Behind the last one. */
  readonly end: string;
}

/** Begins an export as CSV, the header first; otherwise as `openLayout`. */
export function openExport(
  statements: StatementService,
  { statements: selected, paths, maps, languages: wanted }: ExportSelection,
  languages: readonly string[],
): Promise<ExportText> {
  const columns = { paths, maps, languages: wanted && new LanguagePicker(wanted) };
  const layout: Layout = {
    head: headerLine(columns),
    parts: (text) => statementLineParts(text, columns),
    end: '',
  };
  return openLayout(statements, selected, layout, languages);
}

/**
 * Begins an export. Its text is made as it is taken, so the memory that it needs does not depend on its length. It holds
 * what was stored when it began.
 * @param languages those wanted in `format=canonical`, best first.
 * @returns once the first page is read, so that what fails at once is not a file that breaks off.
 */
export async function openLayout(
  statements: StatementService,
  selected: StatementSelection,
  layout: Layout,
  languages: readonly string[],
): Promise<ExportText> {
  const pages = pagesOf(statements, selected, languages);
  const first = await pages.next();
  const taken = { rows: 0 };
  return {
    lines: linesOf(first.done ? [] : first.value, pages, { layout, taken }),
    rows: () => taken.rows,
  };
}

type Texts = readonly string[];

interface Taking {
  readonly layout: Layout;
  /** Counts what was taken. */
  readonly taken: { rows: number };
}

async function* linesOf(first: Texts, rest: AsyncIterable<Texts>, taking: Taking): AsyncGenerator<string> {
  const { head, end } = taking.layout;
  if (head !== '') yield head;
  yield* inPieces(partsOf(first, taking));
  for await (const page of rest) yield* inPieces(partsOf(page, taking));
  if (end !== '') yield end;
}

function* partsOf(texts: Texts, { layout, taken }: Taking): Generator<string> {
  for (const text of texts) {
    taken.rows += 1;
    yield* layout.parts(text, taken.rows - 1);
  }
}

async function* inPieces(parts: Iterator<string>): AsyncGenerator<string> {
  for (;;) {
    const piece = await makeInTurn(() => nextPiece(parts));
    if (piece === undefined) return;
    if (piece !== '') yield piece;
    await rest();
  }
}

/** undefined at the end. */
function nextPiece(parts: Iterator<string>): string | undefined {
  const start = performance.now();
  const taken: string[] = [];
  for (let length = 0; taken.length < turn && length < longestPiece; ) {
    const { value, done } = parts.next();
    if (done) return taken.length === 0 ? undefined : taken.join('');
    taken.push(value);
    length += value.length;
    if (performance.now() - start > longestTurn) break;
  }
  return taken.join('');
}

async function* pagesOf(
  statements: StatementService,
  selection: StatementSelection,
  languages: readonly string[],
): AsyncGenerator<Texts> {
  const presentation: Presentation = { format: selection.format, attachments: false, languages };
  if ('id' in selection) {
    yield textsOf(await found(statements.get(selection, presentation)));
    return;
  }
  const { limit, ...filter } = selection.filter;
  const until = Math.min(filter.until ?? Number.MAX_SAFE_INTEGER, await statements.consistentThrough());
  let from: Position | undefined = filter.from;
  for (let left = limit; left > 0; ) {
    const query: StatementQuery = {
      ...filter,
      until,
      limit: Math.min(left, pageSize),
      ...(from !== undefined && { from }),
    };
    const page = await byTurns(() => statements.query(query, presentation));
    yield textsOf(page);
    if (page.next === undefined) return;
    from = page.next;
    left -= page.statements.length;
  }
}

/** An id is a filter like any other: one that finds nothing leaves the header alone. */
async function found(page: Promise<StatementPage>): Promise<StatementPage> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof NotFoundError) return { statements: [], attachments: [] };
    throw error;
  }
}

function textsOf({ statements }: StatementPage): Texts {
  return statements.map(({ text }) => text);
}
