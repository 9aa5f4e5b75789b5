import type { ReadSession } from '../db/types.ts';
import { slicesOf } from '../slices.ts';

const idsAtOnce = 500;

/** The lengths (bytes) of stored statements, by their ids in lower case; those that are not stored are left out. */
export async function selectLengths(
  session: ReadSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const lengths = new Map<string, number>();
  for (const some of slicesOf(ids, idsAtOnce)) {
    const rows = await session.select<{ id: string; bytes: number }>(
      'SELECT id, OCTET_LENGTH(payload) AS bytes FROM statement WHERE id IN (:ids)',
      { ids: some },
    );
    for (const { id, bytes } of rows) lengths.set(id, Number(bytes));
  }
  return lengths;
}
