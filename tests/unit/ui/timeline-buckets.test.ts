import { describe, expect, it } from 'vitest';
import {
  bucketsOf,
  ranges,
  sinceOf,
  unitsOfRange,
} from '../../../ui/src/screens/overview/timeline/buckets.ts';

const now = Date.parse('2026-03-15T10:20:30.400Z');

const startsOf = (frame: Parameters<typeof bucketsOf>[0]): string[] =>
  bucketsOf(frame, []).map(({ start }) => new Date(start).toISOString());

describe('the buckets of a timeline', () => {
  it('follow each other from the beginning until now, whatever range and unit', () => {
    for (const range of ranges) {
      for (const unit of unitsOfRange[range]) {
        const buckets = bucketsOf({ range, unit, now }, []);
        buckets.slice(1).forEach(({ start }, index) => {
          expect(start).toBe(buckets[index]?.end);
        });
        expect(buckets.at(-1)?.start).toBeLessThanOrEqual(now);
        expect(buckets.at(-1)?.end).toBeGreaterThan(now);
        if (range !== 'all') expect(buckets[0]?.start).toBe(sinceOf({ range, unit, now }));
      }
    }
  });

  it('are as many as the range has', () => {
    expect(startsOf({ range: 'hour', unit: 'minute', now })).toHaveLength(60);
    expect(startsOf({ range: 'day', unit: 'hour', now })).toHaveLength(24);
    expect(startsOf({ range: 'month', unit: 'day', now })).toHaveLength(30);
    expect(startsOf({ range: 'year', unit: 'month', now })).toHaveLength(12);
  });

  it('hold what the server has counted, and nothing where it has not', () => {
    const entries = [{ stored: '2026-03-15T10:18:00.000000000Z', count: 7 }];
    const counts = bucketsOf({ range: 'hour', unit: 'minute', now }, entries).map(({ count }) => count);
    expect(counts.slice(-3)).toEqual([7, 0, 0]);
  });

  it('begin with the first statement where all are asked for', () => {
    const entries = [{ stored: '2025-12-01T00:00:00.000000000Z', count: 1 }];
    const buckets = bucketsOf({ range: 'all', unit: 'month', now }, entries);
    expect(buckets.map(({ count }) => count)).toEqual([1, 0, 0, 0]);
  });
});
