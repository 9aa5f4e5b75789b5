import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePropertyPaths } from '../../../lib/csv/property-paths.ts';
import { RowCounter, rowsOf } from '../../../ui/src/screens/export/csv-text.ts';
import { suggestionsOf } from '../../../ui/src/screens/export/suggestions.ts';
import { pathOf, pathText } from '../../../ui/src/xapi/property-path.ts';

const path = fc.array(
  fc.oneof(fc.string(), fc.nat(), fc.constantFrom('actor', 'en-US', 'https://x.org/a.b')),
  {
    minLength: 1,
  },
);

describe('the path of a column', () => {
  it.each([
    ['verb.id', ['verb', 'id']],
    ['context.contextActivities.parent[0].id', ['context', 'contextActivities', 'parent', 0, 'id']],
    ['result.extensions["https://example.org/x"].y', ['result', 'extensions', 'https://example.org/x', 'y']],
    ['verb.display.en-US', ['verb', 'display', 'en-US']],
  ])('is written as %s', (text, steps) => {
    expect(pathOf(text)).toEqual(steps);
    expect(pathText(steps)).toBe(text);
  });

  it('is read as it was written, and known to the server', () => {
    fc.assert(
      fc.property(path, (steps) => {
        expect(pathOf(pathText(steps))).toEqual(steps);
        expect(parsePropertyPaths(JSON.stringify([steps]))).toEqual([steps]);
      }),
    );
  });

  it.each(['', '  ', 'verb..id', 'verb[', 'verb[x]', 'verb[-1]', 'a b', '["a'])('is not %j', (text) => {
    expect(pathOf(text)).toBeUndefined();
  });
});

describe('the suggestions of columns', () => {
  it('are all paths of the data, the most frequent first, with the newest value', () => {
    const statements = [{ verb: { id: 'v1' }, result: { score: { raw: 1 } } }, { verb: { id: 'v2' } }];
    expect(suggestionsOf(statements)).toEqual([
      { path: ['verb', 'id'], share: 1, example: 'v1', values: ['v1', 'v2'] },
      { path: ['verb'], share: 1, example: '{"id":"v1"}', values: [] },
      { path: ['result', 'score', 'raw'], share: 0.5, example: '1', values: [1] },
      { path: ['result'], share: 0.5, example: '{"score":{"raw":1}}', values: [] },
      { path: ['result', 'score'], share: 0.5, example: '{"raw":1}', values: [] },
    ]);
    expect(suggestionsOf([])).toEqual([]);
  });

  it('have the first elements of arrays only', () => {
    const texts = suggestionsOf([{ a: [0, 1, 2, 3, 4] }]).map((each) => pathText(each.path));
    expect(texts).toEqual(['a[0]', 'a[1]', 'a[2]', 'a']);
  });
});

describe('CSV', () => {
  const text = 'id,name\r\n1,"a ""b"", c"\r\n2,"two\r\nlines"\r\n,\r\n';

  it('is taken apart into rows and cells', () => {
    expect(rowsOf(text)).toEqual([
      ['id', 'name'],
      ['1', 'a "b", c'],
      ['2', 'two\r\nlines'],
      ['', ''],
    ]);
    expect(rowsOf('')).toEqual([]);
    expect(rowsOf('broken "text\r')).not.toEqual([]);
  });

  it.each([1, 2, 5, 100])('is counted by rows in pieces of %d bytes', (size) => {
    const bytes = new TextEncoder().encode(text);
    const counter = new RowCounter();
    expect(counter.rows).toBe(0);
    for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
    expect(counter.rows).toBe(3);
  });
});
