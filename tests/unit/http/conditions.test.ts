import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { readConditions } from '../../../lib/http/conditions.ts';

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

  it('a header of any length is read in no time', () => {
    const started = performance.now();
    expect(() => read(`${'a'.repeat(100_000)}"`)).toThrow(InvalidError);
    expect(() => read(`${'W/"'.repeat(33_333)}`)).toThrow(InvalidError);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('each header is read on its own, and is left out when it is not sent', () => {
    expect(readConditions({ headers: {} })).toEqual({});
    expect(readConditions({ headers: { 'if-none-match': '"a"' } })).toEqual({ ifNoneMatch: ['a'] });
  });
});
