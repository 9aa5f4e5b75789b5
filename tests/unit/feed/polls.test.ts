import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/types.ts';
import { createFeed } from '../../../lib/feed/feed.ts';
import type { Feed } from '../../../lib/feed/types.ts';
import { createLogger } from '../../../lib/logger.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe('the looks of a feed at its consumers', () => {
  let feed: Feed;
  let clock: ManualClock;
  /** Each answers one look. */
  let answers: (() => void)[];

  beforeEach(async () => {
    answers = [];
    clock = new ManualClock();
    const db = {
      read: () => new Promise((resolve) => answers.push(() => resolve([]))),
      write: async () => undefined,
    } as unknown as Database;
    feed = createFeed(db, {
      logger: createLogger('OFF'),
      limits: { statements: 10, bytes: 1000 },
      leaseSeconds: 5,
      clock,
    });
    feed.register('test', { handle: async () => ({ through: 0 }) });
    feed.start();
    clock.pass(0);
    await expect.poll(() => answers).toHaveLength(1);
    // A change is looked at as soon as possible.
    await feed.pause('one');
    clock.pass(0);
  });

  it('come one after the other, also when something changes meanwhile', async () => {
    expect(answers).toHaveLength(1);
    answers[0]?.();
    await expect.poll(() => answers).toHaveLength(2);
    const stopped = feed.stop();
    answers[1]?.();
    await stopped;
  });

  it('are all over when it has stopped', async () => {
    const order: string[] = [];
    const stopped = feed.stop().then(() => order.push('stopped'));
    for (const answer of answers.slice(1)) answer();
    await new Promise(setImmediate);
    order.push('answered');
    answers[0]?.();
    await stopped;
    expect(order).toEqual(['answered', 'stopped']);
    expect(answers).toHaveLength(1);
  });
});
