import type { ReadSession } from '../db/types.ts';
import { slicesOf } from '../slices.ts';
import type { StoredSize } from './within.ts';

const idsAtOnce = 500;

/** The sizes of stored statements, by their ids in lower case; those that are not stored are left out. */
export async function selectSizes(
  session: ReadSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredSize>> {
  const sizes = new Map<string, StoredSize>();
  for (const some of slicesOf(ids, idsAtOnce)) {
    const rows = await session.select<{ id: string; bytes: number; reference: string | null }>(
      `SELECT s.id, OCTET_LENGTH(s.payload) AS bytes, r.id AS reference
       FROM statement s LEFT JOIN statement_reference r ON r.position = s.position WHERE s.id IN (:ids)`,
      { ids: some },
    );
    for (const { id, bytes, reference } of rows)
      sizes.set(id, { bytes: Number(bytes), isReference: reference !== null });
  }
  return sizes;
}
