import { describe, expect, it } from 'vitest';
import { likePattern } from '../../../lib/reactions/match/like.ts';
import { growsWithSize } from '../../support/processor-time.ts';

const like = (text: string, pattern: string) => likePattern(pattern)?.(text);

describe('like', () => {
  it.each([
    ['bob', 'bo%'],
    ['boz', 'bo%'],
    ['', '%'],
    ['', ''],
    ['abc', 'a_c'],
    ['a😀c', 'a_c'],
    ['100%', '100\\%'],
    ['a_b', 'a\\_b'],
    ['xaxbx', '%a%b%'],
    ['aab', '%ab'],
    ['abab', 'ab%ab'],
    ['a\\', 'a\\'],
    ['a.*b', 'a.*b'],
  ])('matches %j with %j', (text, pattern) => {
    expect(like(text, pattern)).toBe(true);
  });

  it.each([
    ['Bob', 'bo%'],
    ['ab', 'a'],
    ['ab', 'ab_'],
    ['100 %', '100\\%'],
    ['axb', 'a\\_b'],
    ['aba', 'ab%ba'],
    ['', '_'],
  ])('does not match %j with %j', (text, pattern) => {
    expect(like(text, pattern)).toBe(false);
  });

  it('is the same as a naive matcher for random texts', () => {
    const naive = (text: string, pattern: string): boolean => {
      const [first = '', ...rest] = pattern;
      if (pattern === '') return text === '';
      if (first === '%') return naive(text, rest.join('')) || (text !== '' && naive(text.slice(1), pattern));
      return text !== '' && (first === '_' || first === text[0]) && naive(text.slice(1), rest.join(''));
    };
    const word = (letters: string, length: number) =>
      Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
    for (let round = 0; round < 4000; round++) {
      const [text, pattern] = [word('ab', round % 9), word('ab%_', round % 7)];
      expect([text, pattern, like(text, pattern)]).toEqual([text, pattern, naive(text, pattern)]);
    }
  });

  it('finds parts of more than 32 characters between others', () => {
    const part = 'ab_d'.repeat(16);
    const stored = part.replaceAll('_', 'x');
    expect(like(`1${stored}2${stored}3`, `%${part}_${part}%`)).toBe(true);
    expect(like(`1${stored}2${stored.slice(1)}3`, `%${part}_${part}%`)).toBe(false);
    expect(like(`zz${stored}`, `%zz%${part}%`)).toBe(true);
  });

  it('takes time that grows with the length of the text only, also for a pattern with many %', async () => {
    const match = (size: number) => {
      expect(like('a'.repeat(size), `${'%a'.repeat(127)}b`)).toBe(false);
      expect(like('a'.repeat(size), `%${'a_'.repeat(60)}b%${'a_'.repeat(60)}c`)).toBe(false);
    };
    expect(await growsWithSize(match, 60_000)).toBe(true);
  });

  it('is unknown for a text or a pattern that is too long', () => {
    expect(like('a'.repeat(65_537), '%')).toBeUndefined();
    expect(likePattern('a'.repeat(257))).toBeUndefined();
  });
});
