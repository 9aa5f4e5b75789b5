import { beforeEach, describe, expect, it } from 'vitest';
import { BusyTime } from '../../../lib/busy-time.ts';
import { Gate } from '../../../lib/db/gate.ts';
import type { Database } from '../../../lib/db/types.ts';
import { UnavailableError } from '../../../lib/errors.ts';
import { ConsumerRunner } from '../../../lib/feed/consumer-runner.ts';
import { createFeed } from '../../../lib/feed/feed.ts';
import { RecentStatements } from '../../../lib/feed/recent-statements.ts';
import { createLogger } from '../../../lib/logger.ts';
import { PositionClock } from '../../../lib/position.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const logger = createLogger('OFF');
const limits = { statements: 10, bytes: 1000 };
const handler = { handle: async () => ({ through: 0 }) };
/** Milliseconds between two commits of clients, of which each wakes the consumer. */
const betweenCommits = 20;

describe('a consumer of the feed whose database is out of reach', () => {
  let clock: ManualClock;
  let isOut: boolean;
  /** When it has tried to write (ms). */
  let tries: number[];
  let runner: ConsumerRunner;

  beforeEach(() => {
    clock = new ManualClock();
    isOut = true;
    tries = [];
    const db = {
      async write() {
        tries.push(clock.monotonic());
        if (isOut) throw new UnavailableError('The connection was cut.');
      },
    } as unknown as Database;
    runner = new ConsumerRunner(db, 'one', handler, {
      ...{ owner: 'this process', milliseconds: 5000, clock, positions: new PositionClock(() => 0) },
      ...{ limits, logger, recent: new RecentStatements(10), storing: new BusyTime(), behind: new Map() },
      ...{ background: new Gate(), onCommitted: () => {} },
    });
  });

  const until = {
    deadline: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    paced: true,
  };

  async function pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += betweenCommits) {
      runner.wake(until);
      await new Promise(setImmediate);
      clock.pass(betweenCommits);
    }
  }

  /** The time (ms) from each try to the next. */
  const pauses = () => tries.slice(1).map((at, index) => at - (tries[index] ?? 0));

  it('tries again after pauses that double, up to two seconds, however often it is woken', async () => {
    await pass(20_000);
    expect(pauses().slice(0, 8)).toEqual([100, 200, 400, 800, 1600, 2000, 2000, 2000]);
    expect(Math.max(...pauses())).toBe(2000);
  });

  it('notices within two seconds that it is back, and pauses shortly again at the next outage', async () => {
    await pass(20_000);
    isOut = false;
    const before = tries.length;
    await pass(2000);
    expect(tries.length).toBeGreaterThan(before);
    isOut = true;
    const back = tries.length;
    await pass(1000);
    expect(pauses().slice(back).slice(0, 2)).toEqual([100, 200]);
  });
});

it('a function whose database is out of reach tries a few times until its deadline', async () => {
  let tries = 0;
  const row = {
    ...{ name: 'one', kind: 'test', position: 0, state: 'running', lease_owner: null, lease_until: 0 },
    ...{ takes_events: 0, error: null, attempts: 0, next_attempt: 0, statement: 1, event: null },
    ...{ oldest_event: null, now: null },
  };
  const db = {
    read: async () => [row],
    async write() {
      tries += 1;
      throw new UnavailableError('The connection was cut.');
    },
  } as unknown as Database;
  const feed = createFeed(db, { logger, limits, leaseSeconds: 5 });
  feed.register('test', handler);
  expect(await feed.runUntil(Date.now() + 1000, { waits: true })).toBe(false);
  // Each pause is twice as long as the one before.
  expect(tries).toBeGreaterThan(0);
  expect(tries).toBeLessThanOrEqual(5);
});
