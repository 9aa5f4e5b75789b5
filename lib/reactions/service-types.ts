import type { ErrorDetail } from '../errors.ts';
import type { JsonObject } from '../json/types.ts';
import type { OnChanged, ReactionErrorReason, Warning } from './types.ts';

/** What an operator gives for a new reaction; without a title the service makes one of the ruleset. */
export interface ReactionDraft {
  readonly title?: string | undefined;
  readonly ruleset: JsonObject;
  readonly active: boolean;
}

/** What an operator changes of a reaction: at least one of these. */
export interface ReactionChange {
  readonly title?: string | undefined;
  readonly ruleset?: JsonObject | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Statements that a reaction has not looked at while it was inactive, and no replay has either: after `from`, up to `through`. After
 * several stops it spans them all, so some of the statements may have been looked at.
 */
export interface Missed {
  /** ISO 8601 in UTC. */
  readonly from: string;
  readonly through: string;
}

/** What deleting a reaction answers. */
export interface DeletedReaction {
  readonly reactionId: string;
  /** Absent where there is none. */
  readonly warnings?: readonly Warning[];
}

/** What creating or changing one answers. */
export interface SavedReaction extends DeletedReaction {
  /** For `expectedModified` of the next change: ISO 8601 in UTC. */
  readonly modified: string;
  /** Given when the reaction becomes active. */
  readonly missed?: Missed;
}

/** Why a reaction was paused, or a match failed in a replay: lrsql's `type` and `message`, what to do about it in plain words, and by what it was. */
export interface ShownError {
  readonly type: string;
  readonly message: string;
  /** Tells apart what has one type in lrsql. */
  readonly reason?: ReactionErrorReason;
  readonly remedy: string;
  /** Of the statement that the reaction failed on; null when it was erased. */
  readonly triggerId: string | null;
  /** When it failed: ISO 8601 in UTC. */
  readonly time: string;
}

/** A reaction as answers show it; times are ISO 8601 in UTC. */
export interface ShownReaction {
  readonly id: string;
  readonly title: string;
  readonly active: boolean;
  readonly created: string;
  readonly modified: string;
  readonly error: ShownError | null;
  /** As it was given, members that we do not know included. */
  readonly ruleset: JsonObject;
  /** Rises by one with every change of the ruleset. */
  readonly version: number;
  /** How many statements it has generated. */
  readonly fired: number;
  /** How many matches it could not make a statement of when their trigger was stored. */
  readonly failed: number;
  readonly lastFired: string | null;
  readonly warnings?: readonly Warning[];
}

/** A reaction in the list. */
export interface ReactionInList extends ShownReaction {
  /** Whether a consumer of its own serves it, so that the others do not wait for it. */
  readonly slow: boolean;
}

/** A reaction that is deleted, and can be activated again. */
export interface DeletedInList extends ReactionInList {
  /** When: ISO 8601 in UTC. */
  readonly deleted: string;
}

/** One statement that a reaction generated. Ids of statements that were erased are null. */
export interface ShownFiring {
  /** Of the ruleset that it was made by. */
  readonly version: number;
  /** The generated statement. */
  readonly statementId: string | null;
  readonly triggerId: string | null;
  /** Name of a condition → id of the statement that fulfilled it. */
  readonly matched: Readonly<Record<string, string | null>>;
  readonly stored: string;
}

/** A walk over past statements. */
export interface ShownReplay {
  /** Statements after this time … */
  readonly from: string;
  /** … up to this time are gone through … */
  readonly through: string;
  /** … and so far up to this one. */
  readonly reached: string;
  readonly state: 'running' | 'paused' | 'failed' | 'stopped' | 'done';
  /** Matches of which it could make no statement. */
  readonly failed: number;
  /** Matches whose statements it has not stored because their chain is too long or full. */
  readonly refused: number;
  /** Why either was so, the latest first: at most five different reasons, each with the last statement that it was found for. */
  readonly problems: readonly ShownError[];
  readonly error: string | null;
}

export interface ReactionDetails extends ShownReaction {
  /** What is stored and not yet looked at. */
  readonly lag: { readonly statements: number; readonly seconds: number };
  /** Whether a consumer of its own serves it, so that the others do not wait for it; `lag` is that consumer's. */
  readonly slow: boolean;
  /** Why the latest match has failed that `failed` counts; absent where none has. */
  readonly lastFailure?: ShownError;
  /** Why it does not go on at the moment, where the last attempt of the server to serve it has failed. */
  readonly delayed?: { readonly error: string; readonly nextAttempt: string | null };
  /** Newest first. */
  readonly firings: readonly ShownFiring[];
  /** The cursor of the next page of firings; absent on the last. */
  readonly more?: string;
  readonly missed?: Missed;
  /** The latest replay; absent when there was none. */
  readonly replay?: ShownReplay;
}

export interface FiringsPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Which firings that a statement has triggered are asked for. */
export interface LinksPage extends FiringsPage {
  readonly statement: string;
}

/** A firing with the reaction that made it. */
export interface LinkedFiring extends ShownFiring {
  readonly reaction: { readonly id: string; readonly title: string; readonly deleted: boolean };
}

/** What a statement has to do with reactions. */
export interface StatementLinks {
  /** A page of the firings that it triggered, newest first. */
  readonly triggered: readonly LinkedFiring[];
  /** The cursor of the next page of those; absent on the last. */
  readonly more?: string;
  /** The firing that generated it; null for a statement that somebody sent, or that is not stored. */
  readonly triggeredBy: LinkedFiring | null;
}

export interface PreviewRequest {
  readonly ruleset: JsonObject;
  /** Most statements to examine. */
  readonly statements: number;
  /** Microseconds since the epoch; strictly after this. */
  readonly since?: number | undefined;
  /** At or before this. */
  readonly until?: number | undefined;
}

export type PreviewEnd = 'statements' | 'time' | 'bytes';

export interface PreviewExample {
  /** Id of the statement that would trigger. */
  readonly trigger: string;
  readonly matched: Readonly<Record<string, string>>;
  /** The statement that would be generated, without what storing it adds; `printJson` prints it. */
  readonly statement: unknown;
}

export interface PreviewFailure {
  readonly trigger: string;
  readonly type: string;
  readonly message: string;
  readonly reason?: ReactionErrorReason;
  /** How many matches failed in this way. */
  readonly matches: number;
}

/**
 * Why a clause did not hold for a statement; below `not` its `op` is e.g. `not eq`. With the `op` `partner` there is no statement
 * for the condition at the path that fits the others, and `expected` is what it has to share, an object of paths and values, or of
 * paths and values below operators, with a `ref` in place of a value that no statement was found for; with `identity` the statement has no value at any of the identity paths, which `expected` lists.
 */
export interface NearMissReason {
  /** JSON path of the clause in the ruleset. */
  readonly path: string;
  readonly op: string;
  /**
   * Values as JSON text, each cut after 200 characters, and what a partner has to share after 1,000; `found` is null where the
   * statement has no such value.
   */
  readonly expected: string | null;
  readonly found: string | null;
}

/** A statement that fulfils a condition but for the clauses given. */
export interface NearMiss {
  /** The first that was found, which is the newest. */
  readonly trigger: string;
  readonly condition: string;
  readonly reasons: readonly NearMissReason[];
  /** How many statements have these reasons; those of `partner` count as the same whatever they expect. */
  readonly statements: number;
}

/** What a ruleset would do with stored statements. */
export interface Preview {
  /** Statements that were looked at, newest first. */
  readonly examined: number;
  /** How many of them would trigger. */
  readonly triggers: number;
  /** How many statements would be generated. */
  readonly firings: number;
  /** Whether all statements of the range were examined; without a range, all that are stored. */
  readonly complete: boolean;
  /** The limit that ended it; absent when it is complete. */
  readonly stoppedBy?: PreviewEnd;
  readonly examples: readonly PreviewExample[];
  readonly failures: readonly PreviewFailure[];
  /** Those that lack least first. */
  readonly nearMisses: readonly NearMiss[];
  readonly warnings: readonly Warning[];
}

/** The rules that a ruleset breaks. */
export interface RulesetMistakes {
  /** For each, as an error would have it. Of very many, the last entry says how many have none. */
  readonly details: readonly ErrorDetail[];
  /** How many there are. */
  readonly count: number;
}

export interface StartedReplay {
  readonly reactionId: string;
  readonly from: string;
  readonly through: string;
}

/** Reactions as operators manage them. Ids are lower-case UUIDs. */
export interface ReactionService {
  /** @throws InvalidError with one detail per broken rule; also when the title is in use. */
  create(draft: ReactionDraft, onChanged?: OnChanged): Promise<SavedReaction>;
  /** Activating a reaction clears its error. @throws NotFoundError, InvalidError as above */
  update(
    id: string,
    change: ReactionChange,
    expectedModified?: number,
    onChanged?: OnChanged,
  ): Promise<SavedReaction>;
  /** Deletes it; its firings stay. Deleting again changes nothing. @throws NotFoundError */
  remove(id: string, onChanged?: OnChanged): Promise<void>;
  /**
   * All that are not deleted, each a `ReactionInList` as JSON text: many rulesets as trees would take much memory at once.
   * @param reserve told how many bytes the rulesets have before they are loaded, if they are large; what it throws ends the call.
   */
  list(reserve?: (bytes: number) => void): Promise<string[]>;
  /** The deleted ones that are kept, the latest first, each a `DeletedInList` as JSON text. @param reserve as above. */
  listDeleted(reserve?: (bytes: number) => void): Promise<string[]>;
  /** @throws NotFoundError */
  find(id: string, page: FiringsPage): Promise<ReactionDetails>;
  linksOf(page: LinksPage): Promise<StatementLinks>;
  mistakesIn(ruleset: JsonObject): RulesetMistakes;
  /** Writes nothing. @throws InvalidError */
  preview(request: PreviewRequest): Promise<Preview>;
  /**
   * Has a reaction look at statements after a time (microseconds since the epoch) once more. What it has generated already
   * is not generated again.
   * @throws NotFoundError; InvalidError while the reaction is inactive
   */
  replay(id: string, from: number): Promise<StartedReplay>;
}
