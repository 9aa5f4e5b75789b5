import { reactionReplay } from '../../db/tables/background.ts';
import { rowsOf } from '../../db/tables/table.ts';
import type { ReadSession, WriteSession } from '../../db/types.ts';
import type { ConsumerState } from '../../feed/types.ts';
import type { Position } from '../../statements/types.ts';
import { replayKind } from '../consumer.ts';
import { coverMissed } from '../store/reaction-rows.ts';

/** The name of the consumer that carries out the replay of a reaction. */
export function replayConsumer(reactionId: string): string {
  return `${replayKind} ${reactionId}`;
}

/** The reaction whose replay the consumer carries out. */
export function replayedReaction(consumer: string): string {
  return consumer.slice(replayKind.length + 1);
}

/** The latest replay of a reaction: over the statements after `since` up to `through`. */
export interface Replay {
  readonly since: Position;
  readonly through: Position;
  /** Up to where it went; null while it goes on. */
  readonly reached: Position | null;
}

/** A replay with what its consumer, if it has one, tells. */
export interface ReplayProgress extends Replay {
  /** Matches of which it could make no statement. */
  readonly failed: number;
  /** Matches whose statements have no room in their chain. */
  readonly refused: number;
  /** Why either was so, the latest first: `storedProblems` reads them. */
  readonly problems: string | null;
  readonly position: Position | null;
  readonly state: ConsumerState | null;
  readonly error: string | null;
}

const replayTable = rowsOf(reactionReplay);
const replaced = ['since', 'through', 'reached', 'failed', 'problems', 'refused'];

/** Replaces the replay that the reaction had; what that one has looked at so far is not missed any more. */
export async function upsertReplay(session: WriteSession, reactionId: string, replay: Replay): Promise<void> {
  const before = await selectReplay(session, reactionId);
  if (before?.reached === null && before.position !== null) {
    const covered = { from: before.since, through: Math.min(before.position, before.through) };
    await coverMissed(session, reactionId, covered);
  }
  const { since, through, reached } = replay;
  await session.upsert(replayTable, [[reactionId, since, through, reached, 0, null, 0]], replaced);
}

/** The replay has ended; what it has looked at is not missed any more. */
export async function endReplay(session: WriteSession, reactionId: string, reached: Position): Promise<void> {
  const replay = await selectReplay(session, reactionId);
  if (replay !== undefined)
    await coverMissed(session, reactionId, {
      from: replay.since,
      through: Math.min(reached, replay.through),
    });
  await session.execute('UPDATE reaction_replay SET reached = :reached WHERE reaction_id = :reactionId', {
    reactionId,
    reached,
  });
}

export async function selectReplay(
  session: ReadSession,
  reactionId: string,
): Promise<ReplayProgress | undefined> {
  const [row] = await session.select<ReplayProgress>(
    `SELECT r.since, r.through, r.reached, r.failed, r.refused, r.problems, c.position, c.state, c.error
     FROM reaction_replay r LEFT JOIN feed_consumer c ON c.name = :name WHERE r.reaction_id = :reactionId`,
    { reactionId, name: replayConsumer(reactionId) },
  );
  return row;
}

/** How many other replays go on, and what statements there are after a position. */
export async function countReplays(
  session: ReadSession,
  reactionId: string,
  since: Position,
): Promise<{ readonly others: number; readonly newest: Position; readonly following: boolean }> {
  const [row] = await session.select<{ others: number; newest: Position | null; following: Position | null }>(
    `SELECT (SELECT COUNT(*) FROM feed_consumer WHERE kind = :kind AND name <> :name) AS others,
       (SELECT MAX(position) FROM statement) AS newest,
       (SELECT MIN(position) FROM statement WHERE position > :since) AS following`,
    { kind: replayKind, name: replayConsumer(reactionId), since },
  );
  return { others: row?.others ?? 0, newest: row?.newest ?? 0, following: row?.following != null };
}
