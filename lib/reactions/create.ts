import type { BusyTime } from '../busy-time.ts';
import { readingFromReplicas } from '../db/replica-reads.ts';
import type { Database } from '../db/types.ts';
import { selectConsumer } from '../feed/consumer-store.ts';
import type { Feed } from '../feed/types.ts';
import type { Logger } from '../logger.ts';
import type { StatementService } from '../statements/types.ts';
import type { StatementMaker } from '../statements/within.ts';
import { reactionsConsumer, replayKind, slowReactionKind } from './consumer.ts';
import { createReactionEngine } from './engine/engine.ts';
import { candidateSource } from './engine/source.ts';
import type { ReactionMemory } from './memory.ts';
import { Previewer } from './preview/previewer.ts';
import { Replays } from './replay/replay.ts';
import { replayHandler } from './replay/replay-handler.ts';
import { createReactionService } from './service.ts';
import type { ReactionService } from './service-types.ts';
import { ReactionStore } from './store/store.ts';
import type { ReactionSettings } from './types.ts';

export interface ReactionParts {
  readonly feed: Feed;
  readonly statements: StatementService & StatementMaker;
  readonly settings: ReactionSettings;
  /** The time in which clients of this process wait for their statements to be stored. */
  readonly storing: BusyTime;
  /** Of this process. */
  readonly memory: ReactionMemory;
  readonly logger: Logger;
}

/** Creates the service of reactions; where they are enabled, registers them with the feed. */
export function createReactions(
  db: Database,
  { feed, statements, settings, storing, memory, logger }: ReactionParts,
): ReactionService {
  const { reactionVersion: xapiVersion, enableReactions, reactionMaxReplays } = settings;
  const limits = settings;
  const store = new ReactionStore(db, {
    limits,
    reached: async (session) => (await selectConsumer(session, reactionsConsumer))?.position,
  });
  const engine = createReactionEngine({ db, statements, storing, logger, limits, memory, xapiVersion });
  if (enableReactions) {
    feed.register(reactionsConsumer, engine.handler);
    feed.register(slowReactionKind, engine.slowHandler);
    feed.register(replayKind, replayHandler(db, engine));
  }
  return createReactionService({
    ...{ store, feed, limits },
    version: xapiVersion,
    replays: new Replays(db, { feed, most: reactionMaxReplays }),
    previewer: new Previewer({
      statements,
      source: candidateSource(readingFromReplicas(db)),
      limits,
      memory,
      xapiVersion,
      storing,
      generated: async (ids) => new Set((await store.firingsOf(ids)).map(({ statementId }) => statementId)),
    }),
  });
}
