import type { XapiVersion } from './types.ts';

const dateAndTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?/
    .source;
const hours = /(?:[01]\d|2[0-3])/.source;

/** RFC 3339, and the wider ISO 8601 that may leave out the offset or its minutes. */
const patterns: Readonly<Record<XapiVersion, RegExp>> = {
  '1.0.3': new RegExp(`${dateAndTime}(?:[Zz]|[+-]${hours}(?::[0-5]\\d)?)?$`),
  '2.0.0': new RegExp(`${dateAndTime}(?:[Zz]|[+-]${hours}:[0-5]\\d)$`),
};

const unknownOffset = /:\d\d(?:\.\d+)?-00(?::00)?$/;

function dayExists(text: string): boolean {
  const day = Number(text.slice(8, 10));
  if (day <= 28) return true;
  const month = Number(text.slice(5, 7));
  if (month !== 2) return day <= 30 || ![4, 6, 9, 11].includes(month);
  const year = Number(text.slice(0, 4));
  return day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** A leap second only ever ends a month of UTC. */
function isLeapSecond(text: string): boolean {
  const wholeSeconds = text.replace(/\.\d+/, '');
  const next = new Date(timestampToMicroseconds(wholeSeconds) / 1000);
  return next.getUTCDate() === 1 && next.getTime() % 86_400_000 === 0;
}

/**
 * Whether the text is a timestamp that names a real day and time. 1.0.3 demands ISO 8601, with a `T` and, as a
 * recommendation only, an offset (xAPI 1.0.3 Data 4.5); 2.0.0 demands RFC 3339, which also lets a blank stand for the `T`.
 * `-00:00` and `-00` say that the offset is unknown and are refused by both.
 */
export function isTimestamp(text: string, version: XapiVersion): boolean {
  return (
    patterns[version].test(text) &&
    !unknownOffset.test(text) &&
    (version !== '1.0.3' || text[10] !== ' ') &&
    dayExists(text) &&
    (text[17] !== '6' || isLeapSecond(text))
  );
}

/**
 * The point in time that a valid timestamp names, in microseconds since the epoch; finer digits are cut off, and a
 * missing offset means UTC. Exact between the
 * years 1684 and 2255, beyond which a number no longer holds every microsecond.
 */
export function timestampToMicroseconds(text: string): number {
  const midnight = new Date(0).setUTCFullYear(
    Number(text.slice(0, 4)),
    Number(text.slice(5, 7)) - 1,
    Number(text.slice(8, 10)),
  );
  const seconds =
    Number(text.slice(11, 13)) * 3600 + Number(text.slice(14, 16)) * 60 + Number(text.slice(17, 19));
  const [, fraction = '', sign, hours, minutes] =
    /(?:\.(\d+))?(?:[Zz]|([+-])(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
  const offset = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60) * (sign === '-' ? -1 : 1);
  return midnight * 1000 + (seconds - offset) * 1_000_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}
