import { keyOf } from '../db/key.ts';
import { actorErasure } from '../db/tables/statements.ts';
import { rowsOf } from '../db/tables/table.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';
import type { RowCounts } from './types.ts';

/**
 * What an erasure does, one after the other; each is a walk through some of the records. Statements that are found come
 * first and those that are voided behind them, so that one which is voided meanwhile is in the second walk if it was too
 * late for the first; those whose voiding statement is removed in either are in the third. Then all statements are removed, and
 * the firings of reactions lose the ids of what is not stored any more. The Agent goes after all else:
 * what comes meanwhile may name it again. What is then left of such has come too late to be erased, so in the last walk
 * the Agent and its names are recorded anew from it.
 */
export const phases = [
  'found',
  'voided',
  'abandoned',
  'firings',
  'referrers',
  'names',
  'documents',
  'agent',
  'returned',
] as const;
export type Phase = (typeof phases)[number];

/** How far an erasure has come. */
export interface Progress {
  readonly phase: Phase;
  /** Where the walk goes on; null at its beginning. */
  readonly cursor: number | string | null;
  /** What was removed so far. */
  readonly removed: RowCounts;
}

const table = rowsOf(actorErasure);

export async function selectProgress(
  session: ReadSession,
  identifier: string,
): Promise<Progress | undefined> {
  const [row] = await session.select<{ progress: string }>(
    'SELECT progress FROM actor_erasure WHERE actor_key = :key',
    { key: Buffer.from(keyOf(identifier), 'hex') },
  );
  return row && JSON.parse(row.progress);
}

export async function writeProgress(
  session: WriteSession,
  identifier: string,
  progress: Progress,
): Promise<void> {
  await session.upsert(table, [[keyOf(identifier), identifier, JSON.stringify(progress)]], ['progress']);
}

export async function deleteProgress(session: WriteSession, identifier: string): Promise<void> {
  await session.execute('DELETE FROM actor_erasure WHERE actor_key = :key', {
    key: Buffer.from(keyOf(identifier), 'hex'),
  });
}

/** The actors whose erasure has begun and not ended. */
export async function selectUnfinished(session: ReadSession): Promise<string[]> {
  const rows = await session.select<{ identifier: string }>('SELECT identifier FROM actor_erasure');
  return rows.map(({ identifier }) => identifier);
}
