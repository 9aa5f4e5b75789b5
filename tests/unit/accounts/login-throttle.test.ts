import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LoginThrottle } from '../../../lib/accounts/login-throttle.ts';
import type { Database } from '../../../lib/db/types.ts';
import { TooManyRequestsError } from '../../../lib/errors.ts';
import { type Engine, engines, type TestDatabase } from '../../support/engines.ts';

const right = async () => 'account';
const wrong = async () => undefined;
const client = '203.0.113.7';

describe.each(engines)('the throttle of logins on $name', (engine: Engine) => {
  let database: TestDatabase;
  let clock: number;
  let throttle: LoginThrottle;

  beforeEach(async () => {
    database = await engine.create();
    clock = Date.parse('2026-11-20T12:00:00Z');
    throttle = throttleOn(database.db);
  });
  afterEach(() => database.remove());

  const throttleOn = (db: Database) => new LoginThrottle(db, { key: Buffer.from('key'), now: () => clock });

  /** What becomes of that many wrong passwords: the seconds to wait for each that is refused unseen. */
  async function tryWrong(count: number, { username = 'someadmin', from = client } = {}): Promise<number[]> {
    const waits = [];
    for (let index = 0; index < count; index++) {
      const error = await throttle.check({ username, client: from }, wrong).catch((failure) => failure);
      if (error instanceof TooManyRequestsError) waits.push(error.retryAfter);
      else expect(error).toBeUndefined();
    }
    return waits;
  }

  it('lets ten wrong passwords pass, then one in ten seconds', async () => {
    expect(await tryWrong(10)).toEqual([]);
    expect(await tryWrong(3)).toEqual([10, 10, 10]);
    clock += 7_000;
    expect(await tryWrong(1)).toEqual([3]);
    clock += 3_000;
    expect(await tryWrong(2)).toEqual([10]);
  });

  it('never makes anybody wait longer, however many were tried', async () => {
    await tryWrong(30);
    expect(Math.max(...(await tryWrong(10)))).toBe(10);
    clock += 10_000;
    expect(await throttle.check({ username: 'someadmin', client }, right)).toBe('account');
  });

  it('makes nobody wait until a clock is where it was before it was set back', async () => {
    await tryWrong(30);
    clock -= 24 * 3_600_000;
    expect(await throttle.check({ username: 'someadmin', client }, right)).toBe('account');
    expect(await tryWrong(11)).toEqual([10]);
  });

  it('limits wrong passwords in each of two processes whose clocks differ by minutes', async () => {
    const here = throttle;
    const ahead = new LoginThrottle(database.db, { key: Buffer.from('key'), now: () => clock + 600_000 });
    const waits: number[] = [];
    for (let round = 0; round < 20; round++) {
      for (throttle of [ahead, here]) waits.push(...(await tryWrong(1)));
    }
    expect(waits).toEqual(Array(20).fill(10));
    for (throttle of [ahead, here]) {
      clock += 10_000;
      expect(await throttle.check({ username: 'someadmin', client }, right)).toBe('account');
    }
  });

  // Processes that share a file are on one machine.
  if (engine.family !== 'sqlite')
    describe('in processes whose clocks differ', () => {
      /** A process with its own clock and that of the server. */
      const process = () => new LoginThrottle(database.db, { key: Buffer.from('key') });

      async function withClockAhead<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
        try {
          return await work();
        } finally {
          vi.useRealTimers();
        }
      }

      it.each([5_000, 30_000, 95_000, 130_000, 250_000])(
        'keeps nobody out who has logged in where the clock is %i ms ahead',
        async (milliseconds) => {
          const here = process();
          const ahead = process();
          const attempt = { username: 'someadmin', client };
          expect(await withClockAhead(milliseconds, () => ahead.check(attempt, right))).toBe('account');
          expect(await here.check(attempt, right)).toBe('account');
          expect(await here.check({ ...attempt, username: 'otheradmin' }, right)).toBe('account');
        },
      );

      it('counts wrong passwords together, and makes nobody wait for more than ten seconds', async () => {
        const here = process();
        const ahead = process();
        const waits: number[] = [];
        for (let round = 0; round < 12; round++) {
          throttle = ahead;
          waits.push(...(await withClockAhead(40_000, () => tryWrong(1))));
          throttle = here;
          waits.push(...(await tryWrong(1)));
        }
        // More than ten pass only on a machine that needs more than ten seconds for them.
        expect(waits.length).toBeGreaterThan(4);
        expect(Math.max(...waits)).toBeLessThanOrEqual(10);
      });
    });

  it('looks at no password while it refuses, and says only for how long', async () => {
    await tryWrong(10);
    let looked = false;
    const refusal = throttle.check({ username: 'someadmin', client }, async () => {
      looked = true;
    });
    await expect(refusal).rejects.toThrow(/^Too many wrong passwords: try again in 10 s\.$/);
    expect(looked).toBe(false);
  });

  it('does not count right passwords, not even many at once', async () => {
    const attempts = Array.from({ length: 40 }, () =>
      throttle.check({ username: 'someadmin', client }, right),
    );
    expect(new Set(await Promise.all(attempts))).toEqual(new Set(['account']));
    expect(await tryWrong(10)).toEqual([]);
  });

  it('does not count a check that failed', async () => {
    for (let index = 0; index < 12; index++) {
      const attempt = throttle.check({ username: 'someadmin', client }, () =>
        Promise.reject(new Error('out of reach')),
      );
      await expect(attempt).rejects.toThrow('out of reach');
    }
  });

  it('counts attempts that come at once', async () => {
    const attempts = Array.from({ length: 30 }, () =>
      throttle.check({ username: 'someadmin', client }, wrong).then(
        () => 'tried',
        () => 'refused',
      ),
    );
    expect((await Promise.all(attempts)).filter((outcome) => outcome === 'tried')).toHaveLength(10);
  });

  it('waits for the write lock once at a time, so that other writers come in between', async () => {
    let writing = 0;
    let most = 0;
    const { db } = database;
    const counting: Database = {
      dialect: db.dialect,
      batches: undefined,
      tryLockRead: (sql) => db.tryLockRead(sql),
      read: (work, options) => db.read(work, options),
      async write(work, options) {
        writing += 1;
        most = Math.max(most, writing);
        try {
          return await db.write(work, options);
        } finally {
          writing -= 1;
        }
      },
      close: () => db.close(),
    };
    const counted = throttleOn(counting);
    const check = (index: number) => counted.check({ username: `name ${index}`, client }, right);
    const found = await Promise.all(Array.from({ length: 20 }, (_, index) => check(index)));
    expect(found).toEqual(Array(20).fill('account'));
    expect(most).toBe(1);
  });

  it('leaves other names and other networks alone', async () => {
    await tryWrong(11);
    expect(await tryWrong(1, { username: 'otheradmin' })).toEqual([]);
    expect(await tryWrong(1, { from: '198.51.100.1' })).toEqual([]);
  });

  it('slows one network that tries many names', async () => {
    const waits = [];
    for (let index = 0; index < 60; index++)
      waits.push(...(await tryWrong(1, { username: `name ${index}` })));
    expect(waits).toHaveLength(10);
    expect(Math.max(...waits)).toBe(1);
  });

  it('slows many networks that try one name, but not its owner where that has logged in before', async () => {
    await throttle.check({ username: 'someadmin', client }, right);
    const waits = [];
    for (let index = 0; index < 110; index++)
      waits.push(...(await tryWrong(1, { from: `198.51.100.${index}` })));
    expect(waits).toHaveLength(10);
    expect(Math.max(...waits)).toBe(2);
    expect(await throttle.check({ username: 'someadmin', client }, right)).toBe('account');
    expect(await tryWrong(10)).toEqual([]);
  });

  it('forgets after thirty days where a name has logged in', async () => {
    await throttle.check({ username: 'someadmin', client }, right);
    clock += 31 * 24 * 3_600_000;
    for (let index = 0; index < 100; index++) await tryWrong(1, { from: `198.51.100.${index}` });
    await expect(throttle.check({ username: 'someadmin', client }, right)).rejects.toThrow(
      TooManyRequestsError,
    );
  });

  it('keeps no name in the database, and nothing for long', async () => {
    await tryWrong(3, { username: 'hunter2-typed-into-the-wrong-field' });
    clock += 3_600_000;
    await tryWrong(1);
    const rows = await database.db.read((session) =>
      session.select<{ marks: number | string }>('SELECT COUNT(*) AS marks FROM login_mark'),
    );
    expect(rows.map(({ marks }) => Number(marks))).toEqual([3]);
  });

  if (engine.shared)
    it('counts together what several processes let pass', async () => {
      const other = throttleOn(await database.openAgain());
      const attempts = Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? throttle : other).check({ username: 'someadmin', client }, wrong).then(
          () => 'tried',
          () => 'refused',
        ),
      );
      expect((await Promise.all(attempts)).filter((outcome) => outcome === 'tried')).toHaveLength(10);
    });
});
