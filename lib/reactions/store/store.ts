import { type Database, smallContentBytes, type WriteSession } from '../../db/types.ts';
import type { Position } from '../../statements/types.ts';
import { withGap } from '../missed.ts';
import { requireBytes, requireFreeTitle, requireRoom, requireUnchanged } from '../refusals.ts';
import { isSameRuleset } from '../ruleset/same.ts';
import type { OnChanged, ReactionCountLimits, ReactionError } from '../types.ts';
import { type ActiveReactions, selectActive } from './active-rows.ts';
import { selectStored } from './erased-ids.ts';
import { type Firing, selectFirings, selectMade, selectTriggered } from './firing-rows.ts';
import { hasTriggers } from './missed-statements.ts';
import {
  countReactions,
  insertReaction,
  purgeReactions,
  type StoredReaction,
  selectDeleted,
  selectDeletedReactions,
  selectReaction,
  selectReactions,
  selectRulesetBytes,
  selectTitles,
  selectUnusedTitle,
  updateReaction,
} from './reaction-rows.ts';
import { sequentialId } from './sequential-id.ts';
import { reachedAlone, selectSlow } from './slow-reactions.ts';

export interface ReactionStoreOptions {
  readonly limits: ReactionCountLimits;
  /** Up to where active reactions have looked at statements, slow ones aside; undefined while nobody does. */
  readonly reached: (session: WriteSession) => Promise<Position | undefined>;
}

/** What an operator gives for a new reaction; `ruleset` is JSON that was checked. */
export type ReactionDraft = Pick<StoredReaction, 'title' | 'ruleset' | 'active'>;

/** Reactions in the database, and the statements that they have made. */
export class ReactionStore {
  readonly #db: Database;
  readonly #options: ReactionStoreOptions;

  constructor(db: Database, options: ReactionStoreOptions) {
    this.#db = db;
    this.#options = options;
  }

  /**
   * @param options `numbered`: whether the title gets a number where it is taken.
   * @throws InvalidError when the title is taken, there are too many, or their rulesets are too large together.
   */
  create(
    given: ReactionDraft,
    { numbered = false }: { readonly numbered?: boolean } = {},
  ): Promise<StoredReaction> {
    return this.#db.write(async (session) => {
      const draft = numbered ? { ...given, title: await selectUnusedTitle(session, given.title) } : given;
      const counts = await countReactions(session, draft.title);
      requireRoom(this.#options.limits, counts, { isNew: true, starts: draft.active });
      requireBytes(this.#options.limits, counts, draft);
      requireFreeTitle(counts);
      const created = Date.now() * 1000;
      const reaction = { ...draft, id: sequentialId(), created, since: counts.newest };
      await insertReaction(session, reaction);
      return {
        ...reaction,
        deleted: false,
        deletedAt: null,
        modified: created,
        error: null,
        version: 1,
        stopped: null,
        missed: null,
        fired: 0,
        failed: 0,
        lastFired: null,
        lastFailure: null,
      };
    });
  }

  /**
   * Changes a reaction. A new ruleset makes a new version of it; with that, and when it becomes active again, its error is gone.
   * One that is deleted is there again when the change says whether it is active.
   * @param expected when it has to be changed last; any time when undefined.
   * @returns undefined when there is none.
   * @throws InvalidError when the title is taken, too many would be active, or the rulesets would be too large together;
   *   PreconditionFailedError when it was changed at another time than expected.
   */
  update(
    id: string,
    change: Partial<ReactionDraft>,
    expected?: number,
    onChanged: OnChanged = () => {},
  ): Promise<StoredReaction | undefined> {
    return this.#db.write(async (session) => {
      const before = await selectReaction(session, id);
      if (before === undefined) return undefined;
      requireUnchanged(before, expected);
      const given = changed(before, change);
      const counts = await countReactions(session, given.deleted ? undefined : given.title, id);
      requireFreeTitle(counts);
      const starts = given.active && !before.active;
      const isNew = before.deleted && !given.deleted;
      requireRoom(this.#options.limits, counts, { isNew, starts });
      const grows = Buffer.byteLength(given.ruleset) > Buffer.byteLength(before.ruleset);
      if (isNew || grows) requireBytes(this.#options.limits, counts, given);
      const after: StoredReaction = {
        ...given,
        since: starts ? counts.newest : before.since,
        stopped: before.active && !given.active ? await this.#reached(session, before) : before.stopped,
        missed: starts ? await missedAt(session, before, counts.newest) : before.missed,
      };
      await updateReaction(session, after, before);
      const purged = after.deleted ? await this.#purge(session) : [];
      onChanged({ title: after.title, purged, restored: isNew });
      return after;
    });
  }

  /**
   * Deletes a reaction; what it has made stays. It may come back as long as not too many others are deleted after it.
   * @returns whether there was one, deleted before or not.
   */
  remove(id: string, onChanged: OnChanged = () => {}): Promise<boolean> {
    return this.#db.write(async (session) => {
      const before = await selectReaction(session, id);
      if (before === undefined) return false;
      if (before.deleted) return true;
      const stopped = before.active ? await this.#reached(session, before) : before.stopped;
      const time = later(before);
      const gone = { active: false, deleted: true, deletedAt: time, modified: time };
      await updateReaction(session, { ...before, ...gone, stopped }, before);
      onChanged({ title: before.title, purged: await this.#purge(session), restored: false });
      return true;
    });
  }

  /**
   * Of the deleted reactions, keeps as many and as large ones as there may be others, and the latest in any case.
   * @returns the ids of those that are removed for ever.
   */
  async #purge(session: WriteSession): Promise<readonly string[]> {
    const { reactionMaxStored, reactionAllRulesetsMaxBytes } = this.#options.limits;
    let bytes = 0;
    const gone = (await selectDeleted(session)).filter(({ bytes: own }, index) => {
      bytes += own;
      return index > 0 && (index >= reactionMaxStored || bytes > reactionAllRulesetsMaxBytes);
    });
    const ids = gone.map(({ id }) => id);
    await purgeReactions(session, ids);
    return ids;
  }

  /**
   * All that are not deleted, oldest first.
   * @param reserve told how many bytes the rulesets have before they are loaded, if they are large; what it throws ends the call.
   */
  list(reserve?: (bytes: number) => void): Promise<StoredReaction[]> {
    return this.#listed(false, reserve);
  }

  /** The deleted ones that are kept, the latest first. @param reserve as above. */
  listDeleted(reserve?: (bytes: number) => void): Promise<StoredReaction[]> {
    return this.#listed(true, reserve);
  }

  /** The ids of those that have a consumer of their own. */
  slow(): Promise<ReadonlySet<string>> {
    return this.#db.read(selectSlow);
  }

  async #listed(deleted: boolean, reserve: (bytes: number) => void = () => {}): Promise<StoredReaction[]> {
    const bytes = await this.#db.read((session) => selectRulesetBytes(session, deleted));
    const large = bytes > smallContentBytes;
    if (large) reserve(bytes);
    return this.#db.read(deleted ? selectDeletedReactions : selectReactions, { large });
  }

  /** Undefined when there is none, or it is deleted. */
  async find(id: string): Promise<StoredReaction | undefined> {
    const reaction = await this.#db.read((session) => selectReaction(session, id));
    return reaction?.deleted ? undefined : reaction;
  }

  /** Those that are active. */
  active(): Promise<ActiveReactions> {
    return this.#db.read(selectActive);
  }

  /** The titles of reactions, deleted ones too. */
  titles(ids: readonly string[]): ReturnType<typeof selectTitles> {
    return this.#db.read((session) => selectTitles(session, ids));
  }

  /** What a reaction has made before a position, newest first. */
  firings(
    reactionId: string,
    { before, limit }: { readonly before: Position; readonly limit: number },
  ): Promise<Firing[]> {
    return this.#db.read((session) => selectFirings(session, { reactionId, before, limit }));
  }

  /** How the statements were made, of those that reactions have made. */
  firingsOf(statementIds: readonly string[]): Promise<Firing[]> {
    return this.#db.read((session) => selectMade(session, statementIds));
  }

  /** What a statement has triggered before a position, newest first. */
  triggeredBy(
    triggerId: string,
    { before, limit }: { readonly before: Position; readonly limit: number },
  ): Promise<Firing[]> {
    return this.#db.read((session) => selectTriggered(session, { triggerId, before, limit }));
  }

  /** Those of the ids that a stored statement has. */
  stored(ids: Iterable<string>): Promise<ReadonlySet<string>> {
    return this.#db.read((session) => selectStored(session, ids));
  }

  async #reached(session: WriteSession, { id, since }: StoredReaction): Promise<Position> {
    const alone = await reachedAlone(session, id);
    return Math.max(since, alone ?? (await this.#options.reached(session)) ?? 0);
  }
}

/**
 * Stops a reaction that has failed, unless it was changed meanwhile.
 * @param why the error, the id of the statement that has caused it, and up to where the reaction has looked at statements.
 * @returns whether it was stopped.
 */
export async function stopReaction(
  session: WriteSession,
  { id, version }: Pick<StoredReaction, 'id' | 'version'>,
  {
    error,
    triggerId,
    stopped,
  }: { readonly error: ReactionError; readonly triggerId: string; readonly stopped: Position },
): Promise<boolean> {
  const before = await selectReaction(session, id);
  if (before === undefined || !before.active || before.version !== version) return false;
  const time = later(before);
  const failed = { active: false, modified: time, stopped, error: { ...error, triggerId, time } };
  await updateReaction(session, { ...before, ...failed }, before);
  return true;
}

/** A reaction after a change, but for what the other statements and reactions decide. */
function changed(before: StoredReaction, change: Partial<ReactionDraft>): StoredReaction {
  const { title = before.title, ruleset = before.ruleset, active = before.active } = change;
  const isGood = change.ruleset !== undefined || (active && !before.active);
  const deleted = before.deleted && change.active === undefined;
  return {
    ...before,
    ...{ title, ruleset, active, deleted },
    deletedAt: deleted ? before.deletedAt : null,
    modified: later(before),
    error: isGood ? null : before.error,
    version: before.version + (isSameRuleset(ruleset, before.ruleset) ? 0 : 1),
  };
}

/** The present, and after the last change in any case. */
function later({ modified }: StoredReaction): number {
  return Math.max(Date.now() * 1000, modified + 1);
}

/** What a reaction has missed when it becomes active. What was stored before it was created, paused or not, is no part of it. */
async function missedAt(
  session: WriteSession,
  { id, missed, stopped, since }: StoredReaction,
  newest: Position,
): Promise<StoredReaction['missed']> {
  const gap = { from: stopped ?? since, through: newest };
  return (await hasTriggers(session, id, gap)) ? withGap(missed, gap) : missed;
}
