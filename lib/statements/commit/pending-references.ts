import type { ReadSession, WriteSession } from '../../db/types.ts';
import { pendingReferenceTable } from '../tables.ts';
import type { Position } from '../types.ts';

/**
 * A statement whose search keys are still to be propagated to the statements that refer to it, and how far that is done.
 */
export interface PendingReferences {
  readonly target: string;
  /**
   * Lower values are processed first: keys that pass through several statements are propagated fastest from the start of
   * the chain.
   */
  readonly step: number;
  /** Referring statements up to this position have its keys; voiding statements up to the other position. */
  readonly referrersThrough: Position;
  readonly voidersThrough: Position;
}

/** Work that is pending for a statement that arrives. */
export interface Awaited {
  /** Whether a referring statement voids it. */
  readonly voided: boolean;
}

/** A target whose propagation begins with the oldest referring statement. */
export function pendingFrom(target: string, step: number): PendingReferences {
  return { target, step, referrersThrough: 0, voidersThrough: 0 };
}

/**
 * The ids that stored statements refer to. The query starts from the table of pending work, into which the found ids go
 * anyway, so an id with many referrers costs no more than one with few.
 */
export async function selectAwaited(
  session: WriteSession,
  ids: readonly string[],
): Promise<Map<string, Awaited>> {
  await session.insert(
    pendingReferenceTable,
    ids.map((id) => [id, 0, 0, 0]),
    { skipTaken: true },
  );
  const rows = await session.select<{ target: string; voided: number | boolean }>(
    `SELECT p.target, EXISTS (
         SELECT 1 FROM statement_reference v WHERE v.target = p.target AND v.voids = 1
       ) AS voided
     FROM reference_pending p
     WHERE p.target IN (:ids) AND EXISTS (SELECT 1 FROM statement_reference r WHERE r.target = p.target)`,
    { ids },
  );
  const found = new Map(rows.map(({ target, voided }) => [target, { voided: Boolean(voided) }]));
  const others = ids.filter((id) => !found.has(id));
  if (others.length > 0) await deletePending(session, others);
  return found;
}

/** The targets to continue with. */
export async function selectPending(session: ReadSession, limit: number): Promise<PendingReferences[]> {
  const rows = await session.select<{
    target: string;
    step: number;
    referrers_through: number;
    voiders_through: number;
  }>(
    `SELECT target, step, referrers_through, voiders_through FROM reference_pending
     ORDER BY step LIMIT :limit`,
    { limit },
  );
  return rows.map(({ target, step, referrers_through, voiders_through }) => ({
    target,
    step,
    referrersThrough: referrers_through,
    voidersThrough: voiders_through,
  }));
}

export async function writePending(
  session: WriteSession,
  pending: readonly PendingReferences[],
): Promise<void> {
  await session.upsert(
    pendingReferenceTable,
    pending.map(({ target, step, referrersThrough, voidersThrough }) => [
      target,
      step,
      referrersThrough,
      voidersThrough,
    ]),
    ['step', 'referrers_through', 'voiders_through'],
  );
}

export async function deletePending(session: WriteSession, targets: readonly string[]): Promise<void> {
  await session.execute('DELETE FROM reference_pending WHERE target IN (:targets)', { targets });
}
