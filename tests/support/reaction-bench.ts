import { BusyTime } from '../../lib/busy-time.ts';
import type { Database } from '../../lib/db/types.ts';
import { createFeed } from '../../lib/feed/feed.ts';
import type { Feed } from '../../lib/feed/types.ts';
import type { Json } from '../../lib/json/types.ts';
import { createLogger, type Logger } from '../../lib/logger.ts';
import {
  ensureReactionsConsumer,
  reactionsConsumer,
  slowReactionKind,
} from '../../lib/reactions/consumer.ts';
import { createReactionEngine, type ReactionEngine } from '../../lib/reactions/engine/engine.ts';
import { ReactionMemory } from '../../lib/reactions/memory.ts';
import { parseRuleset } from '../../lib/reactions/ruleset/parse.ts';
import type { Firing } from '../../lib/reactions/store/firing-rows.ts';
import type { StoredReaction } from '../../lib/reactions/store/reaction-rows.ts';
import { ReactionStore } from '../../lib/reactions/store/store.ts';
import type { MatchLimits, Ruleset } from '../../lib/reactions/types.ts';
import { createStatementService } from '../../lib/statements/service.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import type { StatementMaker } from '../../lib/statements/within.ts';
import type { Statement, XapiVersion } from '../../lib/xapi/types.ts';
import { batchOf, read } from './statements.ts';

const xapiVersion: XapiVersion = '1.0.3';

/** The defaults of the settings; only what takes time has more of it, for slow machines. */
export const matchLimits: MatchLimits = {
  reactionMaxCandidates: 10_000,
  reactionMaxCandidateBytes: 8_388_608,
  reactionMaxMemory: 134_217_728,
  reactionMaxMilliseconds: 60_000,
  reactionSharedMilliseconds: 60_000,
  reactionMaxMatches: 1000,
  reactionStatementMaxBytes: 262_144,
  reactionMaxChain: 10,
  reactionMaxChainStatements: 5000,
};

export interface ReactionBenchOptions {
  readonly limits?: Partial<MatchLimits>;
  /** How many statements a batch of the feed has. */
  readonly batch?: number;
  readonly logger?: Logger;
  /** Called when the engine has read what it reacts to, and before it writes anything. */
  readonly beforeWrite?: () => Promise<void>;
}

/** Statements and reactions over a database, as one process has them. */
export class ReactionBench {
  readonly service: StatementService & StatementMaker;
  readonly feed: Feed;
  readonly store: ReactionStore;
  readonly engine: ReactionEngine;

  constructor(
    db: Database,
    { limits, batch = 200, logger = createLogger('OFF'), beforeWrite }: ReactionBenchOptions = {},
  ) {
    this.feed = createFeed(db, {
      logger,
      limits: { statements: batch, bytes: 4_194_304 },
      leaseSeconds: 5,
    });
    this.service = createStatementService(db, { pageBytes: 4_194_304, waitingBytes: 100_663_296 });
    const all = { ...matchLimits, ...limits };
    this.engine = createReactionEngine({
      db,
      statements: {
        prepare: async (prepared) => {
          await beforeWrite?.();
          return this.service.prepare(prepared);
        },
        sizesOf: (ids) => this.service.sizesOf(ids),
        textsOf: (ids, bytes) => this.service.textsOf(ids, bytes),
        storeWithin: (session, batches) => this.service.storeWithin(session, batches),
      },
      storing: new BusyTime(),
      logger,
      limits: all,
      memory: new ReactionMemory(all.reactionMaxMemory),
      xapiVersion,
    });
    this.feed.register(reactionsConsumer, this.engine.handler);
    this.feed.register(slowReactionKind, this.engine.slowHandler);
    this.store = new ReactionStore(db, {
      limits: { reactionMaxStored: 100, reactionMaxActive: 100, reactionAllRulesetsMaxBytes: 8_388_608 },
      reached: async () => undefined,
    });
  }

  /** To be called before statements are stored that reactions are to be triggered by. */
  ready(): Promise<void> {
    return ensureReactionsConsumer(this.feed);
  }

  /** Makes an active reaction. @throws Error when the ruleset has problems */
  async react(title: string, ruleset: Ruleset | Json): Promise<StoredReaction> {
    const check = parseRuleset(ruleset as Json, xapiVersion);
    if ('problems' in check) throw new Error(JSON.stringify(check.problems));
    return this.store.create({ title, ruleset: JSON.stringify(ruleset), active: true });
  }

  /** Stores statements and has everything react to them that is to. @returns their ids */
  async post(...statements: Statement[]): Promise<string[]> {
    const ids = await this.service.store(batchOf(statements));
    await this.catchUp();
    return ids;
  }

  /** Reacts to all that is stored. */
  async catchUp(): Promise<void> {
    let left = 1;
    while (left > 0) {
      await this.feed.runUntil(Date.now() + 60_000);
      const lags = (await this.feed.list()).map(({ lag }) => lag.statements);
      left = Math.max(0, ...lags);
    }
  }

  async firings({ id }: Pick<StoredReaction, 'id'>): Promise<Firing[]> {
    return this.store.firings(id, { before: Number.MAX_SAFE_INTEGER, limit: 10_000 });
  }

  /** The statements that a reaction has made, oldest first. */
  async made(reaction: Pick<StoredReaction, 'id'>): Promise<Statement[]> {
    const firings = (await this.firings(reaction)).reverse();
    return Promise.all(firings.map(({ statementId }) => read(this.service, statementId)));
  }
}
