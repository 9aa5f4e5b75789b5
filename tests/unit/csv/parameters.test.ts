import { describe, expect, it } from 'vitest';
import { readExportParameters } from '../../../lib/csv/parameters.ts';
import { InvalidError } from '../../../lib/errors.ts';

const named = 'property-paths=[["verb","display"]]';

function read(query: string, acceptLanguage?: string) {
  return readExportParameters(new URLSearchParams(query), { maxRows: 100, acceptLanguage });
}

describe('the parameters of an export', () => {
  it.each([
    ['the usual columns take the languages of the header', '', 'de, en;q=0.5', ['de', 'en']],
    ['the usual columns are texts without any language, too', '', undefined, []],
    ['columns that are named keep language maps as JSON', named, 'de', undefined],
    ['the parameter goes before the header', 'language=fr', 'de', ['fr']],
    [
      'the parameter counts for columns that are named, too',
      `${named}&language=de-CH,en`,
      'fr',
      ['de-ch', 'de', 'en'],
    ],
  ])('%s', (_, query, header, languages) => {
    expect(read(query, header).languages).toEqual(languages);
  });

  it.each(['language=', 'language=no%20language'])('refuse %s', (query) => {
    expect(() => read(query)).toThrow(InvalidError);
    expect(() => read(query)).toThrow(/language must be a language range/);
  });

  it.each([
    ['preview=true', 10],
    ['preview=true&limit=3', 3],
    ['preview=true&limit=50', 10],
    ['preview=false', 100],
    ['limit=50', 50],
  ])('let %s have %d rows', (query, limit) => {
    expect(read(query).statements).toMatchObject({ filter: { limit } });
  });
  it.each(['preview=', 'preview=maybe', 'preview=TRUE'])('refuse %s', (query) => {
    expect(() => read(query)).toThrow(/^preview must be true or false\.$/);
  });

  it.each([
    ['langauge=de', 'language'],
    ['Preview=true', 'preview'],
    ['property_paths=[["id"]]', 'property-paths'],
    ['sinse=2024-01-01T00:00:00Z', 'since'],
    ['Limit=1', 'limit'],
  ])('refuse %s and name the nearest parameter', (query, nearest) => {
    expect(() => read(query)).toThrow(`is not known: the nearest known one is ${nearest};`);
  });

  it.each(['property-paths', 'property-path'])('name the columns as %s, in both notations', (name) => {
    for (const value of [
      '[["verb","id"],["actor","member",0,"name"]]',
      '[["verb" "id"] ["actor" "member" 0 "name"]]',
    ]) {
      expect(read(new URLSearchParams({ [name]: value }).toString(), 'de')).toMatchObject({
        paths: [
          ['verb', 'id'],
          ['actor', 'member', 0, 'name'],
        ],
        languages: undefined,
      });
    }
    expect(() => read(`${name}=[]`)).toThrow(InvalidError);
  });

  it('refuse both names of the columns together', () => {
    expect(() => read(`${named}&property-path=[["id"]]`)).toThrow(
      /^property-path must not occur beside property-paths/,
    );
  });

  it.each(['columns', 'offset', 'x'])('refuse %s, and name what is known', (name) => {
    expect(() => read(`${name}=1`)).toThrow(
      new RegExp(`^The parameter ${name} is not known: known are token, property-paths, .*\\blimit\\b`),
    );
  });

  it('accept the token of a link', () => {
    expect(read('token=x&limit=5').statements).toMatchObject({ filter: { limit: 5 } });
  });
});
