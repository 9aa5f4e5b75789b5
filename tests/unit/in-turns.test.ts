import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  giveWay,
  giveWayBriefly,
  giveWayInBackground,
  mapInTurns,
  type Pace,
  Pauses,
} from '../../lib/in-turns.ts';

/** When work in the background may run next is remembered, by whatever clock, also for other files that this process runs. */
async function runInBackgroundOnce(): Promise<void> {
  await giveWayInBackground();
  await setImmediate();
}

beforeEach(runInBackgroundOnce);
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await runInBackgroundOnce();
});

describe('work in turns', () => {
  it('gives the results in the order of the items', async () => {
    const items = Array.from({ length: 173 }, (_, index) => index);
    expect(await mapInTurns(items, (item, index) => item * 2 + index)).toEqual(items.map((item) => item * 3));
    expect(await mapInTurns([], () => 1)).toEqual([]);
  });

  it('lets other work in between items that take long', async () => {
    const seen: string[] = [];
    const work = mapInTurns(Array.from({ length: 5 }), () => {
      const start = performance.now();
      while (performance.now() - start < 5);
      seen.push('item');
    });
    await setImmediate();
    seen.push('other');
    await work;
    expect(seen.indexOf('other')).toBeLessThan(5);
  });

  it('awaits the work on an item before it begins the next', async () => {
    const seen: number[] = [];
    const results = await mapInTurns([1, 2, 3], async (item) => {
      await setImmediate();
      seen.push(item);
      return -item;
    });
    expect(seen).toEqual([1, 2, 3]);
    expect(results).toEqual([-1, -2, -3]);
  });

  it('fails where one item fails, and goes no further', async () => {
    let done = 0;
    const work = mapInTurns([1, 2, 3], (item) => {
      if (item === 2) throw new Error('two');
      done += 1;
    });
    await expect(work).rejects.toThrow('two');
    expect(done).toBe(1);
  });
});

/** Runs long work of so many slices, each of which is noted. */
async function longWork(name: string, slices: number, seen: string[], pace = giveWay): Promise<void> {
  for (let slice = 0; slice < slices; slice += 1) {
    await pace();
    seen.push(name);
  }
}

describe('long work that gives way', () => {
  it('runs one slice in a turn of the event loop, first come, first served, however many wait', async () => {
    const seen: string[] = [];
    const all = Promise.all(['a', 'b', 'c'].map((name) => longWork(name, 2, seen)));
    for (const turn of [1, 2, 3, 4, 5, 6]) {
      await setImmediate();
      expect(seen).toHaveLength(turn);
    }
    await all;
    expect(seen.join('')).toBe('abcabc');
  });

  it('waits for one slice of work in the background, however much there is', async () => {
    const seen: string[] = [];
    const background = ['a', 'b', 'c'].map((name) => longWork(name, 4, seen, giveWayInBackground));
    await longWork('!', 3, seen);
    expect(seen.filter((name) => name !== '!').length).toBeLessThanOrEqual(3);
    await Promise.all(background);
    expect(seen.filter((name) => name !== '!').join('')).toBe('abcabcabcabc');
  });

  it('has nine tenths of the time where it waits, however long slices of work in the background are', async () => {
    const start = performance.now();
    let now = start;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const spent = { background: 0, other: 0 };
    const work = async (kind: 'background' | 'other', { slice, pace }: { slice: number; pace: Pace }) => {
      while (now < start + 10_000) {
        await pace();
        now += slice;
        spent[kind] += slice;
      }
    };
    await Promise.all([
      work('background', { slice: 40, pace: giveWayInBackground }),
      work('background', { slice: 40, pace: giveWayInBackground }),
      work('other', { slice: 0.5, pace: giveWay }),
    ]);
    expect(spent.background).toBeGreaterThan(800);
    expect(spent.background).toBeLessThan(1200);
  });

  it('does not have more than nine seconds for itself after work in the background that was frozen for an hour', async () => {
    const start = performance.now();
    let now = start;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    let resumed: number | undefined;
    const frozen = async () => {
      await giveWayInBackground();
      now += 3_600_000;
      const before = now;
      await giveWayInBackground();
      resumed = now - before;
    };
    const other = async () => {
      while (resumed === undefined && now < start + 7_200_000) {
        await giveWay();
        now += 100;
      }
    };
    await Promise.all([frozen(), other()]);
    expect(resumed).toBeGreaterThanOrEqual(9000);
    expect(resumed).toBeLessThan(9500);
  });

  it('lets work in the background run all the time where no other waits', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const seen: string[] = [];
    await longWork('a', 1000, seen, giveWayInBackground);
    expect(seen).toHaveLength(1000);
  });

  it('lets who holds the write lock go on in each turn', async () => {
    const seen: string[] = [];
    const others = Promise.all(['a', 'b', 'c'].map((name) => longWork(name, 2, seen)));
    await longWork('!', 2, seen, giveWayBriefly);
    expect(seen.length).toBeLessThanOrEqual(4);
    await others;
  });

  it('gives way between an item that takes long and the work on it', async () => {
    const seen: string[] = [];
    function* items() {
      const start = performance.now();
      while (performance.now() - start < 5);
      seen.push('item');
      yield 1;
    }
    const work = mapInTurns(items(), () => seen.push('work'));
    seen.push('other');
    await work;
    expect(seen).toEqual(['item', 'other', 'work']);
  });
});

describe('pauses in long work', () => {
  it('let other work in once the work has taken some time, and not before', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const pauses = new Pauses();
    expect(pauses.pause()).toBeUndefined();
    let others = 0;
    const other = setImmediate().then(() => {
      others += 1;
    });
    vi.advanceTimersByTime(5);
    await pauses.pause();
    await other;
    expect(others).toBe(1);
    expect(pauses.pause()).toBeUndefined();
  });

  it('come less often in the background, where after each of them nine turns of the event loop are for others', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const pauses = new Pauses(giveWay, { inBackground: true });
    vi.advanceTimersByTime(3);
    expect(pauses.pause()).toBeUndefined();
    vi.advanceTimersByTime(2);
    await pauses.pause();
    vi.advanceTimersByTime(3);
    expect(pauses.pause()).toBeUndefined();
  });
});
