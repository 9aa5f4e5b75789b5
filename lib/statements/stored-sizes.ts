import { selectByIds } from '../db/select-by-ids.ts';
import type { ReadSession } from '../db/types.ts';
import { mostInherited } from './commit/reference-graph.ts';
import { keyBytes } from './search/search-key.ts';
import type { StoredSize } from './within.ts';

/** The most entries that are of the authority of a statement alone: a Group of two Agents. */
const mostOfAuthority = 3;

interface SizeRow {
  readonly id: string;
  readonly voided: number;
  readonly bytes: number;
  /** Null where the Object is no StatementRef. */
  readonly key_bytes: number | null;
  readonly foreign_bytes: number | null;
  readonly is_settled: number | boolean;
}

/**
 * The sizes of stored statements, by their ids in lower case; those that are not stored are left out. A reference is settled, and
 * inherits no more, when its target is stored, has inherited nothing itself and has handed on its keys.
 */
export async function selectSizes(
  session: ReadSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredSize>> {
  const rows = await selectByIds<SizeRow>(
    session,
    `SELECT s.id, s.voided, OCTET_LENGTH(s.payload) AS bytes,
       OCTET_LENGTH(r.search_keys) AS key_bytes, OCTET_LENGTH(r.foreign_keys) AS foreign_bytes,
       (t.position IS NOT NULL AND further.position IS NULL AND pending.target IS NULL) AS is_settled
     FROM statement s
     LEFT JOIN statement_reference r ON r.position = s.position
     LEFT JOIN statement t ON t.id = r.target
     LEFT JOIN statement_reference further ON further.position = t.position
     LEFT JOIN reference_pending pending ON pending.target = r.target
     WHERE s.id IN (:ids)`,
    ids,
  );
  return new Map(
    rows.map((row) => [row.id, { bytes: Number(row.bytes), indexEntries: entriesOf(row) }] as const),
  );
}

/** An entry for each key, and a further one that marks it where it is of another authority. */
function entriesOf({ voided, key_bytes, foreign_bytes, is_settled: isSettled }: SizeRow): number | undefined {
  if (voided !== 0) return 0;
  if (key_bytes === null) return undefined;
  const keys = (Number(key_bytes) + 2 * Number(foreign_bytes)) / keyBytes;
  return keys + mostOfAuthority + (isSettled ? 0 : mostInherited);
}

/** The texts of stored statements, by their ids in lower case; those that are not stored are left out. */
export async function selectTextsByIds(
  session: ReadSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const sql = 'SELECT id, payload FROM statement WHERE id IN (:ids)';
  const rows = await selectByIds<{ id: string; payload: string }>(session, sql, ids);
  return new Map(rows.map(({ id, payload }) => [id, payload]));
}
