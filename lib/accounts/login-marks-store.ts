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

/** The same, with all marks made where they are missing; no other transaction can read them so until this one ends. */
export async function lockMarks(session: WriteSession, marks: readonly string[]): Promise<Ends> {
  const sorted = marks.toSorted();
  await session.insert(
    table,
    sorted.map((mark) => [mark, 0]),
    { skipTaken: true },
  );
  const LoginMark = await session.model(loginMark);
  const rows = await LoginMark.findAll({
    ...session.options,
    where: { mark: bytesOf(sorted) },
    order: ['mark'],
    raw: true,
    lock: true,
  });
  return new Map(rows.map(({ mark, endsAt }) => [mark.toString('hex'), Number(endsAt)]));
}

export async function writeMarks(session: WriteSession, ends: Ends): Promise<void> {
  const rows = [...ends].sort(([a], [b]) => (a < b ? -1 : 1));
  await session.upsert(table, rows, ['ends_at']);
}

/** Removes the marks that have ended before that time. */
export async function removeEndedMarks(session: WriteSession, before: number): Promise<void> {
  await session.execute('DELETE FROM login_mark WHERE ends_at < :before', { before });
}

const bytesOf = (marks: readonly string[]): Buffer[] => marks.map((mark) => Buffer.from(mark, 'hex'));
