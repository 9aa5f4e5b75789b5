import type { LanguageMap } from './types.ts';

const notAcceptable = ';q=0';

/** More ranges than people have languages; what follows the best of them makes no difference worth its time. */
const maxRanges = 50;

/**
 * The ranges of an `Accept-Language` header, best first, in lower case (RFC 2616 14.4). What the client rules out stands at
 * the end and keeps its `;q=0`. Repeated ranges, and those beyond the fifty best, are left out, as is what can't be read: a
 * preference is no reason to refuse a request (RFC 9110 12.5.4).
 */
export function languageRanges(acceptLanguage: string | undefined): string[] {
  const ranges = (acceptLanguage ?? '').split(',').flatMap(parseRange);
  const names = ranges
    .sort((a, b) => b.quality - a.quality)
    .map(({ range, quality }) => (quality === 0 ? range + notAcceptable : range));
  return [...new Set(names)].slice(0, maxRanges);
}

interface Range {
  readonly range: string;
  readonly quality: number;
}

/** `en` or `*`, with a quality from 0 to 1 of at most three decimals or without one. */
const element =
  /^\s*(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

function parseRange(text: string): Range[] {
  const [, range, quality = 1] = element.exec(text) ?? [];
  return range === undefined ? [] : [{ range: range.toLowerCase(), quality: Number(quality) }];
}

/**
 * The tag of the map's entry that suits the ranges of `languageRanges` best; undefined only for an empty map. A tag has the
 * place of the longest range that it matches, as RFC 2616 14.4 says: `en` matches `en-US`, `*` what nothing else does.
 * Where none matches, ranges are shortened from the end (RFC 4647 3.4: `de-CH` finds `de`); then the first entry that the
 * client does not rule out is taken.
 */
export function pickLanguage(map: LanguageMap, ranges: readonly string[]): string | undefined {
  const tags = Object.keys(map);
  if (tags.length < 2 || ranges.length === 0) return tags[0];
  const placed = tags.map((tag) => ({ tag, ...placeOf(tag.toLowerCase(), ranges) }));
  const acceptable = placed.filter(({ ruledOut }) => !ruledOut);
  const matching = acceptable.filter(({ place }) => place !== -1);
  const [best] = matching.sort((a, b) => a.place - b.place || b.exact - a.exact);
  return (
    best?.tag ??
    lookUp(
      acceptable.map(({ tag }) => tag),
      ranges,
    ) ??
    acceptable[0]?.tag ??
    tags[0]
  );
}

function placeOf(
  tag: string,
  ranges: readonly string[],
): { place: number; exact: number; ruledOut: boolean } {
  let place = -1;
  let longest = -1;
  for (const [index, entry] of ranges.entries()) {
    const range = bare(entry);
    const length = range === '*' ? 0 : range.length;
    if (length > longest && matches(tag, range)) {
      place = index;
      longest = length;
    }
  }
  return {
    place,
    exact: Number(longest === tag.length),
    ruledOut: ranges[place]?.endsWith(notAcceptable) ?? false,
  };
}

function bare(entry: string): string {
  return entry.endsWith(notAcceptable) ? entry.slice(0, -notAcceptable.length) : entry;
}

/** Basic filtering (RFC 4647 3.3.1). */
function matches(tag: string, range: string): boolean {
  return range === '*' || tag === range || (tag.startsWith(range) && tag[range.length] === '-');
}

function lookUp(tags: readonly string[], ranges: readonly string[]): string | undefined {
  for (const range of ranges) {
    if (range.endsWith(notAcceptable)) continue;
    for (let end = range.lastIndexOf('-'); end > 0; end = range.lastIndexOf('-', end - 1)) {
      const shorter = range.slice(0, end);
      const found =
        tags.find((tag) => tag.toLowerCase() === shorter) ??
        tags.find((tag) => matches(tag.toLowerCase(), shorter));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
