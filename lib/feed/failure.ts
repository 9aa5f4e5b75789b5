import type { Outcome } from './consumer-store.ts';

/** After so many failures in a row a consumer counts as failed. */
const failedAfter = 5;
const firstPause = 1_000_000;
/** Microseconds. */
const longestPause = 300_000_000;
/** Characters of a message that are kept. */
const longestMessage = 1000;

/** What is noted of a failed attempt: how long the next one waits doubles with each. @param now microseconds since the epoch. */
export function outcomeOf(error: unknown, attempts: number, now: number): Outcome {
  return {
    state: attempts >= failedAfter ? 'failed' : 'running',
    error: messageOf(error),
    attempts,
    nextAttempt: now + Math.min(longestPause, firstPause * 2 ** (attempts - 1)),
  };
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, longestMessage).replaceAll('\0', '').toWellFormed();
}
