import { describe, expect, it } from 'vitest';
import { ExpiringCache } from '../../lib/expiring-cache.ts';
import { longestHashed, mapKey, TextMap, TextSet } from '../../lib/text-map.ts';
import { longKeysDuring } from '../support/long-keys.ts';

const short = 'n'.repeat(longestHashed);
const long = (end: string): string => `${'n'.repeat(longestHashed)}${end}`;

describe('the key of a text', () => {
  it('is the text itself up to 16,383 characters', () => {
    expect(mapKey(short)).toBe(short);
    expect(mapKey('')).toBe('');
  });

  it('of a longer text is short, the same for the same text and another one for another text', () => {
    const texts = [long('a'), long('b'), long('\ud800'), long('\ud801'), long('\ufffd')];
    const keys = texts.map(mapKey);
    expect(new Set(keys).size).toBe(texts.length);
    expect(keys.every((key) => key.length < 100)).toBe(true);
    expect(mapKey(`${long('')}a`)).toBe(keys[0]);
  });
});

describe('maps, sets and caches of texts of any length', () => {
  it('find each text, and know the texts themselves', () => {
    const map = new TextMap([[long('a'), 1]]);
    map.set(short, 2);
    map.set(long('a'), 3);
    map.set('gone', 4);
    map.delete('gone');
    expect([...map]).toEqual([
      [long('a'), 3],
      [short, 2],
    ]);
    expect([map.size, map.has(long('a')), map.get(short), map.get(long('b'))]).toEqual([
      2,
      true,
      2,
      undefined,
    ]);
    const set = new TextSet(map.keys());
    expect([set.add(short), set.add(long('c'))]).toEqual([false, true]);
    expect([...set]).toEqual([long('a'), short, long('c')]);
    expect([set.size, set.has(long('a')), set.has(long('b'))]).toEqual([3, true, false]);
  });

  it('have no keys that V8 hashes by their length alone', async () => {
    const keys = await longKeysDuring(async () => {
      const cache = new ExpiringCache<number>({ characters: 10_000_000, milliseconds: 1000 });
      cache.set(long('a'), 1);
      expect([cache.get(long('a')), cache.get(long('b'))]).toEqual([1, undefined]);
      expect([new TextMap([[long('a'), 1]]).size, new TextSet([long('a')]).size]).toEqual([1, 1]);
    });
    expect(keys).toEqual([]);
    expect(await longKeysDuring(async () => new Set([long('a')]))).toHaveLength(1);
  });
});
