import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../errors.ts';
import type { Dialect } from './dialects/dialect.ts';

const maximumAttempts = 6;
/** No new attempt starts later than this after the first one. */
const patienceMs = 20_000;
const firstPauseMs = 5;

/**
 * Runs the work again, after a random and growing pause, as long as it fails for a passing reason.
 * @throws UnavailableError when the reason does not pass in time, or when the database is out of reach.
 */
export async function withRetry<T>(dialect: Dialect, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (dialect.isUnavailable(error))
        throw new UnavailableError('The database is out of reach.', { cause: error });
      if (!dialect.isTransient(error)) throw error;
      if (attempt === maximumAttempts || Date.now() > deadline) {
        throw new UnavailableError('The database is too busy; try again in a moment.', { cause: error });
      }
    }
    await sleep(Math.random() * firstPauseMs * 2 ** attempt);
  }
}
