import { countStored } from '../counts/stored-reader.ts';
import { foldAllChanges } from '../counts/tally-store.ts';
import type { Database, ReadSession } from '../db/types.ts';
import { type PositionClock, storedText } from '../position.ts';
import type { Position } from '../statements/types.ts';
import { type ConsumerRow, selectConsumers } from './consumer-store.ts';
import type { ConsumerStatus } from './types.ts';

/** All consumers, by name. */
export async function listConsumers(db: Database, clock: PositionClock): Promise<ConsumerStatus[]> {
  await foldAllChanges(db);
  return db.read((session) => selectStatus(session, clock));
}

/** The same, when the counts are already up to date. */
export async function selectStatus(session: ReadSession, clock: PositionClock): Promise<ConsumerStatus[]> {
  const before = clock.now();
  const rows = await selectConsumers(session);
  return Promise.all(rows.map((row) => statusOf(session, row, clock.timeOf(before, row.now))));
}

async function statusOf(session: ReadSession, row: ConsumerRow, now: number): Promise<ConsumerStatus> {
  const { name, kind, state, position, error, attempts, next_attempt } = row;
  const newest = row.statement ?? 0;
  const oldest = position < newest ? await selectOldest(session, position) : undefined;
  return {
    name,
    kind,
    state,
    cursor: position,
    lag: {
      statements: oldest === undefined ? 0 : await countStored(session, { since: position, until: newest }),
      seconds: oldest === undefined ? 0 : Math.max(0, now - oldest) / 1_000_000,
    },
    error,
    attempts,
    nextAttempt: attempts === 0 ? null : storedText(next_attempt),
  };
}

async function selectOldest(session: ReadSession, after: Position): Promise<Position | undefined> {
  const [row] = await session.select<{ oldest: Position | null }>(
    'SELECT MIN(position) AS oldest FROM statement WHERE position > :after',
    { after },
  );
  return row?.oldest ?? undefined;
}
