import { useMemo } from 'react';
import { momentOf } from '../xapi/moment.ts';
import { percentIn } from './percent.ts';
import { useLanguage } from './texts.tsx';

/** How numbers and times are written in the operator's language; times in his time zone. */
export interface Formats {
  readonly number: (value: number) => string;
  readonly dateTime: (time: string | Date) => string;
  readonly date: (time: string | Date) => string;
  /** Without the day. */
  readonly time: (time: string | Date) => string;
  /** Of a part of 1; only nothing is 0% and only all is 100%. */
  readonly percent: (share: number) => string;
  readonly bytes: (amount: number) => string;
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** The language of the screen as the browser has it, such as `en-GB`, whose dates are not those of `en-US`. */
export function useLocale(): string {
  const language = useLanguage();
  return navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;
}

export function useFormats(): Formats {
  const language = useLocale();
  return useMemo(() => {
    const number = new Intl.NumberFormat(language);
    const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
    const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
    const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
    return {
      number: (value) => number.format(value),
      dateTime: (moment) => textOf(moment, dateTime),
      date: (moment) => textOf(moment, date),
      time: (moment) => textOf(moment, time),
      percent: percentIn(language),
      bytes: (amount) => bytesIn(language, amount),
    };
  }, [language]);
}

/** What is no time stays as it is. */
function textOf(time: string | Date, format: Intl.DateTimeFormat): string {
  const moment = typeof time === 'string' ? momentOf(time) : time.getTime();
  return Number.isNaN(moment) ? String(time) : format.format(moment);
}

function bytesIn(language: string, amount: number): string {
  const step = amount < 1000 ? 0 : Math.min(Math.floor(Math.log10(amount) / 3), units.length - 1);
  const options = {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  } as const;
  return new Intl.NumberFormat(language, options).format(amount / 1000 ** step);
}
