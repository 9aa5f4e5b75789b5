/** When a session began, ends and is renewed; moments and lengths in milliseconds, all by the same clock. */
export interface SessionTimes {
  readonly issued: number;
  readonly ends: number;
  readonly canRenew: boolean;
  /** How old a token is at most when it is renewed. */
  readonly interval: number;
  /** How recent the last use must be for that. */
  readonly window: number;
}

export interface Situation {
  readonly now: number;
  readonly lastActive: number;
  /** The operator is being asked, so nothing happens behind his back. */
  readonly isWarned: boolean;
  /** Until when a renewal that has failed is not tried again. */
  readonly pausedUntil: number;
}

export type Plan =
  | { readonly step: 'renew' | 'warn' | 'end' }
  | { readonly step: 'wait'; readonly until: number };

const longestWarning = 120_000;

/**
 * What is to be done now. The session of who works is renewed without a word, so early that a network that is away can come
 * back; who does not work is warned in time to answer (WCAG 2.2.1), as is everybody whose session can't become any longer.
 */
export function planOf(times: SessionTimes, situation: Situation): Plan {
  const { issued, ends, canRenew, interval, window } = times;
  const { now, lastActive, isWarned, pausedUntil } = situation;
  if (now >= ends) return { step: 'end' };
  const warning = Math.min(longestWarning, (ends - issued) / 3);
  const warnAt = ends - warning;
  const isKept = canRenew && now - lastActive <= window;
  if (isWarned || (now >= warnAt && (!isKept || now < pausedUntil))) return { step: 'warn' };
  if (!isKept) return { step: 'wait', until: warnAt };
  const renewAt = Math.max(Math.min(issued + interval, warnAt - warning), pausedUntil);
  return now >= renewAt ? { step: 'renew' } : { step: 'wait', until: Math.min(renewAt, warnAt) };
}
