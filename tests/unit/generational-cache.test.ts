import { describe, expect, it } from 'vitest';
import { GenerationalCache, SeenMarks } from '../../lib/generational-cache.ts';

const keys = Array.from({ length: 100 }, (_, index) => `key ${index}`);

describe('a generational cache', () => {
  it('keeps what was set lately, and never more than two generations', () => {
    const memory = new GenerationalCache<number>(10);
    for (const [index, key] of keys.entries()) memory.set(key, index);
    const known = keys.filter((key) => memory.get(key) !== undefined);
    expect(known.length).toBeLessThanOrEqual(20);
    expect(known.slice(-9)).toEqual(keys.slice(-9));
  });

  it('keeps what is asked for again and again, whatever else is set meanwhile', () => {
    const memory = new GenerationalCache<number>(10);
    memory.set('asked for', 1);
    for (const [index, key] of keys.entries()) {
      memory.set(key, index);
      expect(memory.get('asked for')).toBe(1);
    }
  });

  it('counts what a key takes', () => {
    const memory = new GenerationalCache<number>(100, (key) => key.length);
    memory.set('first', 1);
    memory.set('x'.repeat(100), 2);
    memory.set('y'.repeat(100), 3);
    expect(memory.get('first')).toBeUndefined();
    expect(memory.get('y'.repeat(100))).toBe(3);
  });
});

describe('marks of what has come before', () => {
  it('are known from the second time on, negative ones too', () => {
    const seen = new SeenMarks(16);
    for (const mark of [1, -2]) {
      expect(seen.comesAgain(mark)).toBe(false);
      expect(seen.comesAgain(mark)).toBe(true);
    }
  });

  it('make others in the same place forgotten', () => {
    const seen = new SeenMarks(16);
    for (const mark of [1, 17, 1]) expect(seen.comesAgain(mark)).toBe(false);
  });
});
