import type { ReadSession } from '../../db/types.ts';
import { selectActive, selectEpoch } from '../store/active-rows.ts';
import { selectSlow } from '../store/slow-reactions.ts';
import type { Reaction } from './active-reactions.ts';

/** Reactions as a turn has served them. */
export interface ServedReactions {
  readonly reactions: Iterable<Pick<Reaction, 'id' | 'version' | 'since'>>;
  /** Whether they are served alone, because they are slow. */
  readonly alone: boolean;
  /** In which they were so. */
  readonly epoch: number | undefined;
}

/**
 * Whether these reactions are still to be served as they were. What was changed of others does not matter: one that became active,
 * or has returned from being slow, since the turn has read its items is triggered by none of them.
 */
export async function areUnchanged(
  session: ReadSession,
  { reactions, alone, epoch }: ServedReactions,
): Promise<boolean> {
  if ((await selectEpoch(session)) === epoch) return true;
  const [active, slow] = await Promise.all([selectActive(session), selectSlow(session)]);
  const now = new Map(active.reactions.map((each) => [each.id, each]));
  for (const { id, version, since } of reactions) {
    const each = now.get(id);
    if (each?.version !== version || each.since !== since || slow.has(id) !== alone) return false;
  }
  return true;
}
