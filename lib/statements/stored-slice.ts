import type { ReadSession } from '../db/types.ts';
import type { Position } from './types.ts';

/** How much of the store one transaction processes: statements, and their bytes unless one alone has more. */
export interface SliceLimits {
  readonly statements: number;
  readonly bytes: number;
}

/** The positions of stored statements at or before a position, newest first, as many as the limits permit. */
export async function positionsBackward(
  session: ReadSession,
  position: Position,
  { statements, bytes: most }: SliceLimits,
): Promise<Position[]> {
  const sizes = await session.select<{ position: number; bytes: number }>(
    `SELECT position, OCTET_LENGTH(payload) AS bytes FROM statement
     WHERE position <= :position ORDER BY position DESC LIMIT :statements`,
    { position, statements },
  );
  let left = most;
  return sizes.flatMap(({ position: each, bytes }, index) => {
    left -= bytes;
    return index === 0 || left >= 0 ? each : [];
  });
}
