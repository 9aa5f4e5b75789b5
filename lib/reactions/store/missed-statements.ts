import type { ReadSession } from '../../db/types.ts';
import type { Stretch } from '../missed.ts';
import { selectMade } from './firing-rows.ts';

/** So many statements are looked at; a stretch with more has others in any case. */
const mostStatements = 200;

/** Whether a stretch has statements that may trigger a reaction: none that it has generated itself, and none that is voided. */
export async function hasTriggers(
  session: ReadSession,
  reactionId: string,
  { from, through }: Stretch,
): Promise<boolean> {
  const rows = await session.select<{ readonly id: string; readonly voided: number }>(
    `SELECT id, voided FROM statement WHERE position > :from AND position <= :through
     ORDER BY position LIMIT :rows`,
    { from, through, rows: mostStatements + 1 },
  );
  if (rows.length > mostStatements) return true;
  const ids = rows.flatMap(({ id, voided }) => (voided === 1 ? [] : id));
  const made = await selectMade(session, ids);
  const own = new Set(made.flatMap((firing) => (firing.reactionId === reactionId ? firing.statementId : [])));
  return ids.some((id) => !own.has(id));
}
