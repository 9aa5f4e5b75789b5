import { describe, expect, it } from 'vitest';
import { parsePropertyPaths } from '../../../lib/csv/property-paths.ts';
import { InvalidError } from '../../../lib/errors.ts';
import { growsWithSize } from '../../support/processor-time.ts';

describe('property-paths', () => {
  it.each([
    ['[["id"]]', [['id']]],
    ['[["id"],["verb","id"]]', [['id'], ['verb', 'id']]],
    ['[["id"] ["verb" "id"]]', [['id'], ['verb', 'id']]],
    [' [ [ "a" , 0 "b" ],,[12] ] ', [['a', 0, 'b'], [12]]],
    [String.raw`[["a\"]" "é" "]["]]`, [['a"]', 'é', '][']]],
    [String.raw`[["tab\t \\ \n"]]`, [['tab\t \\ \n']]],
  ])('%s is understood', (text, paths) => {
    expect(parsePropertyPaths(text)).toEqual(paths);
  });

  it.each([
    '',
    ' ',
    '[',
    ']',
    '[]',
    '[[]]',
    '[["a"]',
    '["a"]',
    '"a"',
    '1',
    '[["a"]]]',
    '[["a"]][',
    '[["a"]] [["b"]]',
    '[[["a"]]]',
    '[["a" -1]]',
    '[["a" 1.5]]',
    '[["a" 1e3]]',
    '[["a" 01]]',
    '[["a" 99999999999999999999]]',
    '[["a" :k]]',
    '[["a" null]]',
    '[["a]]',
    String.raw`[["\x"]]`,
    '{"a":1}',
    '[["a"] "b"]',
  ])('%j is refused', (text) => {
    expect(() => parsePropertyPaths(text)).toThrow(InvalidError);
  });

  it('are read in a time that grows no faster than their number', async () => {
    const read = (size: number) => parsePropertyPaths(`[${'[0]'.repeat(size)}]`);
    expect(await growsWithSize(read, 50_000)).toBe(true);
  });
});
