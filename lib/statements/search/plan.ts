/**
 * The plan of a search: which filter leads, and which range of positions is searched next.
 *
 * Example: a search for a verb that 90 % of all statements have and an actor that few have, newest first. The first scan is led
 * by the actor, the first of `filters`. If it does not fill the page, a probe asks for each filter where the entry at the end
 * of the scan lies: position 700 for the verb, 200 for the actor. The actor reaches farther, so it leads the next range,
 * from 200 upwards; what is left is the range below 200.
 */
import type { Dialect } from '../../db/dialects/dialect.ts';
import type { Position } from '../types.ts';
import type { KeyedTerm } from './search-key.ts';

/** One filter: a statement passes when it is found by any of these. Never empty. */
export type KeyFilter = readonly KeyedTerm[];

/** What belongs on a page, but for its length in bytes. */
export interface PageRange {
  /** The first one leads: its entries are walked, and the others are checked for each of them. */
  readonly filters: readonly KeyFilter[];
  /** Whether keys are left out that a statement has only through a statement of another authority. */
  readonly onlyOwn: boolean;
  /** Strictly after this position … */
  readonly after: Position;
  /** … and at or before this one. */
  readonly through: Position;
  readonly ascending: boolean;
  /** Of the database that is asked. */
  readonly dialect: Pick<Dialect, 'collectsIndexEntries' | 'lazyWith'>;
  /** How many rows at most. */
  readonly rows: number;
  /** Texts of at most this many bytes come with their row, longer ones not. */
  readonly inlineBytes: number;
}

/** Numbers of entries of the leading filter that a search with several filters scans before it chooses the leading filter again. */
export type ScanSizes = readonly [number, ...number[]];

/** Few at first, because usually they are enough. After the last scan the search gives up. */
const defaultScanSizes: ScanSizes = [4096, 8192, 32_768, 65_536];
/** The same where all entries of the first scan are read before there is a page. */
const eagerScanSizes: ScanSizes = [1024, 8192, 32_768, 65_536];

/** The scan sizes that suit a database. */
export function scanSizesOf({ lazyWith }: Pick<Dialect, 'lazyWith'>): ScanSizes {
  return lazyWith ? defaultScanSizes : eagerScanSizes;
}

/** For each filter, `filter0` and so on, the position where a scan of its entries ends; null when there are fewer. */
export type Probe = Readonly<Record<string, Position | null>>;

/** A part of a page's range that is searched at once, and what is left of the range after it. */
export interface Stretch {
  readonly part: PageRange;
  /** Absent when the part reaches the end. */
  readonly rest?: { readonly range: PageRange; readonly end: Position };
}

/** The next part of the range: it ends where a scan of the rarest filter ends, and that filter leads. */
export function nextStretch(range: PageRange, probe: Probe): Stretch {
  const { ascending } = range;
  const ends = range.filters.map((filter, index) => {
    const position = probe[`filter${index}`] ?? null;
    const distance = position === null ? Number.POSITIVE_INFINITY : ascending ? position : -position;
    return { filter, position, distance };
  });
  ends.sort((a, b) => (a.distance < b.distance ? 1 : -1));
  const filters = ends.map(({ filter }) => filter);
  const end = ends[0]?.position ?? null;
  if (end === null) return { part: { ...range, filters } };
  const bound = ascending ? { through: end } : { after: end - 1 };
  return { part: { ...range, filters, ...bound }, rest: { range: beyond(range, end), end } };
}

/** What is left of a range that was searched up to a position. */
export function beyond(range: PageRange, end: Position): PageRange {
  return range.ascending ? { ...range, after: end } : { ...range, through: end - 1 };
}
