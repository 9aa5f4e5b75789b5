import { describe, expect, it } from 'vitest';
import { LanguagePicker, languageRanges, lookupRanges } from '../../../lib/xapi/language.ts';
import type { LanguageMap } from '../../../lib/xapi/types.ts';
import { growsWithSize } from '../../support/processor-time.ts';

const pickLanguage = (map: LanguageMap, ranges: readonly string[]) => new LanguagePicker(ranges).pick(map);

describe('languageRanges', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['en', ['en']],
    ['da, en-GB;q=0.8, en;q=0.7', ['da', 'en-gb', 'en']],
    ['en;q=0.7,da,*;q=0.1,en-gb;q=0.8', ['da', 'en-gb', 'en', '*']],
    ['fr ; q = 0.5 , de', ['de', 'fr']],
    ['en;q=1.000, de;q=0.999', ['en', 'de']],
    ['fr;q=0, en', ['en', 'fr;q=0']],
    [' , en,, ', ['en']],
  ])('orders %j by quality, ties as they come', (header, ranges) => {
    expect(languageRanges(header)).toStrictEqual(ranges);
  });

  it.each([
    'en;q=x',
    'en;q=',
    'en;q=1.1',
    'en;q=-0.1',
    'en;q=0.1234',
    'en;q',
    'en;level=1',
    '<garbage>',
    'e n',
  ])('ignores %j and keeps the rest (RFC 9110 12.5.4)', (header) => {
    expect(languageRanges(header)).toEqual([]);
    expect(languageRanges(`fr;q=0.5, ${header}, de`)).toEqual(['de', 'fr']);
  });

  it('keeps each range once, and no more than fifty', () => {
    expect(languageRanges('q,q,de,q')).toEqual(['q', 'de']);
    const many = Array.from({ length: 1000 }, (_, index) => `x-${index}`);
    expect(languageRanges(many.join(','))).toEqual(many.slice(0, 50));
  });

  it('leaves out what is longer than any language tag', () => {
    expect(languageRanges(`${'a-'.repeat(50)}a, en`)).toEqual(['en']);
    expect(languageRanges(`${'a-'.repeat(49)}a, en`)).toHaveLength(2);
  });

  it('looks at the first thousand elements of a header', () => {
    expect(languageRanges(`${'!,'.repeat(999)}en,de`)).toEqual(['en']);
  });
});

const cases: [title: string, header: string | undefined, tags: string[], picked: string][] = [
  ['the first entry without a header', undefined, ['fr', 'en'], 'fr'],
  ['the tag itself', 'en', ['fr', 'en-US', 'en'], 'en'],
  ['a tag that begins with the range', 'en', ['fr', 'en-US'], 'en-US'],
  ['no tag that merely begins with the same letters', 'en', ['enm', 'fr', 'en-GB'], 'en-GB'],
  ['a tag whatever its case', 'EN-gb', ['en-US', 'en-GB'], 'en-GB'],
  ['the tag of the best quality', 'fr;q=0.4, en-US;q=0.5', ['fr', 'en-US'], 'en-US'],
  ['by the longest range that matches', 'en;q=0.8, en-GB;q=0.2, fr;q=0.5', ['en-GB', 'fr'], 'fr'],
  ['anything for *', 'de, *;q=0.5', ['fr', 'it'], 'fr'],
  ['for * only what nothing else matches', '*, fr;q=0.1', ['fr', 'it'], 'it'],
  ['what a shortened range finds when no range matches', 'it, de-CH', ['fr', 'de'], 'de'],
  ['a relative of the wanted language before a stranger', 'en-GB', ['fr', 'en-US'], 'en-US'],
  ['the first entry when nothing suits', 'ja', ['fr', 'en'], 'fr'],
  ['no language that is ruled out while there is another', 'fr;q=0', ['fr', 'en'], 'en'],
  ['no language that is ruled out, * or not', '*, fr;q=0', ['fr', 'en'], 'en'],
  ['the ruled out language when it is the only one', 'fr;q=0', ['fr'], 'fr'],
  ['the first entry when all are ruled out', '*;q=0', ['fr', 'en'], 'fr'],
];

describe('LanguagePicker', () => {
  it.each(cases)('picks %s (RFC 2616 14.4)', (_title, header, tags, picked) => {
    const map = Object.fromEntries(tags.map((tag) => [tag, `text in ${tag}`]));
    expect(pickLanguage(map, languageRanges(header))).toBe(picked);
  });

  it('picks nothing from an empty map', () => {
    expect(pickLanguage({}, ['en'])).toBeUndefined();
  });
});

describe('lookupRanges', () => {
  it.each([
    ['de-CH, en', ['de-ch', 'de', 'en']],
    ['zh-Hant-TW, zh-Hans', ['zh-hant-tw', 'zh-hant', 'zh', 'zh-hans']],
    ['de-CH, de-AT, *', ['de-ch', 'de', 'de-at', '*']],
    ['de-CH, en, de;q=0', ['de-ch', 'en', 'de;q=0']],
  ])('puts shorter ranges behind each of %j (RFC 4647 3.4)', (header, ranges) => {
    expect(lookupRanges(languageRanges(header))).toEqual(ranges);
  });

  it('finds a text in the wanted language before one in the next language', () => {
    const map = { en: 'passed', de: 'bestanden' };
    expect(pickLanguage(map, lookupRanges(languageRanges('de-CH,en')))).toBe('de');
  });

  it('gives no more than fifty ranges', () => {
    const many = Array.from({ length: 50 }, (_, index) => `a${'-b'.repeat(40)}-${index}`);
    expect(lookupRanges(many)).toHaveLength(50);
  });
});

describe('LanguagePicker with many tags and ranges', () => {
  it('takes time that grows with the length of the tags only', async () => {
    const ranges = Array.from({ length: 50 }, (_, index) => `${'b-'.repeat(40)}${index}`);
    const pick = (size: number) => {
      const tags = Array.from({ length: size }, (_, index) => [`aa-x-${index.toString(36)}`, '']);
      expect(pickLanguage(Object.fromEntries(tags), ranges)).toBe('aa-x-0');
    };
    expect(await growsWithSize(pick, 30_000)).toBe(true);
  });
});
