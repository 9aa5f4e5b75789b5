import { NotFoundError } from '../errors.ts';
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
  /** Lines, the header first. */
  readonly lines: AsyncIterable<string>;
  /** How many rows were taken so far, without the header. */
  rows(): number;
}

/**
 * Begins an export. Its lines are made as they are taken, so the memory that it needs does not depend on its length. It holds
 * what was stored when it began.
 * @param languages those wanted in `format=canonical`, best first.
 * @returns once the first page is read, so that what fails at once is not a file that breaks off.
 */
export async function openExport(
  statements: StatementService,
  selection: ExportSelection,
  languages: readonly string[],
): Promise<ExportText> {
  const pages = pagesOf(statements, selection, languages);
  const first = await pages.next();
  const taken = { rows: 0 };
  return {
    lines: linesOf(first.done ? [] : first.value, pages, { selection, taken }),
    rows: () => taken.rows,
  };
}

type Texts = readonly string[];

interface Taking {
  readonly selection: ExportSelection;
  /** Counts what was taken. */
  readonly taken: { rows: number };
}

async function* linesOf(first: Texts, rest: AsyncIterable<Texts>, taking: Taking): AsyncGenerator<string> {
  yield headerLine(taking.selection.paths);
  yield* inPieces(partsOf(first, taking));
  for await (const page of rest) yield* inPieces(partsOf(page, taking));
}

function* partsOf(texts: Texts, { selection, taken }: Taking): Generator<string> {
  const { paths } = selection;
  const languages = selection.languages && new LanguagePicker(selection.languages);
  for (const text of texts) {
    taken.rows += 1;
    yield* statementLineParts(text, paths, languages);
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
  { statements: selection }: ExportSelection,
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
