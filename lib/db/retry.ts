import { setTimeout as sleep } from 'node:timers/promises';
import { StatementTimeoutError, UnavailableError } from '../errors.ts';
import type { Dialect } from './dialects/dialect.ts';

/** The last moment, in milliseconds after the first attempt, at which a new one starts. */
const patienceMs = 15_000;
const firstPauseMs = 2;
const longestPauseMs = 100;

interface RetryOptions {
  /** The longest pause (ms). */
  readonly longestPause?: number;
  /** Whether the error says that the work has to be done on another server, which the next attempt will use. */
  readonly movesOn?: (error: unknown) => boolean;
}

/**
 * Retries the work, after a random and growing pause, while it fails for a transient reason.
 * @throws UnavailableError when the reason does not pass in time, or when the database is unreachable;
 *   StatementTimeoutError when a statement takes too long.
 */
export async function withRetry<T>(
  dialect: Dialect,
  work: () => Promise<T>,
  { longestPause = longestPauseMs, movesOn = () => false }: RetryOptions = {},
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let longest = firstPauseMs; ; longest = Math.min(2 * longest, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (!movesOn(error)) requireTransient(dialect, error);
      if (performance.now() > deadline) {
        throw new UnavailableError('The database is too busy; try again in a moment.', { cause: error });
      }
    }
    await sleep(Math.random() * longest);
  }
}

/** @throws the error, or an UnavailableError with it, unless another attempt may succeed at once. */
function requireTransient(dialect: Dialect, error: unknown): void {
  if (dialect.isStorageFailure(error)) {
    throw new UnavailableError('The database can store nothing at the moment.', { cause: error });
  }
  if (dialect.isStatementTimeout(error)) throw statementTimedOut(error);
  if (dialect.isUnavailable(error)) {
    throw new UnavailableError('The database is out of reach.', { cause: error });
  }
  if (!dialect.isTransient(error)) throw error;
}

export const statementTimedOut = (cause: unknown): StatementTimeoutError =>
  new StatementTimeoutError('The database has ended a statement that took too long.', { cause });
