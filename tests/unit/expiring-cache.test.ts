import { describe, expect, it } from 'vitest';
import { ExpiringCache } from '../../lib/expiring-cache.ts';

describe('an expiring cache', () => {
  it('knows what it was told, until it is told otherwise', () => {
    const memory = new ExpiringCache<number>({ characters: 1000, milliseconds: 1000 });
    memory.set('a', 1);
    memory.set('a', 2);
    expect([memory.get('a'), memory.get('b')]).toEqual([2, undefined]);
  });

  it('knows the newer of two values, whichever generation the older one is in', () => {
    let now = 0;
    const memory = new ExpiringCache<number>({ characters: 1000, milliseconds: 10 }, () => now);
    memory.set('a', 1);
    now = 11;
    memory.set('a', 2);
    expect(memory.get('a')).toBe(2);
  });

  it('never holds more than its limit, and always the latest half of it', () => {
    const memory = new ExpiringCache<true>({ characters: 1000, milliseconds: 1000 });
    const keys = Array.from({ length: 500 }, (_, index) => `key-${String(index).padStart(6, '0')}`);
    for (const [index, key] of keys.entries()) {
      memory.set(key, true);
      const known = keys.filter((each) => memory.get(each));
      expect(known.length * 10).toBeLessThanOrEqual(1000);
      expect(known.at(-1)).toBe(key);
      expect(known.length).toBeGreaterThanOrEqual(Math.min(index + 1, 50));
    }
  });

  it('does not remember a value so large that it would push out the others', () => {
    const memory = new ExpiringCache<true>({ characters: 1000, milliseconds: 1000 });
    memory.set('a', true);
    memory.set('b', true, 10);
    expect([memory.get('a'), memory.get('b')]).toEqual([true, undefined]);
  });

  it.each([
    ['once it is old enough, however often it is asked for', 1],
    ['after a long rest', 1000],
  ])('forgets %s', (_, stride) => {
    let now = 0;
    const memory = new ExpiringCache<true>({ characters: 1000, milliseconds: 100 }, () => now);
    memory.set('a', true);
    for (now = stride; now < 100; now += stride) expect(memory.get('a')).toBe(true);
    for (now = Math.max(now, 200); now < 400; now += stride) memory.get('b');
    expect(memory.get('a')).toBeUndefined();
  });
});
