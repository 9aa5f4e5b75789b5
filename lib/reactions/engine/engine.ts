import type { BusyTime } from '../../busy-time.ts';
import { readingFromReplicas } from '../../db/replica-reads.ts';
import { selectByIds } from '../../db/select-by-ids.ts';
import type { Database, ReadSession, WriteSession } from '../../db/types.ts';
import {
  ConsumerFailure,
  type FeedEffect,
  type FeedHandler,
  type FeedItem,
  type FeedTurn,
  FeedTurnAborted,
} from '../../feed/types.ts';
import type { Logger } from '../../logger.ts';
import type { Position } from '../../statements/types.ts';
import type { StatementMaker } from '../../statements/within.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import { type ReactionMemory, ReserveTaken } from '../memory.ts';
import { type StoredReaction, selectReaction } from '../store/reaction-rows.ts';
import type { MatchLimits } from '../types.ts';
import { ActiveReactions, type ActiveSet, type Reaction, reactionOf } from './active-reactions.ts';
import { countChains } from './chain-room.ts';
import type { Head } from './dispatch.ts';
import { ReactionEffect, type WrittenTogether } from './effect.ts';
import { Returns } from './returns.ts';
import { slowHandler } from './slow-handler.ts';
import { candidateSource } from './source.ts';
import { TimeShares } from './time-shares.ts';
import { type TurnRules, takeTurn } from './turn.ts';
import { areUnchanged } from './unchanged.ts';

export interface ReactionEngineOptions {
  readonly db: Database;
  readonly statements: StatementMaker;
  /** The time in which clients of this process wait for their statements to be stored. */
  readonly storing: BusyTime;
  readonly logger: Logger;
  readonly limits: MatchLimits;
  /** Of this process. */
  readonly memory: ReactionMemory;
  /** Of generated statements (`reactionVersion`). */
  readonly xapiVersion: XapiVersion;
}

/** Lets stored statements trigger reactions (docs/decisions/0034-reactions.md). */
export interface ReactionEngine {
  /** Serves the consumer `reactions`. */
  readonly handler: FeedHandler;
  /** Serves the consumers of slow reactions. */
  readonly slowHandler: FeedHandler;
  /**
   * Lets statements trigger one reaction, active or not, also those before it was made active. What it has made already is not
   * made again. What fails is counted, and does not stop it.
   */
  replay(reaction: StoredReaction, items: readonly FeedItem[], turn: FeedTurn): Promise<FeedEffect>;
}

export function createReactionEngine(options: ReactionEngineOptions): ReactionEngine {
  const { db, statements, storing, logger, limits, memory, xapiVersion } = options;
  const returns = new Returns();
  const active = new ActiveReactions(db, (ids) => returns.forgetOthers(ids));
  const shares = new TimeShares(limits.reactionSharedMilliseconds);
  const turnOptions = {
    db,
    source: candidateSource(readingFromReplicas(db)),
    statements,
    storing,
    limits,
    xapiVersion,
    logger,
  };

  async function effectOf(
    items: readonly FeedItem[],
    turn: FeedTurn,
    { requireUnchanged, ...served }: Served,
  ): Promise<FeedEffect> {
    // Slow reactions, replays and previews do not hold up what was just stored.
    const account = memory.open({ goesFirst: served.stops && !served.inBackground });
    const release = (): void => account.close();
    try {
      const rules = { ...turnOptions, ...served, memory: account };
      const { reacted, through } = await takeTurn(items, turn, rules);
      for (const { reaction, isSlow } of reacted) if (isSlow) returns.noteSlow(reaction);
      const counted = await countChains(db, reacted, limits);
      const effect = new ReactionEffect(reacted, { ...turnOptions, counted, stops: served.stops });
      if (effect.isEmpty) {
        release();
        return { through };
      }
      const reactions = new Set(reacted.map(({ reaction }) => reaction));
      const verified = (written: WrittenTogether) => async (session: WriteSession) => {
        await requireUnchanged(session, reactions);
        await writeCounted(session, written);
      };
      return { through, parts: mapped(effect.parts(), verified), write: verified(effect), release };
    } catch (error) {
      release();
      // Not an outage, so the consumer records it: its status has the reason.
      throw error instanceof ReserveTaken ? new ConsumerFailure(error.message, { cause: error }) : error;
    }
  }

  const handler: FeedHandler = {
    prepare: () => active.refresh(),
    wants: (head) => active.current.dispatch.wants(head),

    handle: (items, turn) => effectOf(items, turn, { ...servedAsStored(active.current, false), shares }),
  };

  return {
    handler,
    slowHandler: slowHandler(active, returns, (items, turn, { dispatch, shares }) => {
      const served = servedAsStored({ ...active.current, dispatch }, true);
      return effectOf(items, turn, { ...served, shares, inBackground: true, atOnce: 1 });
    }),

    async replay(stored, items, turn) {
      const reaction = reactionOf(stored);
      return effectOf(items, turn, {
        reactionsFor: () => (reaction === undefined ? [] : [reaction]),
        stops: false,
        inBackground: true,
        async requireUnchanged(session) {
          const now = await selectReaction(session, stored.id);
          if (now === undefined || now.deleted || !now.active || now.version !== stored.version)
            throw new FeedTurnAborted('The reaction was changed.');
        },
      });
    },
  };
}

function* mapped<From, To>(all: Iterable<From>, to: (one: From) => To): Generator<To, void, undefined> {
  for (const one of all) yield to(one);
}

/** Serves reactions that statements trigger as they are stored. @param alone whether they are slow. */
function servedAsStored({ epoch, dispatch }: Pick<ActiveSet, 'epoch' | 'dispatch'>, alone: boolean): Served {
  return {
    *reactionsFor(head: Head, position: Position) {
      for (const reaction of dispatch.reactionsFor(head)) if (position > reaction.since) yield reaction;
    },
    stops: true,
    async requireUnchanged(session, reactions) {
      if (!(await areUnchanged(session, { reactions, alone, epoch })))
        throw new FeedTurnAborted('A reaction was changed.');
    },
  };
}

/** Which reactions a turn serves, and how. */
interface Served extends TurnRules {
  /** @throws FeedTurnAborted when those that have an effect are not any more as they were when the turn began. */
  readonly requireUnchanged: (session: WriteSession, reactions: ReadonlySet<Reaction>) => Promise<void>;
}

/** @throws FeedTurnAborted when a statement is stored now that was missing: in the next turn it is measured. */
async function writeCounted(session: WriteSession, written: WrittenTogether): Promise<void> {
  const sql = 'SELECT id FROM statement WHERE id IN (:ids)';
  const stored = await selectByIds(session, sql, written.missingIds);
  if (stored.length > 0) throw new FeedTurnAborted('Missing statements were stored.', { mayRecur: true });
  await written.write(session, await selectGone(session, written.concernedIds));
}

/** Those of the ids whose statements were erased or voided since they were read. @param ids no two are equal. */
async function selectGone(session: ReadSession, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const stored = await selectByIds<{ id: string }>(
    session,
    'SELECT id FROM statement WHERE id IN (:ids) AND voided = 0',
    ids,
  );
  const gone = new Set(ids);
  for (const { id } of stored) gone.delete(id);
  return gone;
}
