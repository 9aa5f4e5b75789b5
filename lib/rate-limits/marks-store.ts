import { loginMark } from '../db/tables/administration.ts';
import { rowsOf } from '../db/tables/table.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';

const table = rowsOf(loginMark);

/** The ends of marks, in milliseconds since the epoch, by mark (16 bytes in hexadecimal); ones that are not there are left out. */
export type Ends = ReadonlyMap<string, number>;

export async function readMarks(session: ReadSession, marks: readonly string[]): Promise<Ends> {
  const rows = await session.select<{ mark: Buffer; ends_at: number }>(
    'SELECT mark, ends_at FROM login_mark WHERE mark IN (:marks)',
    { marks: bytesOf(marks) },
  );
  return new Map(rows.map(({ mark, ends_at }) => [mark.toString('hex'), ends_at]));
}

export async function writeMarks(session: WriteSession, ends: Ends): Promise<void> {
  await session.upsert(table, [...ends], ['ends_at']);
}

/** Removes the marks that have ended before that time. */
export async function removeEndedMarks(session: WriteSession, before: number): Promise<void> {
  await session.execute('DELETE FROM login_mark WHERE ends_at < :before', { before });
}

const bytesOf = (marks: readonly string[]): Buffer[] => marks.map((mark) => Buffer.from(mark, 'hex'));
