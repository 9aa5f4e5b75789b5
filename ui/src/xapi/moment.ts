import { isTimestamp, timestampToMicroseconds } from '../../../lib/xapi/timestamp.ts';

/**
 * The moment that a timestamp names, in milliseconds since the epoch; NaN for another text. xAPI permits what browsers can't
 * read, such as leap seconds and offsets without minutes, and means UTC where there is no offset.
 */
export function momentOf(timestamp: string): number {
  const isOne = isTimestamp(timestamp, '1.0.3') || isTimestamp(timestamp, '2.0.0');
  return isOne ? Math.floor(timestampToMicroseconds(timestamp) / 1000) : Number.NaN;
}
