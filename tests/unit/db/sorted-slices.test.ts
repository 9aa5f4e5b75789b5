import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../lib/db/key.ts';
import { sortedSlices } from '../../../lib/db/sorted-slices.ts';

function slicesOf(count: number): (readonly unknown[])[][] {
  const keys = Array.from({ length: count }, (_, index) => keyOf(String(index)));
  return [...sortedSlices(new Map(keys.map((key) => [key, [key]])))];
}

describe('rows in slices', () => {
  it('are all there, in the order of their keys', () => {
    for (const count of [1, 2, 5000, 5001, 90_000]) {
      const keys = slicesOf(count).flatMap((slice) => slice.map(([key]) => key));
      expect(keys).toHaveLength(count);
      expect(keys).toEqual(keys.toSorted());
    }
  });

  it('are few in each slice, and none without a row', () => {
    expect(slicesOf(0)).toEqual([]);
    expect(slicesOf(5000)).toHaveLength(1);
    const slices = slicesOf(90_000);
    expect(Math.min(...slices.map(({ length }) => length))).toBeGreaterThan(0);
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThan(6000);
  });

  it('have about a million characters in each slice', () => {
    const rows = Array.from({ length: 200 }, (_, index) => [keyOf(String(index)), 'n'.repeat(17_000), index]);
    const slices = [...sortedSlices(new Map(rows.map((row) => [String(row[0]), row])))];
    expect(slices.flat()).toHaveLength(200);
    expect(slices.flat()).toEqual([...rows].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
    expect(slices.map(({ length }) => length)).toEqual([62, 62, 62, 14]);
  });
});
