import type { ReadSession } from '../../db/types.ts';
import { resultEnd, resultStart } from '../result.ts';
import type { ExactPage, JoinedTexts, Position, StatementPage } from '../types.ts';
import { joinedQuery } from './page-sql.ts';
import type { PageRange } from './plan.ts';

interface JoinedRow {
  readonly positions: string | null;
  readonly lengths: string | null;
  readonly result: Buffer;
}

const frame = { start: resultStart, end: resultEnd('') };

/**
 * A page whose texts the database has joined, for an engine that `joinsTexts`: they are never decoded, nor split.
 * @param range of at most one filter, with one row more than belongs on the page.
 * @returns undefined where the page has to be made of its rows: when texts are too long to come along or to stand on one page,
 *   or when they came in another order than that of the scan, which SQLite keeps without promising it.
 */
export async function joinedPage(
  session: ReadSession,
  range: PageRange,
  pageBytes: number,
): Promise<ExactPage<JoinedTexts> | undefined> {
  const { text, values } = joinedQuery(range, frame);
  const [row] = await session.select<JoinedRow>(text, values);
  if (row === undefined) throw new Error('A page was not joined.');
  const positions = numbersIn(row.positions ?? '');
  const lengths = numbersIn(row.lengths ?? '');
  const count = Math.min(positions.length, range.rows - 1);
  const joined = lengths.slice(0, count).reduce((total, length) => total + length, 0);
  const isWhole = lengths.every((length) => length <= range.inlineBytes) && joined <= pageBytes;
  if (!isWhole || !isInOrder(positions, range)) return undefined;
  const newest = range.ascending ? positions[count - 1] : positions[0];
  return {
    texts: { result: row.result, end: resultStart.length + joined + Math.max(count - 1, 0) },
    count,
    newest,
    next: positions.length > count ? positions[count - 1] : undefined,
  };
}

/** A page that was made of its rows. */
export function exactPageOf({ statements, next }: StatementPage): ExactPage<string> {
  const ends = [statements[0]?.position ?? 0, statements.at(-1)?.position ?? 0];
  const newest = statements.length === 0 ? undefined : Math.max(...ends);
  return { texts: statements.map(({ text }) => text).join(','), count: statements.length, newest, next };
}

function numbersIn(list: string): number[] {
  return list === '' ? [] : list.split(',').map(Number);
}

function isInOrder(positions: readonly Position[], { ascending }: PageRange): boolean {
  return positions.every((position, index) => {
    const before = positions[index - 1];
    return before === undefined || (ascending ? before < position : before > position);
  });
}
