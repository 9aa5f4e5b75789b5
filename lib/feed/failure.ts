import { LrsError } from '../errors.ts';
import type { Outcome } from './consumer-store.ts';
import { ConsumerFailure, FeedTurnAborted } from './types.ts';

/** The number of failures in a row after which a consumer has the state `failed`. */
const failedAfter = 5;
const firstPause = 1_000_000;
/** Microseconds. */
const longestPause = 300_000_000;
/** The most characters of an error message that are stored. */
const longestMessage = 1000;

/**
 * The record of a failed attempt; the pause doubles with each failure.
 * @param now microseconds since the epoch.
 */
export function outcomeOf(error: unknown, attempts: number, now: number): Outcome {
  return {
    state: attempts >= failedAfter ? 'failed' : 'running',
    error: messageOf(error),
    attempts,
    nextAttempt: now + Math.min(longestPause, firstPause * 2 ** (attempts - 1)),
  };
}

/** In place of the message of an error that nobody has foreseen, which may be the database's and quote what is stored. */
const unforeseen =
  'The server failed unexpectedly, for instance because the database refused a query. The log of the server has the details.';

function messageOf(error: unknown): string {
  const isForOperators = [LrsError, ConsumerFailure, FeedTurnAborted].some((kind) => error instanceof kind);
  const text = isForOperators && error instanceof Error ? error.message : unforeseen;
  return text.slice(0, longestMessage).replaceAll('\0', '').toWellFormed();
}
