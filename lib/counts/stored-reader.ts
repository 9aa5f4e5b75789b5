import type { ReadSession } from '../db/types.ts';
import { coveringRanges } from './time-slots.ts';

const microseconds = 1_000_000;

/** The level of the longest slots. */
const days = 3;

/** How many statements were stored after `since` and at or before `until` (positions), from the same counts. */
export async function countStored(
  session: ReadSession,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<number> {
  const from = since + 1;
  const end = until + 1;
  const firstSecond = Math.ceil(from / microseconds);
  const endSecond = Math.floor(end / microseconds);
  if (firstSecond > endSecond) return countStatements(session, from, end);
  const whole = await sumOf(session, coveringRanges(firstSecond, endSecond, days));
  const before = await countStatements(session, from, firstSecond * microseconds);
  return before + whole + (await countStatements(session, endSecond * microseconds, end));
}

/** Counts those of less than a second, one by one, from the first and before the second position. */
export async function countStatements(session: ReadSession, from: number, before: number): Promise<number> {
  if (from >= before) return 0;
  const [row] = await session.select<{ statements: number }>(
    'SELECT COUNT(*) AS statements FROM statement WHERE position >= :from AND position < :before',
    { from, before },
  );
  return Number(row?.statements ?? 0);
}

/** How many statements the slots of these ranges hold. */
export async function sumOf(
  session: ReadSession,
  ranges: readonly { readonly from: number; readonly before: number }[],
): Promise<number> {
  let sum = 0;
  for (const { from, before } of ranges) {
    const [row] = await session.select<{ statements: number | null }>(
      'SELECT SUM(statements) AS statements FROM statement_time WHERE slot >= :from AND slot < :before',
      { from, before },
    );
    sum += Number(row?.statements ?? 0);
  }
  return sum;
}
