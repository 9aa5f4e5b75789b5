import type { TimelineEntry, TimelineUnit } from '../../../../../lib/status/types.ts';

/** How far back a timeline looks. */
export type Range = keyof typeof unitsOfRange;

/** The units that make a readable chart of a range, the usual one first. */
export const unitsOfRange = {
  hour: ['minute'],
  day: ['hour'],
  week: ['day', 'hour'],
  month: ['day', 'hour'],
  quarter: ['day', 'month'],
  year: ['month', 'day'],
  all: ['month', 'year'],
} as const satisfies Record<string, readonly [TimelineUnit, ...TimelineUnit[]]>;

export const ranges: readonly Range[] = ['hour', 'day', 'week', 'month', 'quarter', 'year', 'all'];

/** A stretch of time; moments in milliseconds since the epoch. */
export interface Bucket {
  readonly start: number;
  /** Where the next one starts. */
  readonly end: number;
  readonly count: number;
}

export interface Frame {
  readonly range: Range;
  readonly unit: TimelineUnit;
  readonly now: number;
}

const lengthOfUnit = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const days: Readonly<Record<Range, number>> = {
  hour: 1 / 24,
  day: 1,
  week: 7,
  month: 30,
  quarter: 91,
  year: 365,
  all: Number.POSITIVE_INFINITY,
};

/** Where the unit starts that a moment lies in; all units are those of UTC, as the server counts. `by` goes units on. */
function startOf(unit: TimelineUnit, moment: number, by = 0): number {
  const date = new Date(moment);
  if (unit === 'year') return Date.UTC(date.getUTCFullYear() + by, 0);
  if (unit === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by);
  const length = lengthOfUnit[unit];
  return (Math.floor(moment / length) + by) * length;
}

/** Where the timeline begins: the unit in which the range does is not whole, so the next one. */
export function sinceOf({ range, unit, now }: Frame): number {
  return range === 'all' ? 0 : startOf(unit, now - days[range] * lengthOfUnit.day, 1);
}

/** Every unit from the beginning until now, also those in which nothing was stored. */
export function bucketsOf(frame: Frame, entries: readonly TimelineEntry[]): Bucket[] {
  const { range, unit, now } = frame;
  const counts = new Map(entries.map(({ stored, count }) => [Date.parse(stored), count]));
  const first = range === 'all' ? Math.min(now, ...counts.keys()) : sinceOf(frame);
  const buckets: Bucket[] = [];
  for (let start = startOf(unit, first); start <= now; ) {
    const end = startOf(unit, start, 1);
    buckets.push({ start, end, count: counts.get(start) ?? 0 });
    start = end;
  }
  return buckets;
}
