import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../lib/db/types.ts';
import { TooManyRequestsError, UnavailableError } from '../../../lib/errors.ts';
import { createRateLimits } from '../../../lib/rate-limits/service.ts';
import type { RateLimitService } from '../../../lib/rate-limits/types.ts';
import { type Engine, engines, type TestDatabase } from '../../support/engines.ts';
import { conditionLimit } from '../../support/time-limits.ts';

/** Requests per second, and how many may come at once. */
const rate = 10;
const burst = 50;
/** Requests of half a second, which a process takes at once. */
const slice = 5;

describe.each(engines)('rate limits on $name', (engine: Engine) => {
  let database: TestDatabase;
  let clock: number;

  beforeEach(async () => {
    database = await engine.create();
    clock = Date.parse('2026-11-20T12:00:00Z');
  });
  afterEach(() => database.remove());

  function limitsOn(db: Database, { waits = true } = {}): RateLimitService {
    const rates = { keyPair: rate, address: undefined };
    const options = { rates, burstSeconds: burst / rate, key: Buffer.from('key'), waits, now: () => clock };
    const limits = createRateLimits(db, options);
    if (limits === undefined) throw new Error('There is no limit.');
    return limits;
  }

  /** How many of so many requests are admitted. */
  async function admitted(limits: RateLimitService, count: number, name = 'a'): Promise<number> {
    let passed = 0;
    for (let index = 0; index < count; index += 1) {
      try {
        await limits.admit('keyPair', name);
        passed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(TooManyRequestsError);
      }
    }
    return passed;
  }

  it('do not exist where none is set, and let pass what is not limited', async () => {
    const rates = { keyPair: undefined, address: undefined };
    const none = { rates, burstSeconds: 1, key: Buffer.from('key'), waits: true };
    expect(createRateLimits(database.db, none)).toBeUndefined();
    expect(limitsOn(database.db).admit('address', '192.0.2.1')).toBeUndefined();
  });

  it('admit the burst at once, then the rate, for each key pair', async () => {
    const limits = limitsOn(database.db);
    expect(await admitted(limits, 2 * burst)).toBe(burst);
    expect(await admitted(limits, 2 * burst, 'b')).toBe(burst);
    clock += 1000;
    expect(await admitted(limits, 2 * burst)).toBe(rate);
    clock += 3_600_000;
    expect(await admitted(limits, 2 * burst)).toBe(burst);
  });

  it('say when to try again', async () => {
    const limits = limitsOn(database.db);
    await admitted(limits, burst);
    await expect(async () => limits.admit('keyPair', 'a')).rejects.toMatchObject({
      setting: 'rateLimitPerKeyPair',
      message: expect.stringMatching(
        /^There are more requests than webserver\.rateLimitPerKeyPair \(LRS_RATE_LIMIT_PER_KEY_PAIR\) permits: try again in 1 s\.$/,
      ),
    });
  });

  it('hold for all processes together, but for a slice that each may have left', async () => {
    const processes = [limitsOn(database.db), limitsOn(database.db), limitsOn(database.db)];
    let passed = 0;
    for (let round = 0; round < burst; round += 1) {
      for (const limits of processes) passed += await admitted(limits, 1);
    }
    expect(passed).toBeLessThanOrEqual(burst);
    expect(passed).toBeGreaterThan(burst - processes.length * slice);
  });

  it('let requests of a server pass while a slice is being taken, at most as many as it has', async () => {
    const limits = limitsOn(database.db, { waits: false });
    let passed = 0;
    // Nothing is awaited, so no slice arrives.
    for (let index = 0; index < burst; index += 1) {
      try {
        expect(limits.admit('keyPair', 'a')).toBeUndefined();
        passed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(TooManyRequestsError);
      }
    }
    expect(passed).toBe(slice);
    await vi.waitUntil(
      async () => {
        passed += await admitted(limits, 1);
        return passed >= burst;
      },
      { timeout: conditionLimit, interval: 5 },
    );
    for (let index = 0; index < 20; index += 1) passed += await admitted(limits, slice);
    // The clock stands still: at most a slice was admitted before it was refused.
    expect(passed).toBeLessThanOrEqual(burst + slice);
    clock += (1000 * slice) / rate;
    for (let index = 0; index < 20; index += 1) passed += await admitted(limits, slice);
    expect(passed).toBeLessThanOrEqual(burst + 2 * slice);
  });

  it('are counted by each process alone while the database does not answer', async () => {
    const failing: Database = Object.create(database.db, {
      write: {
        value: async () => {
          throw new UnavailableError('The database is away.');
        },
      },
    });
    const limits = limitsOn(failing);
    expect(await admitted(limits, 2 * burst)).toBe(burst);
  });

  it('leave no address in the database', async () => {
    await limitsOn(database.db).admit('keyPair', 'a');
    const rows = await database.db.read((session) =>
      session.select<{ mark: Buffer }>('SELECT mark FROM login_mark'),
    );
    expect(rows.map(({ mark }) => mark.length)).toEqual([16]);
  });
});
