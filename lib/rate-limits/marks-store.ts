import { loginMark } from '../db/tables/administration.ts';
import { rowsOf } from '../db/tables/table.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';

const table = rowsOf(loginMark);

/** The ends of marks, in milliseconds since the epoch, by mark (16 bytes in hexadecimal); ones that are not there are left out. */
export type Ends = ReadonlyMap<string, number>;

export interface Marks {
  readonly ends: Ends;
  /** The time by which they count, in milliseconds since the epoch: that of the server, because clocks of processes may differ. */
  readonly now: number;
}

/** @param clock replaces that of the server. */
export async function readMarks(
  session: ReadSession,
  marks: readonly string[],
  clock?: () => number,
): Promise<Marks> {
  const { hasLocalClock, nowSql } = session.dialect;
  const time = hasLocalClock ? '' : ` UNION ALL SELECT NULL, ${nowSql}`;
  const rows = await session.select<{ mark: Buffer | null; ends_at: number }>(
    `SELECT mark, ends_at FROM login_mark WHERE mark IN (:marks)${time}`,
    { marks: bytesOf(marks) },
  );
  const ends = new Map<string, number>();
  let microseconds: number | undefined;
  for (const { mark, ends_at } of rows) {
    if (mark === null) microseconds = ends_at;
    else ends.set(mark.toString('hex'), ends_at);
  }
  const now = clock?.() ?? (microseconds === undefined ? Date.now() : Math.floor(microseconds / 1000));
  return { ends, now };
}

export async function writeMarks(session: WriteSession, ends: Ends): Promise<void> {
  await session.upsert(table, [...ends], ['ends_at']);
}

/** Marks that have ended are kept so long (ms), because somebody may just be about to renew them. */
export const keptFor = 60_000;
/** Most marks that one transaction removes: a flood may have left very many. */
const mostRemoved = 1000;

/** For engines whose DELETE has no order and no limit; it removes all marks of the last millisecond. */
const amongOldest = `AND ends_at <= COALESCE(
  (SELECT ends_at FROM login_mark ORDER BY ends_at LIMIT 1 OFFSET ${mostRemoved - 1}), :before)`;

/** Removes marks that have ended before that time, the oldest first. */
export async function removeEndedMarks(session: WriteSession, before: number): Promise<void> {
  // MariaDB would compare every row with the result of a subquery, and wait for the locks on those of others.
  const oldest = session.dialect.deletesInOrder ? `ORDER BY ends_at LIMIT ${mostRemoved}` : amongOldest;
  await session.execute(`DELETE FROM login_mark WHERE ends_at < :before ${oldest}`, { before });
}

const bytesOf = (marks: readonly string[]): Buffer[] => marks.map((mark) => Buffer.from(mark, 'hex'));
