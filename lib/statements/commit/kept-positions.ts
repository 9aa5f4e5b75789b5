import type { WriteSession } from '../../db/types.ts';
import type { TakingTime } from '../../position.ts';
import type { PreparedStatement } from '../ingest/prepare.ts';
import type { Position } from '../types.ts';

/**
 * Positions for statements that keep their position of another store: the same position, or the next free one, in order.
 * Statements without one, and those whose `stored` is in the future, get the current time.
 * @returns in the order of the statements.
 */
export async function keptPositions(
  session: Pick<WriteSession, 'select'>,
  admitted: readonly Pick<PreparedStatement, 'keptPosition'>[],
  { now, newest }: TakingTime,
): Promise<Position[]> {
  const present = Math.max(now, newest + 1);
  const wanted = admitted.map(({ keptPosition = present }, index) => ({
    index,
    position: Math.min(keptPosition, present),
  }));
  wanted.sort((a, b) => a.position - b.position || a.index - b.index);
  const taken = new Set<Position>();
  for (;;) {
    const rising = assign(wanted, taken);
    const found = await selectTaken(
      session,
      rising.filter((position) => position <= newest),
    );
    if (found.length === 0) {
      const positions: Position[] = [];
      for (const [at, position] of rising.entries()) positions[wanted[at]?.index ?? at] = position;
      return positions;
    }
    for (const position of found) taken.add(position);
  }
}

/** The wanted position of each, or the next free one after the previous statement. */
function assign(
  wanted: readonly { readonly position: Position }[],
  taken: ReadonlySet<Position>,
): Position[] {
  let last = 0;
  return wanted.map(({ position }) => {
    last = Math.max(position, last + 1);
    while (taken.has(last)) last += 1;
    return last;
  });
}

/** The positions that statements and feed events have already. */
async function selectTaken(
  session: Pick<WriteSession, 'select'>,
  positions: readonly Position[],
): Promise<Position[]> {
  if (positions.length === 0) return [];
  const rows = await session.select<{ position: Position }>(
    `SELECT position FROM statement WHERE position IN (:positions)
     UNION ALL SELECT position FROM feed_event WHERE position IN (:positions)`,
    { positions },
  );
  return rows.map(({ position }) => Number(position));
}
