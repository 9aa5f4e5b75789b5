import { NotFoundError } from '../errors.ts';
import type {
  Position,
  Presentation,
  StatementPage,
  StatementQuery,
  StatementService,
} from '../statements/types.ts';
import { byTurns, rest } from './half-time.ts';
import { headerLine, statementLine } from './lines.ts';
import type { ExportSelection } from './parameters.ts';

/** Statements that are read at once, and those whose lines are made before other work gets its turn. */
const pageSize = 50;
const turn = 10;

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
  yield* linesOfPage(first, taking);
  for await (const page of rest) yield* linesOfPage(page, taking);
}

async function* linesOfPage(texts: Texts, { selection, taken }: Taking): AsyncGenerator<string> {
  const { paths, languages } = selection;
  for (let start = 0; start < texts.length; start += turn) {
    const some = texts.slice(start, start + turn);
    taken.rows += some.length;
    yield some.map((text) => statementLine(text, paths, languages)).join('');
    await rest();
  }
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
