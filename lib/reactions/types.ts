import type { Json } from '../json/types.ts';
import type { XapiVersion } from '../xapi/types.ts';

/** A member name, or an index into an array. */
export type Step = string | number;
/** Where a value stands in a statement, e.g. `['result', 'score', 'scaled']`. */
export type ReactionPath = readonly Step[];
export type Scalar = string | number | boolean | null;

export const operators = ['eq', 'noteq', 'gt', 'gte', 'lt', 'lte', 'like', 'contains'] as const;
export type Operator = (typeof operators)[number];

/** The value at a path in the statement that another condition matches. */
export interface Reference {
  readonly condition: string;
  readonly path: ReactionPath;
}

/** A comparison as it stands in a ruleset; `val` counts where both are given. */
export interface Clause {
  readonly path: ReactionPath;
  readonly op: Operator;
  readonly val?: Scalar;
  readonly ref?: Reference;
}

export type Condition =
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition }
  | Clause;

/** A ruleset as a client writes it. */
export interface Ruleset {
  /** Values by which statements belong together, such as that of one learner. */
  readonly identityPaths: readonly ReactionPath[];
  /** Each names a statement that must be found. */
  readonly conditions: Readonly<Record<string, Condition>>;
  /** The statement to be made; `{"$templatePath": [condition, …path]}` stands for a value of a matched statement. */
  readonly template: Json;
}

/** What a clause compares with. */
export type Operand =
  | { readonly kind: 'value'; readonly value: Scalar }
  | ({ readonly kind: 'reference' } & Reference);

export interface ClauseNode {
  readonly kind: 'clause';
  readonly path: ReactionPath;
  readonly op: Operator;
  readonly operand: Operand;
  /** Where it stands in the ruleset, e.g. `$.conditions.a.and[0]`. */
  readonly place: string;
}

/** A condition that was checked. */
export type ConditionNode =
  | { readonly kind: 'and' | 'or'; readonly items: readonly ConditionNode[] }
  | { readonly kind: 'not'; readonly item: ConditionNode }
  | ClauseNode;

/** A ruleset that was checked. */
export interface ParsedRuleset {
  readonly identityPaths: readonly ReactionPath[];
  readonly conditions: ReadonlyMap<string, ConditionNode>;
  readonly template: Json;
}

/** A place in a ruleset, e.g. `$.conditions.a.and[0].op`, and what is to be said about it. */
export interface Remark {
  readonly path: string;
  readonly message: string;
}

/** The rules that a ruleset may break; `unlisted` stands for all mistakes beyond those that are listed. */
export const rulesetRules = ['structure', 'path', 'operator', 'value', 'type', 'limit', 'unlisted'] as const;
export type RulesetRule = (typeof rulesetRules)[number];

/** A broken rule: the ruleset is refused. */
export interface RulesetProblem extends Remark {
  readonly rule: RulesetRule;
}

/** Why something is accepted and probably not meant: the stable names that warnings have as `rule`. */
export const warningRules = [
  'unknown-member',
  'unused-member',
  'unknown-condition',
  'never-true',
  'contradiction',
  'always-true',
  'no-value',
  'boolean-order',
  'duration-order',
  'no-wildcard',
  'no-identity',
  'account-name-alone',
  'template-path',
  'template-statement',
  'set-by-lrs',
  'fixed-id',
  'title-blank',
  'title-spaces',
  'unlisted',
] as const;
export type WarningRule = (typeof warningRules)[number];

/** A point that is accepted and probably not meant. */
export interface Warning extends Remark {
  readonly rule: WarningRule;
}

export interface RefusedRuleset {
  readonly problems: readonly RulesetProblem[];
  /** Members that mean nothing where they stand. */
  readonly unknown: readonly Warning[];
  /** How many more of both there are. */
  readonly unlisted: number;
}

export type RulesetCheck =
  | { readonly ruleset: ParsedRuleset; readonly warnings: readonly Warning[] }
  | RefusedRuleset;

/** Each is a setting of the group `lrs`. */
export interface RulesetLimits {
  /** Bytes of the ruleset as JSON. */
  readonly reactionRulesetMaxBytes: number;
  /** Conditions, and so statements that one match consists of. */
  readonly reactionMaxConditions: number;
  /** Comparisons in all conditions together. */
  readonly reactionMaxClauses: number;
}

/** Each is a setting of the group `lrs`. */
export interface ReactionCountLimits {
  /** Reactions that are not deleted. */
  readonly reactionMaxStored: number;
  readonly reactionMaxActive: number;
  /** Bytes of the rulesets of reactions that are not deleted. */
  readonly reactionAllRulesetsMaxBytes: number;
}

/** What one trigger may cause. Each is a setting of the group `lrs`. */
export interface MatchLimits {
  /** Stored statements that are looked at. */
  readonly reactionMaxCandidates: number;
  /** Bytes of them that are read. */
  readonly reactionMaxCandidateBytes: number;
  /** Bytes of memory, as estimated, that all reactions of a process take together. */
  readonly reactionMaxMemory: number;
  /** For which conditions are evaluated, and searches planned. */
  readonly reactionMaxMilliseconds: number;
  /** For which a reaction may hold up others, beyond what is usual for a trigger. */
  readonly reactionSharedMilliseconds: number;
  /** Statements that are made. */
  readonly reactionMaxMatches: number;
  /** Bytes of one that is made. */
  readonly reactionStatementMaxBytes: number;
  /** Reactions that have triggered each other in a row. */
  readonly reactionMaxChain: number;
  /** Statements that reactions make from one that they have not made, and from what has come about by that. */
  readonly reactionMaxChainStatements: number;
}

/** What previews of rulesets, and replays, may cost. Each is a setting of the group `lrs`. */
export interface TrialLimits {
  readonly reactionMaxReplays: number;
  readonly reactionPreviewStatements: number;
  readonly reactionPreviewMilliseconds: number;
  readonly reactionPreviewBytes: number;
}

/** The settings of reactions, of the group `lrs`. */
export interface ReactionSettings extends RulesetLimits, ReactionCountLimits, MatchLimits, TrialLimits {
  readonly enableReactions: boolean;
  /** The version of the statements that reactions make. */
  readonly reactionVersion: XapiVersion;
}

export type ReactionErrorType =
  | 'ReactionQueryError'
  | 'ReactionTemplateError'
  | 'ReactionInvalidStatementError'
  | 'ReactionLimitError';

/**
 * Tells apart what has one type in lrsql. `template-path`: a `$templatePath` is wrong by itself, whatever statements match.
 * `unknown-condition`: a `ref` names no condition. `server`: the server failed. `id-taken`: the template gives an `id` that another
 * statement has. `evaluation`: to evaluate the conditions takes too long. `candidates`: too many statements must be read or tried.
 * `chain`: reactions answer each other's statements too often.
 */
export const reactionErrorReasons = [
  'template-path',
  'unknown-condition',
  'server',
  'id-taken',
  'evaluation',
  'candidates',
  'chain',
] as const;
export type ReactionErrorReason = (typeof reactionErrorReasons)[number];

/** Why a reaction was stopped. */
export interface ReactionError {
  readonly type: ReactionErrorType;
  readonly message: string;
  readonly reason?: ReactionErrorReason;
}

/** What a change has done beside what it was to do. */
export interface ChangeOutcome {
  /** That the reaction has now. */
  readonly title: string;
  /** The ids of deleted reactions that are removed for ever. */
  readonly purged: readonly string[];
  /** Whether the reaction was deleted before, and is not any more. */
  readonly restored: boolean;
}

/** Told what a change has done; again where the transaction is repeated. */
export type OnChanged = (outcome: ChangeOutcome) => void;
