import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { readConditions } from '../../../lib/http/conditions.ts';
import { growsWithSize } from '../../support/processor-time.ts';

const read = (header: string) => readConditions({ headers: { 'if-match': header } }).ifMatch;

describe('If-Match and If-None-Match (RFC 9110 13.1)', () => {
  it.each<[string, ReturnType<typeof read>]>([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['a']],
    ['W/"a"', ['a']],
    ['"a","b"', ['a', 'b']],
    ['"a" , W/"b",, "c"', ['a', 'b', 'c']],
    ['"a, b"', ['a, b']],
    ['""', ['']],
    ['"*"', ['*']],
    ['abc', ['abc']],
    ['abc, "d"', ['abc', 'd']],
  ])('%s is understood', (header, tags) => {
    expect(read(header)).toEqual(tags);
  });

  it.each(['', ' ', ',', '"a', 'a"', '"a" "'])('%j is refused', (header) => {
    expect(() => read(header)).toThrow(InvalidError);
  });

  it('a header is read in time that grows with its length only', async () => {
    const refuse = (size: number) => {
      expect(() => read(`${'a'.repeat(size)}"`)).toThrow(InvalidError);
      expect(() => read(`${'W/"'.repeat(size / 3)}`)).toThrow(InvalidError);
    };
    expect(await growsWithSize(refuse, 100_000)).toBe(true);
  });

  it('each header is read on its own, and is left out when it is not sent', () => {
    expect(readConditions({ headers: {} })).toEqual({});
    expect(readConditions({ headers: { 'if-none-match': '"a"' } })).toEqual({ ifNoneMatch: ['a'] });
  });
});
