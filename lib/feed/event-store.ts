import type { ReadSession, WriteSession } from '../db/types.ts';
import type { PositionClock } from '../position.ts';
import { newestOf, type ReadingRow, readingSql } from '../statements/newest-position.ts';
import type { Position } from '../statements/types.ts';
import { eventTable } from './tables.ts';

interface EventReading extends ReadingRow {
  /** The lowest cursor of the consumers that need events; null when there is none. */
  readonly last: Position | null;
  /** The lowest cursor of all consumers; null when there is none. */
  readonly first: Position | null;
}

/**
 * Tells consumers that statements are about to be erased, in this transaction. Call it before they are removed, so that the
 * position of the event is greater than theirs, whatever the clock says. If no consumer needs events, only the position is
 * recorded, so that later statements get greater ones.
 * @param ids of the statements.
 */
export async function recordErasure(
  session: WriteSession,
  clock: PositionClock,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const before = clock.now();
  const reading = await selectReading(session);
  if (reading?.first == null) return;
  const newest = Math.max(newestOf(reading), reading.first);
  const position = clock.take(1, { now: clock.timeOf(before, reading.now), newest });
  const statements = reading.last === null ? [] : ids;
  await session.insert(eventTable, [[position, 'erasure', JSON.stringify({ statements })]]);
  // A feed that is not served does not.
  await pruneEvents(session);
}

/** Removes events that all consumers which need them have passed, except the newest, so that no position is used twice. */
export async function pruneEvents(session: WriteSession): Promise<void> {
  const reading = await selectReading(session);
  if (reading?.event == null) return;
  const { last: passed, event: newest } = reading;
  await session.execute('DELETE FROM feed_event WHERE position <= :passed AND position < :newest', {
    passed: passed ?? newest,
    newest,
  });
}

async function selectReading(session: ReadSession): Promise<EventReading | undefined> {
  const [row] = await session.select<EventReading>(
    `SELECT r.*, (SELECT MIN(position) FROM feed_consumer WHERE takes_events = 1) AS last,
       (SELECT MAX(position) FROM feed_consumer) AS first FROM (${readingSql(session)}) r`,
  );
  return row;
}
