import { useMemo } from 'react';
import { useLanguage } from './texts.tsx';

/** How numbers and times are written in the operator's language; times in his time zone. */
export interface Formats {
  readonly number: (value: number) => string;
  readonly dateTime: (time: string | Date) => string;
  readonly date: (time: string | Date) => string;
  readonly bytes: (amount: number) => string;
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function useFormats(): Formats {
  const language = useLanguage();
  return useMemo(() => {
    const number = new Intl.NumberFormat(language);
    const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
    const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
    return {
      number: (value) => number.format(value),
      dateTime: (time) => dateTime.format(new Date(time)),
      date: (time) => date.format(new Date(time)),
      bytes: (amount) => bytesIn(language, amount),
    };
  }, [language]);
}

function bytesIn(language: string, amount: number): string {
  const step = amount < 1000 ? 0 : Math.min(Math.floor(Math.log10(amount) / 3), units.length - 1);
  const options = {
    style: 'unit',
    unit: units[step] ?? 'byte',
    maximumFractionDigits: step === 0 ? 0 : 1,
  } as const;
  return new Intl.NumberFormat(language, options).format(amount / 1000 ** step);
}
