import { momentOf } from './moment.ts';

/** A timestamp as an input of dates and times has it, in the operator's time zone, to the second; empty for another text. */
export function localOf(timestamp: string): string {
  const time = new Date(momentOf(timestamp));
  if (Number.isNaN(time.getTime())) return '';
  // By its parts: in the years before time zones, which come up while a year is typed, offsets are no whole minutes.
  const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()];
  return `${joined(date, '-').padStart(10, '0')}T${joined(clock, ':')}`;
}

function joined(parts: readonly number[], separator: string): string {
  return parts.map((part) => String(part).padStart(2, '0')).join(separator);
}

/** The other way round. */
export function timestampOf(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
