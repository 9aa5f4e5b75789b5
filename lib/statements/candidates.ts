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

/** Some of the statements that are looked for, newest first. */
export interface CandidatePage {
  readonly statements: readonly Candidate[];
  /** Others may lie before this position; absent when there are none. */
  readonly before?: Position;
  /** Whether the page ends early because its texts have more bytes than may be read. */
  readonly tooLarge: boolean;
}

/** What is looked for. */
export interface CandidateRange {
  /** Strictly before this position. */
  readonly before: Position;
  /** Of all texts together. */
  readonly maxBytes: number;
}

/** So many come at once, and texts up to so many bytes with their row. */
const pageRows = 128;
const inlineBytes = 32_768;
const columns = rowColumns({ inlineBytes });

/**
 * The newest statements that are found by all filters, before a position. It looks at a bounded part of the index, so it may
 * find none although there are others further back.
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

/** The newest statements whose Object refers to the one with an id, in lower case, before a position. */
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
 * Some of the newest statements that are found by a filter, oldest first, without those that are longer than a limit.
 * @param rows how many are looked at.
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

/** Long texts come one at a time, and none beyond the limit. */
async function pageOf(
  db: Pick<Database, 'read'>,
  rows: readonly PageRow[],
  { maxBytes, next }: { readonly maxBytes: number; readonly next: Position | undefined },
): Promise<CandidatePage> {
  const statements: Candidate[] = [];
  let total = 0;
  for (const { position, bytes, text } of rows) {
    total += bytes;
    if (total > maxBytes) return { statements, tooLarge: true };
    const found = text === null ? await textAt(db, position) : { position, text };
    if (found !== undefined) statements.push(found);
  }
  return { statements, tooLarge: false, ...(next !== undefined && { before: next }) };
}

async function textAt(db: Pick<Database, 'read'>, position: Position): Promise<Candidate | undefined> {
  const read = (session: ReadSession) => selectTexts(session, [position]);
  // One that has been erased meanwhile is not there any more.
  const [found] = await db.read(read, { large: true });
  return found;
}
