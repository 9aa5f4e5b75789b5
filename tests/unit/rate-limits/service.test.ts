import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../lib/db/types.ts';
import { TooManyRequestsError, UnavailableError } from '../../../lib/errors.ts';
import { readMarks, writeMarks } from '../../../lib/rate-limits/marks-store.ts';
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

  function limitsOn(db: Database, { waits = true, realClock = false } = {}): RateLimitService {
    const rates = { keyPair: rate, address: undefined };
    const now = () => clock;
    const options = {
      ...{ rates, burstSeconds: burst / rate, key: Buffer.from('key'), waits },
      ...(!realClock && { now }),
    };
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

  it('remove what a flood has left in parts, the oldest first', async () => {
    const markOf = (index: number) => index.toString(16).padStart(32, '0');
    const flood = Array.from({ length: 2500 }, (_, index) => [markOf(index), clock + index] as const);
    await database.db.write((session) => writeMarks(session, new Map(flood)));
    clock += 3_600_000;
    const limits = limitsOn(database.db);
    const left = async () => {
      await admitted(limits, slice);
      const { ends } = await database.db.read((session) =>
        readMarks(
          session,
          flood.map(([mark]) => mark),
        ),
      );
      return [...ends.keys()].sort();
    };
    const marks = flood.map(([mark]) => mark);
    expect(await left()).toEqual(marks.slice(1000));
    expect(await left()).toEqual(marks.slice(2000));
    expect(await left()).toEqual([]);
  });

  it('hold a refusal of a server back, so that a client at full speed is refused ten times a second at most', async () => {
    const limits = limitsOn(database.db, { waits: false });
    const sent = burst + 2 * slice;
    expect(await admitted(limits, sent)).toBeLessThan(sent);
    const start = performance.now();
    await expect(limits.admit('keyPair', 'a')).rejects.toThrow(TooManyRequestsError);
    expect(performance.now() - start).toBeGreaterThanOrEqual(95);
  });

  it('do not exist where none is set, and let pass what is not limited', async () => {
    const rates = { keyPair: undefined, address: undefined };
    const none = { rates, burstSeconds: 1, key: Buffer.from('key'), waits: true };
    expect(createRateLimits(database.db, none)).toBeUndefined();
    expect(limitsOn(database.db).admit('address', '192.0.2.1')).toBeUndefined();
  });

  it.each([true, false])(
    'refuse nobody for long when a clock that was ahead is set back, waiting: %s',
    async (waits) => {
      const here = limitsOn(database.db, { waits });
      expect(await admitted(here, 2 * burst)).toBeLessThanOrEqual(burst + slice);
      clock -= 24 * 3_600_000;
      expect(await admitted(limitsOn(database.db, { waits }), 1)).toBe(1);
      expect(await admitted(here, slice)).toBeGreaterThan(0);
      expect(await admitted(here, 3 * burst)).toBeLessThanOrEqual(burst + slice);
    },
  );

  it('admit the burst at once, then the rate, for each key pair', async () => {
    const limits = limitsOn(database.db);
    expect(await admitted(limits, 2 * burst)).toBe(burst);
    expect(await admitted(limits, 2 * burst, 'b')).toBe(burst);
    clock += 1000;
    expect(await admitted(limits, 2 * burst)).toBe(rate);
    clock += 3_600_000;
    expect(await admitted(limits, 2 * burst)).toBe(burst);
  });

  if (engine.family !== 'sqlite')
    it('refuse nobody for longer where the clock of another process is ahead', async () => {
      const here = limitsOn(database.db, { realClock: true });
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_000 });
      try {
        const ahead = limitsOn(database.db, { realClock: true });
        expect(await admitted(ahead, 2 * burst)).toBeGreaterThanOrEqual(burst);
      } finally {
        vi.useRealTimers();
      }
      const refusal = await Promise.resolve(here.admit('keyPair', 'a')).catch((error) => error);
      expect(refusal?.retryAfter ?? 1).toBe(1);
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

  /** How many of so many requests that come at once are admitted. */
  async function admittedAtOnce(limits: RateLimitService, count: number, name = 'a'): Promise<number> {
    const all = Array.from({ length: count }, async () => limits.admit('keyPair', name));
    const outcomes = await Promise.allSettled(all);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(TooManyRequestsError);
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  }

  it.each([slice + 1, burst / 2, burst])(
    'let %i requests at once of a new client of a server pass',
    async (count) => {
      expect(await admittedAtOnce(limitsOn(database.db, { waits: false }), count)).toBe(count);
    },
  );

  it('admit the burst at once, then the rate, in a server', async () => {
    const limits = limitsOn(database.db, { waits: false });
    let passed = await admittedAtOnce(limits, 3 * burst);
    expect(passed).toBeGreaterThanOrEqual(burst);
    for (let index = 0; index < 3; index += 1) passed += await admittedAtOnce(limits, burst);
    expect(passed).toBeLessThanOrEqual(burst + slice);
    clock += 1000;
    for (let index = 0; index < 3; index += 1) passed += await admittedAtOnce(limits, burst);
    expect(passed).toBeGreaterThanOrEqual(burst + rate);
    expect(passed).toBeLessThanOrEqual(burst + rate + slice);
  });

  it('let requests of a server pass before a slice is there, at most as many as it has', async () => {
    const limits = limitsOn(database.db, { waits: false });
    const immediate = Array.from({ length: slice }, () => limits.admit('keyPair', 'a'));
    expect(immediate).toEqual(immediate.map(() => undefined));
    const waiting = limits.admit('keyPair', 'a');
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
  });

  /** A database whose writes wait until they are released. */
  function heldDatabase() {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const write: Database['write'] = async (work, options) => {
      await released;
      return database.db.write(work, options);
    };
    return { db: Object.create(database.db, { write: { value: write } }) as Database, release };
  }
  const marks = () =>
    database.db.read((session) => session.select<{ mark: Buffer }>('SELECT mark FROM login_mark'));

  it('are counted by each process of a server alone while the write lock is busy, and together afterwards', async () => {
    const { db, release } = heldDatabase();
    const limits = limitsOn(db, { waits: false });
    expect(await admittedAtOnce(limits, burst)).toBe(burst);
    expect(await admittedAtOnce(limits, burst)).toBeLessThanOrEqual(slice);
    expect(await marks()).toEqual([]);
    release();
    const other = limitsOn(database.db);
    await vi.waitUntil(
      async () => {
        clock += 3_600_000;
        expect(await admittedAtOnce(limits, burst)).toBe(burst);
        return (await admitted(other, burst)) <= slice;
      },
      { timeout: conditionLimit, interval: 5 },
    );
  });

  it('cost no transaction for each of many clients that send little', async () => {
    const write = vi.fn(database.db.write.bind(database.db));
    const limits = limitsOn(Object.create(database.db, { write: { value: write } }), { waits: false });
    for (let index = 0; index < 1000; index += 1) limits.admit('keyPair', `client ${index}`);
    await setImmediate();
    expect(write).not.toHaveBeenCalled();
  });

  it('make no client wait for a slice behind very many others', async () => {
    const { db, release } = heldDatabase();
    const limits = limitsOn(db, { waits: false });
    for (let index = 0; index < 1000; index += 1) await admitted(limits, slice, `client ${index}`);
    let passed: number | undefined;
    void admittedAtOnce(limits, burst).then((count) => {
      passed = count;
    });
    await setImmediate();
    expect(passed).toBe(burst);
    release();
  });

  it('forget the client that was not seen for the longest time, and not the one that sends all the time', async () => {
    const limits = limitsOn(database.db, { waits: false });
    while ((await admittedAtOnce(limits, burst)) > 0);
    for (let index = 0; index < 12_000; index += 1) {
      limits.admit('keyPair', `client ${index}`);
      if (index % 1000 === 0)
        await expect(limits.admit('keyPair', 'a')).rejects.toThrow(TooManyRequestsError);
    }
    await expect(limits.admit('keyPair', 'a')).rejects.toThrow(TooManyRequestsError);
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
    expect((await marks()).map(({ mark }) => mark.length)).toEqual([16]);
  });
});
