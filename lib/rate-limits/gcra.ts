/**
 * A rate limit (generic cell rate algorithm): it permits `free` at once, and then one per `interval` (ms). All that it needs to
 * know is one time, its end: when everything permitted so far would be used up at that rate.
 */
export interface RateLimit {
  /** The name of the limit in the database: 16 bytes in hexadecimal. */
  readonly mark: string;
  readonly free: number;
  readonly interval: number;
}

/** By how much clocks may differ (ms): those of the servers of a cluster, or that of one server before and after it is set. */
const mostClockDifference = 1_000;

/**
 * The end as far as it is believed. No limit permits what would be used up so late that only a clock which was ahead has made
 * the end: when it is set back, nobody waits until it is there again.
 */
export function believed({ free, interval }: Omit<RateLimit, 'mark'>, end: number, now: number): number {
  return end > now + free * interval + mostClockDifference ? now : end;
}

/** Milliseconds until one more is permitted; not above 0 when it is now. */
export function waitOf({ free, interval }: Omit<RateLimit, 'mark'>, end: number, now: number): number {
  return end - now - (free - 1) * interval;
}

/** How many are permitted now, at most as many as are wanted. */
export function permittedOf(
  { free, interval }: Omit<RateLimit, 'mark'>,
  { end, now, wanted }: { readonly end: number; readonly now: number; readonly wanted: number },
): number {
  const permitted = Math.floor(free - Math.max(0, end - now) / interval);
  return Math.max(0, Math.min(wanted, permitted));
}

/** The end after so many more: a whole number. */
export function endAfter(
  { interval }: Pick<RateLimit, 'interval'>,
  { end, now, count }: { readonly end: number; readonly now: number; readonly count: number },
): number {
  return Math.round(Math.max(end, now) + count * interval);
}
