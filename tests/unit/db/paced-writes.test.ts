import { beforeEach, describe, expect, it } from 'vitest';
import { PacedWrites } from '../../../lib/db/paced-writes.ts';
import type { Database, WriteSession } from '../../../lib/db/types.ts';

let now: number;
/** What happened: transactions and pauses, in milliseconds. */
let events: string[];
let writes: PacedWrites;

beforeEach(() => {
  now = 1000;
  events = [];
  const write: Database['write'] = async (work) => {
    // Waiting for the lock is not counted.
    now += 5000;
    return work({} as WriteSession);
  };
  const sleep = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
    events.push(`free for ${milliseconds}`);
  };
  writes = new PacedWrites({ write } as Database, { now: () => now, sleep });
});

/** A transaction whose most work takes so long. @returns the share that it is told to do. */
function slice(milliseconds: number): Promise<number> {
  return writes.write(async (_, share) => {
    const took = Math.round(milliseconds * share);
    now += took;
    events.push(`held for ${took}`);
    return share;
  });
}

describe('transactions of long work', () => {
  it('leave the write lock free for as long as they have held it', async () => {
    for (const milliseconds of [25, 15, 15]) await slice(milliseconds);
    expect(events).toEqual(['held for 25', 'free for 25', 'held for 15', 'free for 15', 'held for 15']);
  });

  it('rest as well when several callers want to write at once', async () => {
    await Promise.all([slice(20), slice(20), slice(20)]);
    expect(events).toEqual(['held for 20', 'free for 20', 'held for 20', 'free for 20', 'held for 20']);
  });

  it('rest no longer than is needed, also after a transaction that took very long', async () => {
    await slice(4000);
    await slice(0);
    expect(events).toEqual(['held for 4000', 'free for 200', 'held for 0']);
  });

  it('follow one another at once while they are short together, and after a time without any', async () => {
    for (let count = 0; count < 5; count += 1) await slice(3);
    now += 10_000;
    await slice(40);
    now += 10_000;
    await slice(1);
    const held = (milliseconds: number) => `held for ${milliseconds}`;
    expect(events).toEqual([...Array(4).fill(held(3)), 'free for 12', held(3), held(40), held(1)]);
  });

  it('do less when they take long, and more again when they do not', async () => {
    const shares: number[] = [];
    for (let count = 0; count < 3; count += 1) shares.push(await slice(250));
    for (let count = 0; count < 8; count += 1) shares.push(await slice(10));
    expect(shares.slice(0, 3)).toEqual([1, 0.1, 0.1]);
    expect(shares.at(4)).toBeCloseTo(0.15);
    expect(shares.at(-1)).toBe(1);
    await slice(1_000_000);
    expect(await slice(0)).toBe(0.05);
  });

  it('rest after one that failed, too', async () => {
    const failure = writes.write(async () => {
      now += 60;
      throw new Error('no');
    });
    await expect(failure).rejects.toThrow('no');
    await slice(2);
    expect(events).toEqual(['free for 60', 'held for 1']);
  });
});
