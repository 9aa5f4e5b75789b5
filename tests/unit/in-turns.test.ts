import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { mapInTurns, Pauses } from '../../lib/in-turns.ts';

describe('work in turns', () => {
  it('gives the results in the order of the items', async () => {
    const items = Array.from({ length: 173 }, (_, index) => index);
    expect(await mapInTurns(items, (item, index) => item * 2 + index)).toEqual(items.map((item) => item * 3));
    expect(await mapInTurns([], () => 1)).toEqual([]);
  });

  it('lets other work in between', async () => {
    const seen: string[] = [];
    const work = mapInTurns(Array.from({ length: 101 }), () => seen.push('item'));
    await setImmediate();
    seen.push('other');
    await work;
    expect(seen.indexOf('other')).toBeLessThan(101);
    expect(seen).toHaveLength(102);
  });

  it('lets other work in between few items that take long', async () => {
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

describe('pauses in long work', () => {
  it('let other work in once the work has taken some time, and not before', async () => {
    const pauses = new Pauses();
    let others = 0;
    const other = setImmediate().then(() => {
      others += 1;
    });
    const start = performance.now();
    while (performance.now() - start < 5);
    await pauses.pause();
    await other;
    expect(others).toBe(1);
    expect(new Pauses().pause()).toBeUndefined();
  });
});
