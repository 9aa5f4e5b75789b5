import { useMemo } from 'react';
import type { TimelineUnit } from '../../../../../lib/status/types.ts';
import { useLocale } from '../../../texts/formats.ts';

/**
 * What a unit of time is called. Minutes and hours are the same everywhere, so they are told in the operator's time zone;
 * days, months and years are those of UTC.
 */
export function useBucketNames(unit: TimelineUnit): {
  readonly name: (start: number) => string;
  readonly isUtc: boolean;
} {
  const locale = useLocale();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(locale, formatOf[unit]);
    return { name: (start) => format.format(start), isUtc: formatOf[unit].timeZone === 'UTC' };
  }, [locale, unit]);
}

const time = { hour: '2-digit', minute: '2-digit' } as const;
const utc = { timeZone: 'UTC', year: 'numeric' } as const;

const formatOf: Readonly<Record<TimelineUnit, Intl.DateTimeFormatOptions>> = {
  second: { ...time, second: '2-digit' },
  minute: time,
  hour: { day: 'numeric', month: 'short', ...time },
  day: { ...utc, day: 'numeric', month: 'short' },
  month: { ...utc, month: 'short' },
  year: utc,
};
