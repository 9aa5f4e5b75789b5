import { join, sql } from '../../db/sql.ts';
import type { KeyedNumbers, RowSession, WriteSession } from '../../db/types.ts';
import { giveWayBriefly } from '../../in-turns.ts';
import { statementKeyTable } from '../tables.ts';
import type { Position } from '../types.ts';
import { bufferRows, bufferTable, hasBuffer, mergeBuffer } from './index-buffer.ts';
import { bytesOf } from './index-sql.ts';
import type { KeyPositions, SearchKey } from './search-key.ts';

/** The most entries in one SQL statement. */
const sliceEntries = 100_000;

/** The most keys in one SQL statement, whose text does not depend on their number. */
const keysAtOnce = 16;

/** Up to this many entries are inserted unsorted, because hardly two of them are on the same page of a large index. */
const unsortedEntries = 500;

/** The number of statements after which the write buffer is merged. */
const defaultMergeEvery = 8000;
/** A statement with more entries counts as several, so that a merge does not hold the write lock longer. */
const usualEntries = 10;

/** All index entries of a stored statement. */
export interface StatementEntries {
  readonly position: Position;
  readonly keys: readonly SearchKey[];
}

/**
 * The index by search key. The entries of a statement are far apart in it, each on a page that is written whole. Where that
 * is expensive, entries of small writes go into the index write buffer first and are merged into the main table together,
 * sorted. All entries of a statement are always in the same one of the two.
 */
export class SearchIndex {
  readonly #mergeEvery: number;
  #buffered: number;
  #isMerged = true;

  /** @param mergeEvery the number of buffered statements after which their entries are merged; 1 leaves none in the buffer. */
  constructor(mergeEvery: number = defaultMergeEvery) {
    this.#mergeEvery = mergeEvery;
    // Starts at a random count, so that many short-lived processes together merge as often as one.
    this.#buffered = Math.floor(Math.random() * mergeEvery);
  }

  /** Whether the write buffer contains nothing that was added here. */
  get isMerged(): boolean {
    return this.#isMerged;
  }

  /** Whether it is time to `merge`, in a transaction of its own. */
  get isMergeDue(): boolean {
    return this.#buffered >= this.#mergeEvery;
  }

  /** Adds the entries of new statements. The writes are pipelined; the commit waits for them. */
  async add(session: RowSession, entries: KeyPositions, statements: number): Promise<void> {
    if (!hasBuffer(session.dialect) || statements >= this.#mergeEvery) {
      await insert(session, entries);
      return;
    }
    const { rows, others } = bufferRows(entries);
    session.send(session.insert(bufferTable, rows));
    await insert(session, others);
    this.#isMerged = false;
    this.#buffered += Math.max(statements, entries.keys.length / usualEntries);
  }

  /** Merges the write buffer, if the engine's index has one. */
  async merge(session: WriteSession): Promise<void> {
    if (!hasBuffer(session.dialect)) return;
    this.#buffered = 0;
    this.#isMerged = true;
    await mergeBuffer(session);
  }

  /** Adds entries to stored statements. The writes are pipelined; the commit waits for them. */
  async addToStored(session: WriteSession, entries: KeyPositions): Promise<void> {
    await this.merge(session);
    await insert(session, entries);
  }

  /** Removes entries of stored statements, so that filters with these keys do not find them any more. */
  async remove(session: WriteSession, removed: readonly StatementEntries[]): Promise<void> {
    if (removed.length === 0) return;
    await this.merge(session);
    await Promise.all(removed.map((entries) => removeEntries(session, entries)));
  }
}

/**
 * Many entries are sorted by key, so that each page of the index is visited once. Sorting 15,000 of them takes tens of milliseconds,
 * so it has a turn of the event loop to itself.
 */
async function insert(session: RowSession, entries: KeyPositions): Promise<void> {
  const isSorted = entries.keys.length > unsortedEntries;
  if (isSorted) await giveWayBriefly();
  const slices = slicesOf(isSorted ? entries.sorted() : entries);
  if (isSorted) await giveWayBriefly();
  for (const [index, slice] of slices.entries()) {
    const insertion = session.insertByKey(statementKeyTable, slice);
    session.send(insertion);
    if (index < slices.length - 1) await insertion;
  }
}

async function removeEntries(session: WriteSession, { position, keys }: StatementEntries): Promise<void> {
  for (let start = 0; start < keys.length; start += keysAtOnce) {
    const some = keys.slice(start, start + keysAtOnce);
    const last = some.at(-1) ?? '';
    const named = Array.from({ length: keysAtOnce }, (_, index) => sql`${bytesOf(some[index] ?? last)}`);
    const { text, values } = sql`DELETE FROM statement_key
      WHERE search_key IN (${join(named, ', ')}) AND position = ${position}`;
    await session.execute(text, values);
  }
}

function slicesOf({ keys, numbers, masks }: KeyedNumbers): KeyedNumbers[] {
  return Array.from({ length: Math.ceil(keys.length / sliceEntries) }, (_, index) => {
    const slice = <T>(list: readonly T[]) => list.slice(index * sliceEntries, (index + 1) * sliceEntries);
    return { keys: slice(keys), numbers: slice(numbers), masks: slice(masks) };
  });
}
