import type { Key } from './key.ts';
import type { InsertRow } from './types.ts';

/** The number of rows that are sorted and sent at once. */
const sliceRows = 5000;
/** The characters after which a slice ends: a driver copies the texts of an insert without a pause. */
const sliceCharacters = 1_048_576;

/**
 * The rows in the order of their keys, so that no two transactions can deadlock. Keys are hashes, so the rows are spread
 * evenly over slices by the beginning of their keys.
 */
export function* sortedSlices(rows: ReadonlyMap<Key, InsertRow>): Generator<InsertRow[]> {
  const digits = Math.ceil(Math.log(Math.max(1, rows.size / sliceRows)) / Math.log(16));
  const slices = Array.from({ length: 16 ** digits }, (): [Key, InsertRow][] => []);
  for (const entry of rows)
    slices[digits === 0 ? 0 : Number.parseInt(entry[0].slice(0, digits), 16)]?.push(entry);
  for (const slice of slices) {
    yield* slicesByLength(slice.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row));
  }
}

/** Rows in consecutive slices of about a million characters, in their order; none without rows. */
export function* slicesByLength(rows: readonly InsertRow[]): Generator<InsertRow[]> {
  let slice: InsertRow[] = [];
  let characters = 0;
  for (const row of rows) {
    slice.push(row);
    for (const value of row) if (typeof value === 'string') characters += value.length;
    if (characters < sliceCharacters) continue;
    yield slice;
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) yield slice;
}
