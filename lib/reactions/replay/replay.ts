import type { Database } from '../../db/types.ts';
import { InvalidError } from '../../errors.ts';
import type { Feed } from '../../feed/types.ts';
import { storedText } from '../../position.ts';
import type { Position } from '../../statements/types.ts';
import { replayKind } from '../consumer.ts';
import { shownError } from '../present.ts';
import { beyondLimit, noSuchReaction } from '../refusals.ts';
import type { ShownReplay, StartedReplay } from '../service-types.ts';
import { type StoredReaction, selectReaction } from '../store/reaction-rows.ts';
import { storedProblems } from '../store/replay-problems.ts';
import {
  countReplays,
  type ReplayProgress,
  replayConsumer,
  selectReplay,
  upsertReplay,
} from './replay-store.ts';

export interface ReplayOptions {
  readonly feed: Feed;
  /** Replays that go on at the same time (`reactionMaxReplays`). */
  readonly most: number;
}

/** Has reactions look at past statements, each by a consumer of the feed. */
export class Replays {
  readonly #db: Database;
  readonly #options: ReplayOptions;

  constructor(db: Database, options: ReplayOptions) {
    this.#db = db;
    this.#options = options;
  }

  /**
   * Starts the replay of a reaction; one that goes on begins anew.
   * @param since statements after this position are looked at.
   * @throws NotFoundError when there is no such reaction; InvalidError when it is not active, too many replays go on, or the
   *   position is in the future.
   */
  async start(reactionId: string, since: Position): Promise<StartedReplay> {
    const { feed, most } = this.#options;
    const range = await this.#db.write(async (session) => {
      requireActive(reactionId, await selectReaction(session, reactionId));
      const { others, newest, following } = await countReplays(session, reactionId, since);
      if (others >= most) {
        throw beyondLimit(
          '',
          `${others === 1 ? '1 replay is' : `${others} replays are`} running, and lrs.reactionMaxReplays permits no more: wait until one has ended.`,
        );
      }
      // Statements of a server whose clock is ahead are stored in what is the future here.
      if (since > Math.max(newest, Date.now() * 1000)) {
        const message = 'must not be in the future: a replay looks at statements that are stored already';
        throw new InvalidError(`from ${message}.`, { details: [{ path: 'from', message }] });
      }
      const through = Math.max(newest, since);
      const name = replayConsumer(reactionId);
      await upsertReplay(session, reactionId, { since, through, reached: following ? null : through });
      await feed.removeConsumer(name, session);
      if (following) {
        const consumer = { name, kind: replayKind, cursor: since, takesEvents: false };
        await feed.ensureConsumer(consumer, session);
      }
      return { from: storedText(since), through: storedText(through) };
    });
    feed.wake();
    return { reactionId, ...range };
  }

  /** The latest replay of a reaction; undefined when it had none. */
  async latest(reactionId: string): Promise<ShownReplay | undefined> {
    const replay = await this.#db.read((session) => selectReplay(session, reactionId));
    return replay && shownReplay(replay);
  }
}

function requireActive(id: string, reaction: StoredReaction | undefined): void {
  if (reaction === undefined || reaction.deleted) throw noSuchReaction(id);
  if (reaction.active) return;
  throw new InvalidError('Only an active reaction can be replayed: activate it first.', {
    details: [{ path: 'reactionId', message: 'names a reaction that is not active' }],
  });
}

function shownReplay(replay: ReplayProgress): ShownReplay {
  const { since, through, reached, failed, refused, problems, position, state, error } = replay;
  const at = Math.min(reached ?? position ?? since, through);
  const ended = at >= through ? 'done' : 'stopped';
  return {
    from: storedText(since),
    through: storedText(through),
    reached: storedText(at),
    state: reached === null && state !== null ? state : ended,
    failed,
    refused,
    problems: storedProblems(problems).map(shownError),
    error: reached === null ? error : null,
  };
}
