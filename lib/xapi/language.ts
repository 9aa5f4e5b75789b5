import type { LanguageMap } from './types.ts';

const notAcceptable = ';q=0';

/** More ranges than people have languages; what follows the best of them makes no difference worth its time. */
const maxRanges = 50;

/** Elements of the header that are looked at, and characters of each; RFC 5646 4.4 expects a tag to have 35 at most. */
const maxElements = 1000;
const maxElementLength = 100;

/**
 * The ranges of an `Accept-Language` header, best first, in lower case (RFC 2616 14.4). What the client rules out stands at
 * the end and keeps its `;q=0`. Repeated ranges, and those beyond the fifty best, are left out, as is what can't be read or
 * is longer than any language tag: a preference is no reason to refuse a request (RFC 9110 12.5.4).
 */
export function languageRanges(acceptLanguage: string | undefined): string[] {
  const ranges = (acceptLanguage ?? '').split(',', maxElements).flatMap(parseRange);
  const names = ranges
    .sort((a, b) => b.quality - a.quality)
    .map(({ range, quality }) => (quality === 0 ? range + notAcceptable : range));
  return [...new Set(names)].slice(0, maxRanges);
}

/**
 * Ranges for a client that has no say in their quality: behind each stands what is left of it when subtags are cut from its
 * end, so that `de-CH, en` finds a text in `de` before one in `en` (lookup, RFC 4647 3.4).
 */
export function lookupRanges(ranges: readonly string[]): string[] {
  const ruledOut = new Set(ranges.filter((range) => range.endsWith(notAcceptable)));
  const all = ranges.flatMap((range) => (ruledOut.has(range) ? [range] : prefixesOf(range)));
  const wanted = all.filter((range) => !ruledOut.has(range + notAcceptable));
  return [...new Set(wanted)].slice(0, maxRanges);
}

interface Range {
  readonly range: string;
  readonly quality: number;
}

/** `en` or `*`, with a quality from 0 to 1 of at most three decimals or without one. */
const element =
  /^\s*(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

function parseRange(text: string): Range[] {
  if (text.length > maxElementLength) return [];
  const [, range, quality = 1] = element.exec(text) ?? [];
  return range === undefined ? [] : [{ range: range.toLowerCase(), quality: Number(quality) }];
}

/** Picks entries of language maps by the ranges of `languageRanges`, for many maps. */
export class LanguagePicker {
  readonly #ranges: readonly string[];
  #created: RangeIndex | undefined;

  constructor(ranges: readonly string[]) {
    this.#ranges = ranges;
  }

  /**
   * The tag of the map's entry that suits the ranges best; undefined only for an empty map. A tag has the
   * place of the longest range that it matches, as RFC 2616 14.4 says: `en` matches `en-US`, `*` what nothing else does.
   * Where none matches, ranges are shortened from the end (RFC 4647 3.4: `de-CH` finds `de`); then the first entry that the
   * client does not rule out is taken. The work is linear in the length of the tags.
   */
  pick(map: LanguageMap): string | undefined {
    const tags = Object.keys(map);
    if (tags.length < 2 || this.#ranges.length === 0) return tags[0];
    const index = this.#index();
    let matching: Candidate | undefined;
    let related: Candidate | undefined;
    let acceptable: string | undefined;
    for (const tag of tags) {
      const prefixes = prefixesOf(tag.toLowerCase());
      const match = matchOf(prefixes, index);
      if (match?.ruledOut) continue;
      acceptable ??= tag;
      if (match !== undefined) matching = better(matching, { tag, ...match });
      else if (matching === undefined) related = better(related, relativeOf(tag, prefixes, index));
    }
    return (matching ?? related)?.tag ?? acceptable ?? tags[0];
  }

  #index(): RangeIndex {
    this.#created ??= createIndex(this.#ranges);
    return this.#created;
  }
}

interface Candidate {
  readonly tag: string;
  /** Of the range that it suits; the lowest is the best. */
  readonly place: number;
  /** Whether the tag is the range, and does not merely begin with it. */
  readonly exact: boolean;
}

/** The later one only where it is better. */
function better(earlier: Candidate | undefined, later: Candidate | undefined): Candidate | undefined {
  if (earlier === undefined || later === undefined) return earlier ?? later;
  const isBetter =
    later.place < earlier.place || (later.place === earlier.place && later.exact && !earlier.exact);
  return isBetter ? later : earlier;
}

/** What is looked up in a list of ranges. */
interface RangeIndex {
  /** The place of each range in the list. */
  readonly places: ReadonlyMap<string, number>;
  readonly ruledOut: ReadonlySet<number>;
  /** The same of what is left of a range when subtags are cut from its end, in the order in which they are tried. */
  readonly shortened: ReadonlyMap<string, number>;
}

function createIndex(ranges: readonly string[]): RangeIndex {
  const places = new Map<string, number>();
  const ruledOut = new Set<number>();
  const shortened = new Map<string, number>();
  for (const [place, entry] of ranges.entries()) {
    const isRuledOut = entry.endsWith(notAcceptable);
    const range = isRuledOut ? entry.slice(0, -notAcceptable.length) : entry;
    if (!places.has(range)) places.set(range, place);
    if (isRuledOut) ruledOut.add(place);
    else for (const shorter of prefixesOf(range).slice(1)) addOnce(shortened, shorter);
  }
  return { places, ruledOut, shortened };
}

function addOnce(places: Map<string, number>, name: string): void {
  if (!places.has(name)) places.set(name, places.size);
}

/** The tag itself, then without its last subtag, and so on: `zh-hant-tw`, `zh-hant`, `zh`. */
function prefixesOf(tag: string): string[] {
  const prefixes = [tag];
  for (let end = tag.lastIndexOf('-'); end > 0; end = tag.lastIndexOf('-', end - 1)) {
    prefixes.push(tag.slice(0, end));
  }
  return prefixes;
}

/** The longest range that the tag matches (basic filtering, RFC 4647 3.3.1). */
function matchOf(
  prefixes: readonly string[],
  { places, ruledOut }: RangeIndex,
): { place: number; exact: boolean; ruledOut: boolean } | undefined {
  for (const prefix of prefixes) {
    const place = places.get(prefix);
    if (place !== undefined) return { place, exact: prefix === prefixes[0], ruledOut: ruledOut.has(place) };
  }
  const rest = places.get('*');
  return rest === undefined ? undefined : { place: rest, exact: false, ruledOut: ruledOut.has(rest) };
}

function relativeOf(
  tag: string,
  prefixes: readonly string[],
  { shortened }: RangeIndex,
): Candidate | undefined {
  let best: Candidate | undefined;
  for (const prefix of prefixes) {
    const place = shortened.get(prefix);
    if (place !== undefined) best = better(best, { tag, place, exact: prefix === prefixes[0] });
  }
  return best;
}
