import type { Database } from '../../db/types.ts';
import type { FeedEffect, FeedHandler } from '../../feed/types.ts';
import type { Position } from '../../statements/types.ts';
import type { ReactionEngine } from '../engine/engine.ts';
import { selectReaction } from '../store/reaction-rows.ts';
import { endReplay, replayedReaction, selectReplay } from './replay-store.ts';

/** Carries out replays: each consumer of the kind goes through the statements of one, and ends behind the last of them. */
export function replayHandler(db: Database, engine: Pick<ReactionEngine, 'replay'>): FeedHandler {
  return {
    inBackground: true,
    async handle(items, turn) {
      const id = replayedReaction(turn.consumer);
      const [replay, reaction] = await db.read((session) =>
        Promise.all([selectReplay(session, id), selectReaction(session, id)]),
      );
      const before = (items[0]?.position ?? 1) - 1;
      if (replay === undefined || reaction === undefined || !reaction.active) return endAt(id, before);
      const past = items.filter(({ position }) => position <= replay.through);
      if (past.length === 0) return endAt(id, replay.through);
      const effect = await engine.replay(reaction, past, turn);
      const last = past.length < items.length ? past.at(-1)?.position : replay.through;
      return effect.through === last ? endAt(id, replay.through, effect) : effect;
    },
  };
}

/** The replay has reached the position, and ends there with what its last turn has caused. */
function endAt(id: string, reached: Position, last: FeedEffect = { through: reached }): FeedEffect {
  return {
    ...last,
    done: true,
    async write(session) {
      await last.write?.(session);
      await endReplay(session, id, reached);
    },
  };
}
