import { setTimeout as sleep } from 'node:timers/promises';
import {
  type LrsErrorOptions,
  type OutageError,
  StatementTimeoutError,
  StorageFailureError,
  UnavailableError,
} from '../errors.ts';
import type { Dialect } from './dialects/dialect.ts';
import { DatabaseUnusableError } from './unusable.ts';

/** The last moment, in milliseconds after the first attempt, at which a new one starts. */
const patienceMs = 15_000;
const firstPauseMs = 2;
const longestPauseMs = 100;

interface RetryOptions {
  /** The longest pause (ms). */
  readonly longestPause?: number;
  /** Whether the error says that the work has to be done on another server, which the next attempt will use. */
  readonly movesOn?: (error: unknown) => boolean;
  /** What an operator can do about an error, which becomes part of its cause: the message is for clients. */
  readonly advice?: (error: unknown) => string | undefined;
  /** The outage that an error tells of, if it does; the cause is the error with what an operator can do about it. */
  readonly outage?: (error: unknown, options: LrsErrorOptions) => OutageError | undefined;
}

/**
 * Retries the work, after a random and growing pause, while it fails for a transient reason.
 * @throws UnavailableError when the reason does not pass in time, or when the database is unreachable;
 *   StatementTimeoutError when a statement takes too long.
 */
export async function withRetry<T>(
  dialect: Dialect,
  work: () => Promise<T>,
  options: RetryOptions = {},
): Promise<T> {
  const { longestPause = longestPauseMs, movesOn = () => false } = options;
  const deadline = performance.now() + patienceMs;
  for (let longest = firstPauseMs; ; longest = Math.min(2 * longest, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (!movesOn(error)) requireTransient(dialect, error, options);
      if (performance.now() > deadline) {
        const cause = explained(error, options);
        throw new UnavailableError('The database is too busy; try again in a moment.', { cause });
      }
    }
    await sleep(Math.random() * longest);
  }
}

/** @throws the error, or an UnavailableError with it, unless another attempt may succeed at once. */
function requireTransient(dialect: Dialect, error: unknown, options: RetryOptions): void {
  if (dialect.isStorageFailure(error)) {
    const cause = explained(error, options);
    throw new StorageFailureError('The database can store nothing at the moment.', { cause });
  }
  if (dialect.isStatementTimeout(error)) throw statementTimedOut(error);
  if (dialect.isUnavailable(error)) {
    const cause = explained(error, options);
    throw (
      options.outage?.(error, { cause }) ?? new UnavailableError('The database is out of reach.', { cause })
    );
  }
  if (!dialect.isTransient(error)) throw error;
}

function explained(error: unknown, { advice }: RetryOptions): unknown {
  const told = advice?.(error);
  return told === undefined ? error : new DatabaseUnusableError(told, { cause: error });
}

export const statementTimedOut = (cause: unknown): StatementTimeoutError =>
  new StatementTimeoutError('The database has ended a statement that took too long.', { cause });
