import { describe, expect, it } from 'vitest';
import { Top, topLength } from '../../../lib/counts/top.ts';

const keyOf = (number: number): string => String(number).padStart(6, '0');

/** Numbers that look random, the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** All the counts there are. */
class Counts {
  readonly all = new Map<string, number>();

  change(keys: readonly string[], by: (key: string) => number): Map<string, number> {
    const changed = new Map<string, number>();
    for (const key of keys) {
      const count = Math.max((this.all.get(key) ?? 0) + by(key), 0);
      changed.set(key, count);
      if (count === 0) this.all.delete(key);
      else this.all.set(key, count);
    }
    return changed;
  }

  sorted(): [string, number][] {
    return [...this.all].sort(([, a], [, b]) => b - a);
  }
}

const some = (count: number, pick: () => string): string[] => Array.from({ length: count }, pick);

describe('the top of many counts', () => {
  it('is empty while nothing counts', () => {
    expect(new Top().ranked()).toEqual([]);
    expect(new Top().knows).toBe(true);
  });

  it('is in falling order, without what is gone', () => {
    const top = new Top();
    top.update([
      [keyOf(1), 3],
      [keyOf(2), 7],
      [keyOf(3), 5],
    ]);
    top.update([
      [keyOf(2), 0],
      [keyOf(1), 6],
    ]);
    expect(top.ranked().slice(0, topLength)).toEqual([
      [keyOf(1), 6],
      [keyOf(3), 5],
    ]);
  });

  it.each([1, 2, 3, 4])('is right whatever rises and falls, or says that it is not (%i)', (seed) => {
    const below = numbers(seed);
    const counts = new Counts();
    let top = new Top();
    let renewed = 0;
    let largest = 0;
    for (let round = 0; round < 300; round += 1) {
      const sorted = counts.sorted();
      const falls = round % 60 > 40;
      const changed = falls
        ? counts.change(
            some(150, () => sorted[below(350)]?.[0] ?? ''),
            () => -1 - below(12),
          )
        : counts.change(
            some(100, () => keyOf(below(3000))),
            () => 1 + below(2),
          );
      top.update(changed);
      largest = Math.max(largest, counts.all.size);
      if (!top.knows) {
        renewed += 1;
        top = new Top();
        top.update(counts.sorted().slice(0, Top.enough));
        expect(top.knows).toBe(true);
      }
      top = new Top(top.print());
      expect(
        top
          .ranked()
          .slice(0, topLength)
          .map(([, count]) => count),
      ).toEqual(
        counts
          .sorted()
          .slice(0, topLength)
          .map(([, count]) => count),
      );
      for (const [key, count] of top.ranked().slice(0, topLength)) expect(counts.all.get(key)).toBe(count);
    }
    expect(largest).toBeGreaterThan(1500);
    expect(renewed).toBeGreaterThan(0);
    expect(renewed).toBeLessThan(60);
  });

  it('has to be made anew when those that counted most are gone', () => {
    const top = new Top();
    top.update(Array.from({ length: 1000 }, (_, index) => [keyOf(index), index + 1]));
    top.update(Array.from({ length: 800 }, (_, index) => [keyOf(999 - index), 0]));
    expect(top.knows).toBe(false);
  });

  it('holds little, however many count', () => {
    const top = new Top();
    for (let index = 0; index < 20_000; index += 1) top.update([[keyOf(index), 1 + (index % 50)]]);
    expect(top.print().length).toBeLessThan(501 * 20);
  });
});
