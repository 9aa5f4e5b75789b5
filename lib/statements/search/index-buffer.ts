/**
 * The index write buffer: a small table with one row per statement, which holds its fingerprint and its keys end to end. No
 * other file names this table. See docs/decisions/0005-index-write-buffer.md.
 */
import type { Dialect } from '../../db/dialects/dialect.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { statementKeyBuffer } from '../../db/tables/statements.ts';
import { rowsOf } from '../../db/tables/table.ts';
import type { InsertRow, KeyedNumbers, WriteSession } from '../../db/types.ts';
import { anyFingerprint } from './fingerprint.ts';
import { KeyPositions, keyBytes, keysToBytes } from './search-key.ts';

export const bufferTable = rowsOf(statementKeyBuffer);

/** Entries of a statement with more keys than this bypass the buffer, so that a merge expands no long lists. */
const bufferedKeys = 64;

/** Whether the engine's index has a write buffer. */
export function hasBuffer({ collectsIndexEntries }: Pick<Dialect, 'collectsIndexEntries'>): boolean {
  return collectsIndexEntries;
}

/** A condition: a row of the buffer contains the key. Keys are hashes, so a match across two keys does not occur. */
export function hasBufferedKey(key: Buffer): Sql {
  return sql`INSTR(search_keys, ${key}) > 0`;
}

/** The buffer's rows, and the entries that bypass it. Entries of one statement are adjacent in `entries`. */
export function bufferRows({ keys, numbers, masks }: KeyedNumbers): {
  readonly rows: InsertRow[];
  readonly others: KeyPositions;
} {
  const rows: InsertRow[] = [];
  const others = new KeyPositions();
  for (let start = 0, end = 0; start < numbers.length; start = end) {
    const position = numbers[start] ?? 0;
    const fingerprint = masks[start] ?? anyFingerprint;
    while (numbers[end] === position) end += 1;
    const own = keys.slice(start, end);
    if (own.length > bufferedKeys) others.addAll(own, position, fingerprint);
    else rows.push([position, fingerprint, keysToBytes(own)]);
  }
  return { rows, others };
}

/** One row per entry, in the order of the index: each offset of a key is joined to the rows that are long enough. */
const entriesSql = `WITH RECURSIVE place (at) AS (
    SELECT 0 UNION ALL
    SELECT at + 1 FROM place WHERE (at + 1) * ${keyBytes} < (SELECT MAX(LENGTH(search_keys)) FROM ${bufferTable.name})
  )
  SELECT SUBSTR(search_keys, at * ${keyBytes} + 1, ${keyBytes}) AS search_key, position, fingerprint
  FROM ${bufferTable.name} JOIN place ON at * ${keyBytes} < LENGTH(search_keys)
  ORDER BY search_key, position`;

/** Moves all entries from the buffer into the main table of the index. */
export async function mergeBuffer(session: WriteSession): Promise<void> {
  await session.execute(
    `${session.dialect.insertOrFail} INTO statement_key (search_key, position, fingerprint) ${entriesSql}`,
  );
  await session.execute(`DELETE FROM ${bufferTable.name}`);
}
