import type { InsertRow, KeyedNumbers, RowSession, WriteSession } from '../db/types.ts';
import { anyFingerprint } from './fingerprint.ts';
import { KeyPositions, keyBytes, keysToBytes, type SearchKey } from './search-key.ts';
import { recentStatementTable, statementKeyTable } from './tables.ts';
import type { Position } from './types.ts';

/** How many entries travel to the database in one SQL statement. */
const sliceEntries = 100_000;

/** How many keys are named in one SQL statement, which is the same text whatever their number. */
const keysAtOnce = 16;
const keyNames = Array.from({ length: keysAtOnce }, (_, index) => `key${index}`);
const removeSql = `DELETE FROM statement_key
  WHERE search_key IN (${keyNames.map((name) => `:${name}`).join(', ')}) AND position = :position`;

/** So many entries go in as they come: hardly two of them lie on the same page of a large index. */
const unsortedEntries = 500;

/** After how many statements the recent entries go into the index. */
const defaultStride = 8000;
/** A statement with more entries than this counts as several of them, so that taking them up holds the write lock no longer. */
const usualEntries = 10;
/** With more keys than this the entries of a statement are not collected, so that taking them up goes through no long lists. */
const collectedKeys = 64;

/** In the order of the index. Each place that a key may have in a row is joined to the rows that have a key there. */
const takeUpSql = `WITH RECURSIVE place (at) AS (
    SELECT 0 UNION ALL
    SELECT at + 1 FROM place WHERE (at + 1) * ${keyBytes} < (SELECT MAX(LENGTH(search_keys)) FROM statement_recent)
  )
  SELECT SUBSTR(search_keys, at * ${keyBytes} + 1, ${keyBytes}) AS search_key, position, fingerprint
  FROM statement_recent JOIN place ON at * ${keyBytes} < LENGTH(search_keys)
  ORDER BY search_key, position`;

/** A condition: a row of `statement_recent` has the key that a name stands for. Keys are hashes, so none begins inside of others. */
export function hasRecentKey(name: string): string {
  return `INSTR(search_keys, ${name}) > 0`;
}

/**
 * The index by search key. A statement's entries lie far apart in it, each on a page of its own that is written whole, so
 * where that is dear the entries of small writes are collected in a small table first, a row for each statement, and go into
 * the index many at once, in its order. All entries of a statement are always in the same one of the two.
 */
export class SearchIndex {
  readonly #stride: number;
  #collected: number;
  #settled = true;

  /** @param stride 1 leaves no entries uncollected. */
  constructor(stride: number = defaultStride) {
    this.#stride = stride;
    // Starts anywhere in the stride, so that many short-lived processes together keep it too.
    this.#collected = Math.floor(Math.random() * stride);
  }

  /** Whether all that was added here is where it stays. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Adds the entries of new statements. When it ends they are on their way; the commit waits for the rest. */
  async add(session: RowSession, entries: KeyPositions, statements: number): Promise<void> {
    if (!session.dialect.collectsIndexEntries || statements >= this.#stride) {
      await this.addToStored(session, entries);
      return;
    }
    const { rows, others } = collected(entries);
    session.commitBehind(session.insert(recentStatementTable, rows));
    await this.addToStored(session, others);
    this.#settled = false;
    this.#collected += Math.max(statements, entries.keys.length / usualEntries);
  }

  /** Whether it is time to `settle`, in a transaction of its own. */
  get isDue(): boolean {
    return this.#collected >= this.#stride;
  }

  /** Moves the recent entries into the index; afterwards all entries of all statements are there. */
  async settle(session: WriteSession): Promise<void> {
    if (!session.dialect.collectsIndexEntries) return;
    this.#collected = 0;
    this.#settled = true;
    await session.execute(
      `${session.dialect.insertOrFail} INTO statement_key (search_key, position, fingerprint) ${takeUpSql}`,
    );
    await session.execute('DELETE FROM statement_recent');
  }

  /**
   * Adds entries to statements that are stored, many of them in the order of the keys so that each page of the index is visited
   * once. To be called after `settle`. When it ends they are on their way; the commit waits for the rest.
   */
  async addToStored(session: RowSession, entries: KeyPositions): Promise<void> {
    const slices = slicesOf(entries.keys.length > unsortedEntries ? entries.sorted() : entries);
    for (const [index, slice] of slices.entries()) {
      const insertion = session.insertByKey(statementKeyTable, slice);
      session.commitBehind(insertion);
      if (index < slices.length - 1) await insertion;
    }
  }

  /** Removes the entries of a stored statement: no filter finds it any more. To be called after `settle`. */
  async remove(session: WriteSession, position: Position, keys: readonly SearchKey[]): Promise<void> {
    for (let start = 0; start < keys.length; start += keysAtOnce) {
      const some = keys.slice(start, start + keysAtOnce);
      const last = some.at(-1) ?? '';
      await session.execute(removeSql, {
        position,
        ...Object.fromEntries(keyNames.map((name, index) => [name, Buffer.from(some[index] ?? last, 'hex')])),
      });
    }
  }
}

/** The rows of statements whose entries are collected, and the entries of the others. Those of a statement follow each other. */
function collected({ keys, numbers, masks }: KeyedNumbers): { rows: InsertRow[]; others: KeyPositions } {
  const rows: InsertRow[] = [];
  const others = new KeyPositions();
  for (let start = 0, end = 0; start < numbers.length; start = end) {
    const position = numbers[start] ?? 0;
    const fingerprint = masks[start] ?? anyFingerprint;
    while (numbers[end] === position) end += 1;
    const own = keys.slice(start, end);
    if (own.length > collectedKeys) others.addAll(own, position, fingerprint);
    else rows.push([position, fingerprint, keysToBytes(own)]);
  }
  return { rows, others };
}

function slicesOf({ keys, numbers, masks }: KeyedNumbers): KeyedNumbers[] {
  return Array.from({ length: Math.ceil(keys.length / sliceEntries) }, (_, index) => {
    const slice = <T>(list: readonly T[]) => list.slice(index * sliceEntries, (index + 1) * sliceEntries);
    return { keys: slice(keys), numbers: slice(numbers), masks: slice(masks) };
  });
}
