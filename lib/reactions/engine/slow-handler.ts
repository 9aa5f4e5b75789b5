import type { WriteSession } from '../../db/types.ts';
import type { FeedEffect, FeedHandler, FeedItem, FeedTurn } from '../../feed/types.ts';
import type { Position } from '../../statements/types.ts';
import { slowReactionOf } from '../consumer.ts';
import { reachedAlone, rejoin, selectHeadsAfter } from '../store/slow-reactions.ts';
import type { ActiveReactions, Reaction } from './active-reactions.ts';
import type { Dispatch } from './dispatch.ts';
import type { Returns } from './returns.ts';
import type { TimeShares } from './time-shares.ts';
import { areUnchanged } from './unchanged.ts';

/** So many statements may follow that a slow reaction does not need, and it has still caught up. */
const mostAhead = 100;

/** Lets the items trigger the reactions that the dispatch knows. @param served `shares`: which are told how long they work. */
type Serve = (
  items: readonly FeedItem[],
  turn: FeedTurn,
  served: { readonly dispatch: Dispatch<Reaction>; readonly shares: TimeShares },
) => Promise<FeedEffect>;

/**
 * Serves slow reactions: each consumer of the kind one of them. A reaction that has caught up, and was not slow for some time, is
 * served with the others again (docs/decisions/0071-slow-reactions.md).
 */
export function slowHandler(
  active: Pick<ActiveReactions, 'current' | 'refresh'>,
  returns: Returns,
  serve: Serve,
): FeedHandler {
  return {
    inBackground: true,
    prepare: () => active.refresh(),
    wants: (head, consumer) =>
      active.current.slow.get(slowReactionOf(consumer))?.dispatch.wants(head) ?? true,

    wantsIdleTurn(consumer) {
      const { epoch, slow } = active.current;
      const { reaction } = slow.get(slowReactionOf(consumer)) ?? {};
      return reaction === undefined ? epoch === undefined : returns.mayReturn(reaction);
    },

    async handle(items, turn) {
      const isIdle = items.length === 0;
      // No batch was read, before which that is done.
      if (isIdle) await active.refresh();
      const last = items.at(-1)?.position ?? 0;
      const { epoch, slow } = active.current;
      const { reaction, dispatch } = slow.get(slowReactionOf(turn.consumer)) ?? {};
      if (reaction === undefined || dispatch === undefined) return { through: last, done: true };
      const effect: FeedEffect = isIdle
        ? { through: last }
        : await serve(items, turn, { dispatch, shares: returns.sharesOf(reaction) });
      if (effect.through < last) returns.noteSlow(reaction);
      if (!returns.mayReturn(reaction)) return effect;
      const write = async (session: WriteSession): Promise<void> => {
        const isUnchanged = await areUnchanged(session, { reactions: [reaction], alone: true, epoch });
        const through = isIdle ? await reachedAlone(session, reaction.id) : effect.through;
        const caughtUp = through === undefined ? undefined : await positionAfter(session, through, dispatch);
        await effect.write?.(session);
        if (!isUnchanged || caughtUp === undefined) return;
        await rejoin(session, reaction.id, caughtUp);
        session.afterCommit(() => returns.noteReturned(reaction, isIdle));
      };
      return { ...effect, write };
    },
  };
}

/** The position of the newest statement; undefined where some after `through` are needed, or there are too many of them. */
async function positionAfter(
  session: WriteSession,
  through: Position,
  dispatch: Dispatch<Reaction>,
): Promise<Position | undefined> {
  const heads = await selectHeadsAfter(session, through, mostAhead + 1);
  if (heads.length > mostAhead || heads.some((head) => dispatch.wants(head))) return undefined;
  return heads.at(-1)?.position ?? through;
}
