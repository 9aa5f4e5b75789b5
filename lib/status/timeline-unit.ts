import type { TimelineUnit } from './types.ts';

const levelOfUnit: Readonly<Record<TimelineUnit, number>> = {
  second: 0,
  minute: 1,
  hour: 2,
  day: 3,
  month: 3,
  year: 3,
};

/** The level of the time slots (lib/counts/time-slots.ts) whose counts make up those of a unit. */
export function levelFor(unit: TimelineUnit): number {
  return levelOfUnit[unit];
}

const keptCharacters: Readonly<Record<TimelineUnit, number>> = {
  year: 4,
  month: 7,
  day: 10,
  hour: 13,
  minute: 16,
  second: 19,
};
const pattern = '0000-01-01T00:00:00.000000000Z';

/** The start of the unit that a second lies in: ISO 8601 in UTC with nine fraction digits. */
export function startOfUnit(unit: TimelineUnit, second: number): string {
  const kept = keptCharacters[unit];
  return new Date(second * 1000).toISOString().slice(0, kept) + pattern.slice(kept);
}
