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
