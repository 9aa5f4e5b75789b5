import { sql } from '../db/sql.ts';
import type { Database, ReadSession } from '../db/types.ts';
import { rowColumns } from './search/page-sql.ts';
import { type KeyFilter, scanSizesOf } from './search/plan.ts';
import { selectTexts } from './search/reader.ts';
import { type PageRow, search } from './search/search.ts';
import type { Position } from './types.ts';

/** A stored statement that is not voided. */
export interface Candidate {
  readonly position: Position;
  /** JSON, as `format=exact` gives it. */
  readonly text: string;
}

/** One page of a search, newest first. */
export interface CandidatePage {
  readonly statements: readonly Candidate[];
  /** The next page begins before this position; absent on the last page. */
  readonly before?: Position;
  /** Whether the page ends early because of `maxBytes`. */
  readonly tooLarge: boolean;
}

/** The bounds of a search. */
export interface CandidateRange {
  /** Strictly before this position. */
  readonly before: Position;
  /** The most bytes of all texts together. */
  readonly maxBytes: number;
}

/**
 * Rows per page, the most bytes of a text that is read together with its row, and the bytes of texts beyond which a page has
 * no further text that is read alone.
 */
const pageRows = 128;
const inlineBytes = 32_768;
const pageBytes = 1_048_576;
const columns = rowColumns({ inlineBytes });

/**
 * The newest statements before a position that pass all filters. It reads a bounded part of the index, so a page may be
 * empty although older statements match.
 * @param filters the one first that usually finds the fewest.
 */
export async function candidatesBefore(
  db: Pick<Database, 'dialect' | 'read'>,
  filters: readonly KeyFilter[],
  { before, maxBytes }: CandidateRange,
): Promise<CandidatePage> {
  const { rows, searchedTo } = await db.read((session) =>
    search(
      session,
      {
        filters,
        onlyOwn: false,
        after: 0,
        through: before - 1,
        ascending: false,
        dialect: db.dialect,
        rows: pageRows,
        inlineBytes,
      },
      scanSizesOf(db.dialect),
    ),
  );
  const next = rows.length >= pageRows ? rows.at(-1)?.position : searchedTo;
  return pageOf(db, rows, { maxBytes, next });
}

/** The statement with an id, in lower case, if it was stored before a position. */
export async function candidateWithId(
  db: Pick<Database, 'read'>,
  id: string,
  { before, maxBytes }: CandidateRange,
): Promise<CandidatePage> {
  const { text, values } = sql`SELECT ${columns} FROM statement s
    WHERE s.id = ${id} AND s.voided = 0 AND s.position < ${before}`;
  const rows = await db.read((session) => session.select<PageRow>(text, values));
  return pageOf(db, rows, { maxBytes, next: undefined });
}

/** The newest statements, before a position, whose Object is a StatementRef to this lower-case id. */
export async function candidatesReferringTo(
  db: Pick<Database, 'read'>,
  target: string,
  { before, maxBytes }: CandidateRange,
): Promise<CandidatePage> {
  const { text, values } = sql`SELECT ${columns}
    FROM statement_reference r JOIN statement s ON s.position = r.position
    WHERE r.target = ${target} AND r.position < ${before} AND s.voided = 0
    ORDER BY r.position DESC LIMIT ${pageRows}`;
  const rows = await db.read((session) => session.select<PageRow>(text, values));
  const next = rows.length >= pageRows ? rows.at(-1)?.position : undefined;
  return pageOf(db, rows, { maxBytes, next });
}

/**
 * The newest statements that pass a filter, oldest first, without those longer than a limit.
 * @param rows how many statements are read.
 * @returns their texts.
 */
export async function newestTexts(
  session: ReadSession,
  filter: KeyFilter,
  { rows, longest }: { readonly rows: number; readonly longest: number },
): Promise<string[]> {
  const found = await search(
    session,
    {
      filters: [filter],
      onlyOwn: false,
      after: 0,
      through: Number.MAX_SAFE_INTEGER,
      ascending: false,
      dialect: session.dialect,
      rows,
      inlineBytes: longest,
    },
    scanSizesOf(session.dialect),
  );
  return found.rows.toReversed().flatMap(({ text }) => text ?? []);
}

/** Long texts are read one by one, up to the limit; where they are many, those left are on the next page. */
async function pageOf(
  db: Pick<Database, 'read'>,
  rows: readonly PageRow[],
  { maxBytes, next }: { readonly maxBytes: number; readonly next: Position | undefined },
): Promise<CandidatePage> {
  const statements: Candidate[] = [];
  let total = 0;
  let before: Position | undefined;
  for (const { position, bytes, text } of rows) {
    total += bytes;
    if (total > maxBytes) return { statements, tooLarge: true };
    if (text === null && total > pageBytes && before !== undefined)
      return { statements, tooLarge: false, before };
    before = position;
    const found = text === null ? await textAt(db, position) : { position, text };
    if (found !== undefined) statements.push(found);
  }
  return { statements, tooLarge: false, ...(next !== undefined && { before: next }) };
}

async function textAt(db: Pick<Database, 'read'>, position: Position): Promise<Candidate | undefined> {
  const read = (session: ReadSession) => selectTexts(session, [position]);
  // It may have been erased meanwhile.
  const [found] = await db.read(read, { large: true });
  return found;
}
