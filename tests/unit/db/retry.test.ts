import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SqliteDialect } from '../../../lib/db/dialects/sqlite/dialect.ts';
import { withRetry } from '../../../lib/db/retry.ts';
import { UnavailableError } from '../../../lib/errors.ts';

/** Milliseconds of each pause between two attempts. */
const pauses = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({ setTimeout: async (pause: number) => pauses.push(pause) }));

const dialect = new SqliteDialect();

/** An error as the driver throws it. */
function driverError(code: string): Error {
  return Object.assign(new Error(`${code}: something internal`), { code });
}

describe('work on a database', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    pauses.length = 0;
  });

  it('runs again while the database is busy', async () => {
    let attempts = 0;
    const result = await withRetry(dialect, async () => {
      attempts += 1;
      if (attempts < 4) throw driverError('SQLITE_BUSY');
      return 'done';
    });
    expect({ result, attempts }).toEqual({ result: 'done', attempts: 4 });
  });

  it('pauses longer each time, as long as it may', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const outcome = withRetry(
      dialect,
      async () => {
        vi.advanceTimersByTime(3000);
        throw driverError('SQLITE_BUSY');
      },
      { longestPause: 8 },
    );
    await expect(outcome).rejects.toThrow(UnavailableError);
    expect(pauses).toEqual([2, 4, 8, 8, 8]);
  });

  it('fails as unavailable when the database stays busy, with nothing internal in the sentence', async () => {
    const cause = driverError('SQLITE_BUSY');
    const outcome = withRetry(dialect, async () => {
      vi.advanceTimersByTime(4000);
      throw cause;
    });
    const error = await outcome.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ cause, message: 'The database is too busy; try again in a moment.' });
  });

  it.each(['SQLITE_CANTOPEN', 'SQLITE_IOERR', 'SQLITE_FULL'])(
    'fails as unavailable at once on %s',
    async (code) => {
      let attempts = 0;
      const outcome = withRetry(dialect, async () => {
        attempts += 1;
        throw driverError(code);
      });
      await expect(outcome).rejects.toThrow(UnavailableError);
      expect(attempts).toBe(1);
    },
  );

  it('fails at once with any other error', async () => {
    const error = driverError('SQLITE_ERROR');
    await expect(withRetry(dialect, () => Promise.reject(error))).rejects.toBe(error);
  });

  it('knows the driver’s code behind an error of Sequelize', () => {
    const wrapped = Object.assign(new Error('wrapped'), { original: driverError('SQLITE_BUSY') });
    expect(dialect.isTransient(wrapped)).toBe(true);
    expect(dialect.isTransient('SQLITE_BUSY')).toBe(false);
  });
});
