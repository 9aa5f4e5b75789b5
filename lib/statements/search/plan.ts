/**
 * The plan of a search: which filter leads, and which range of positions is searched next.
 *
 * Example: a search for a verb that 90 % of all statements have and an actor that few have, newest first. The first scan is led
 * by the actor, the first of `filters`. If it does not fill the page, a query asks for each filter where the entry at the end
 * of the scan lies: position 700 for the verb, 200 for the actor. The actor reaches farther, so it leads the next range,
 * from 200 upwards; what is left is the range below 200.
 */
import type { Dialect } from '../../db/dialects/dialect.ts';
import type { Position } from '../types.ts';
import type { KeyedTerm } from './search-key.ts';

/** One filter: a statement passes when it has one of these keys. Never empty. */
export type KeyFilter = readonly KeyedTerm[];

/** The contents of a page, except for its limit in bytes. */
export interface PageRange {
  /** The first one leads: its entries are scanned, and the others are probed for each. */
  readonly filters: readonly KeyFilter[];
  /** Whether keys are ignored that a statement has only through a statement of another authority. */
  readonly onlyOwn: boolean;
  /** Strictly after this position … */
  readonly after: Position;
  /** … and at or before this one. */
  readonly through: Position;
  readonly ascending: boolean;
  /** Of the database that is queried. */
  readonly dialect: Pick<Dialect, 'collectsIndexEntries' | 'lazyWith'>;
  /** The most rows. */
  readonly rows: number;
  /** Texts of at most this many bytes are read with their row. */
  readonly inlineBytes: number;
}

/** The numbers of entries of the leading filter that are scanned before the leading filter is chosen again. */
export type ScanSizes = readonly [number, ...number[]];

/** Small at first, because that usually suffices. After the last scan the search ends. */
const defaultScanSizes: ScanSizes = [4096, 8192, 32_768, 65_536];
/** The same where a page is available only after all entries of the first scan are read. */
const eagerScanSizes: ScanSizes = [1024, 8192, 32_768, 65_536];

/** The scan sizes for an engine. */
export function scanSizesOf({ lazyWith }: Pick<Dialect, 'lazyWith'>): ScanSizes {
  return lazyWith ? defaultScanSizes : eagerScanSizes;
}

/** For each filter, `filter0` and so on, the position where a scan of its entries ends; null when there are fewer. */
export type Reach = Readonly<Record<string, Position | null>>;

/** The part of a page's range that is searched next, and the rest of the range. */
export interface NextRange {
  readonly part: PageRange;
  /** Absent when the part includes the end. */
  readonly rest?: { readonly range: PageRange; readonly end: Position };
}

/** The next part of the range: it ends where a scan of the rarest filter ends, and that filter leads. */
export function nextRange(range: PageRange, reach: Reach): NextRange {
  const { ascending } = range;
  const ends = range.filters.map((filter, index) => {
    const position = reach[`filter${index}`] ?? null;
    const distance = position === null ? Number.POSITIVE_INFINITY : ascending ? position : -position;
    return { filter, position, distance };
  });
  ends.sort((a, b) => (a.distance < b.distance ? 1 : -1));
  const filters = ends.map(({ filter }) => filter);
  const end = ends[0]?.position ?? null;
  if (end === null) return { part: { ...range, filters } };
  const bound = ascending ? { through: end } : { after: end - 1 };
  return { part: { ...range, filters, ...bound }, rest: { range: restOf(range, end), end } };
}

/** The rest of a range that was searched up to a position. */
export function restOf(range: PageRange, end: Position): PageRange {
  return range.ascending ? { ...range, after: end } : { ...range, through: end - 1 };
}
