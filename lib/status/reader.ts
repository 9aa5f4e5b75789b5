import { countStatements, sumOf } from '../counts/stored-reader.ts';
import { increase } from '../counts/tally.ts';
import { coveringRanges, slotOf, slotSeconds, startOfSlot } from '../counts/time-slots.ts';
import type { ReadSession } from '../db/types.ts';
import { InvalidError } from '../errors.ts';
import { levelFor, startOfUnit } from './timeline-unit.ts';
import type { TimelineEntry, TimelineUnit } from './types.ts';

/** How many entries a timeline may have. */
const longestTimeline = 100_000;
const microseconds = 1_000_000;

export async function selectTotal(
  session: ReadSession,
  name: 'statements' | 'voided' | 'actors' | 'activities',
): Promise<number> {
  const [row] = await session.select<{ amount: number }>(
    'SELECT amount FROM statement_total WHERE name = :name',
    { name },
  );
  return row?.amount ?? 0;
}

/** How many platforms are told, and how many bytes their names may have: clients choose them. */
const mostPlatforms = 1000;
const longestPlatform = 1000;

/** The platforms that most statements have. */
export async function selectPlatforms(session: ReadSession): Promise<Record<string, number>> {
  const rows = await session.select<{ platform: string; statements: number }>(
    `SELECT platform, statements FROM statement_platform WHERE OCTET_LENGTH(platform) <= :longest
     ORDER BY statements DESC LIMIT :most`,
    { longest: longestPlatform, most: mostPlatforms },
  );
  rows.sort((a, b) => b.statements - a.statements || (a.platform < b.platform ? -1 : 1));
  return Object.fromEntries(rows.map(({ platform, statements }) => [platform, statements]));
}

/** The newest position; undefined while there are no statements. */
export async function selectNewest(session: ReadSession): Promise<number | undefined> {
  const [row] = await session.select<{ newest: number | null }>(
    'SELECT MAX(position) AS newest FROM statement',
  );
  return row?.newest ?? undefined;
}

/**
 * Statements by the unit in which they were stored, of those after `since` and at or before `until` (positions). Whole units
 * are read as they are kept; what is cut off at the two ends is put together from shorter ones, and what is shorter than a
 * second is counted.
 * @throws InvalidError
 */
export async function selectTimeline(
  session: ReadSession,
  unit: TimelineUnit,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<TimelineEntry[]> {
  const level = levelFor(unit);
  const length = slotSeconds[level] ?? 1;
  const from = since + 1;
  const end = until + 1;
  const firstSecond = Math.ceil(from / microseconds);
  const endSecond = Math.floor(end / microseconds);
  const counts = new Map<string, number>();
  const add = (second: number, amount: number): void => {
    if (amount > 0) increase(counts, startOfUnit(unit, second), amount);
  };
  if (firstSecond > endSecond) {
    add(endSecond, await countStatements(session, from, end));
    return entriesOf(counts);
  }
  const first = Math.min(Math.ceil(firstSecond / length) * length, endSecond);
  const last = Math.max(Math.floor(endSecond / length) * length, first);
  add(firstSecond - 1, await countStatements(session, from, firstSecond * microseconds));
  add(firstSecond, await sumOf(session, coveringRanges(firstSecond, first, level)));
  for (const { slot, statements } of await selectSlots(session, slotOf(level, first), slotOf(level, last))) {
    add(startOfSlot(slot), statements);
  }
  add(last, await sumOf(session, coveringRanges(last, endSecond, level)));
  add(endSecond, await countStatements(session, endSecond * microseconds, end));
  return entriesOf(counts);
}

function entriesOf(counts: ReadonlyMap<string, number>): TimelineEntry[] {
  return Array.from(counts, ([stored, count]) => ({ stored, count }));
}

async function selectSlots(
  session: ReadSession,
  from: number,
  before: number,
): Promise<{ slot: number; statements: number }[]> {
  const rows = await session.select<{ slot: number; statements: number }>(
    `SELECT slot, statements FROM statement_time WHERE slot >= :from AND slot < :before
     ORDER BY slot LIMIT :rows`,
    { from, before, rows: longestTimeline + 1 },
  );
  if (rows.length <= longestTimeline) return rows;
  throw new InvalidError(
    `The timeline has more than ${longestTimeline} entries: ask for a longer timeline-unit, or set timeline-since and timeline-until closer together.`,
  );
}
