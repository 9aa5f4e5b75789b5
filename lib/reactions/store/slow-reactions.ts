import { startEpoch } from '../../db/cache-epoch.ts';
import type { ReadSession, WriteSession } from '../../db/types.ts';
import { cursorOf, deleteConsumer, insertConsumer } from '../../feed/consumer-store.ts';
import type { StatementHead } from '../../feed/types.ts';
import type { Position } from '../../statements/types.ts';
import { slowReactionConsumer, slowReactionKind, slowReactionOf } from '../consumer.ts';

/* Slow reactions are those that have a consumer of their own. */

/** The ids of all slow reactions. */
export async function selectSlow(session: ReadSession): Promise<ReadonlySet<string>> {
  const rows = await session.select<{ name: string }>('SELECT name FROM feed_consumer WHERE kind = :kind', {
    kind: slowReactionKind,
  });
  return new Set(rows.map(({ name }) => slowReactionOf(name)));
}

/** Up to where a slow reaction has looked at statements; undefined for one that is not slow. */
export function reachedAlone(session: ReadSession, reactionId: string): Promise<Position | undefined> {
  return cursorOf(session, slowReactionConsumer(reactionId));
}

/** Gives a reaction a consumer of its own, which looks at the statements after a position. */
export async function setAside(session: WriteSession, reactionId: string, after: Position): Promise<void> {
  startEpoch(session, 'reactions');
  await insertConsumer(session, {
    name: slowReactionConsumer(reactionId),
    kind: slowReactionKind,
    cursor: after,
    takesEvents: false,
  });
}

/** Removes the consumer of a reaction that is stopped, if it has one. */
export function removeSlow(session: WriteSession, reactionId: string): Promise<void> {
  return deleteConsumer(session, slowReactionConsumer(reactionId));
}

/** Has a reaction served with the others again, from the statements after a position: what is stored later. */
export async function rejoin(session: WriteSession, reactionId: string, after: Position): Promise<void> {
  startEpoch(session, 'reactions');
  await removeSlow(session, reactionId);
  await session.execute('UPDATE reaction SET since = :after WHERE id = :reactionId', { reactionId, after });
}

/** The statements after a position, oldest first. */
export async function selectHeadsAfter(
  session: ReadSession,
  after: Position,
  rows: number,
): Promise<Pick<StatementHead, 'position' | 'verb' | 'object' | 'voided'>[]> {
  const found = await session.select<{
    readonly position: Position;
    readonly verb: string;
    readonly object: string | null;
    readonly voided: number;
  }>(
    'SELECT position, verb, object, voided FROM statement WHERE position > :after ORDER BY position LIMIT :rows',
    { after, rows },
  );
  return found.map((row) => ({ ...row, voided: row.voided === 1 }));
}
