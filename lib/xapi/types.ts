import type { Json } from '../json/types.ts';

/** The shapes of xAPI 1.0.3 Data 2 and 2.0.0 section 4.2, as they are after validation. */

/** The rule set a statement is checked by; all of 1.0.x is `1.0.3`. */
export type XapiVersion = '1.0.3' | '2.0.0';

export type LanguageMap = Readonly<Record<string, string>>;
export type Extensions = Readonly<Record<string, Json>>;

export interface Account {
  readonly homePage: string;
  readonly name: string;
}

/** At most one of these is present on a valid Agent or Group (xAPI 1.0.3 Data 2.4.2.3). */
export interface InverseFunctionalIdentifier {
  readonly mbox?: string;
  readonly mbox_sha1sum?: string;
  readonly openid?: string;
  readonly account?: Account;
}

export interface Agent extends InverseFunctionalIdentifier {
  readonly objectType?: 'Agent';
  readonly name?: string;
}

export interface Group extends InverseFunctionalIdentifier {
  readonly objectType: 'Group';
  readonly name?: string;
  readonly member?: readonly Agent[];
}

export type Actor = Agent | Group;

/** An Agent as the Agents resource shows it (xAPI 1.0.3 Communication 2.4). */
export interface Person {
  readonly objectType: 'Person';
  readonly name?: readonly string[];
  readonly mbox?: readonly string[];
  readonly mbox_sha1sum?: readonly string[];
  readonly openid?: readonly string[];
  readonly account?: readonly Account[];
}

export interface Verb {
  readonly id: string;
  readonly display?: LanguageMap;
}

export interface InteractionComponent {
  readonly id: string;
  readonly description?: LanguageMap;
}

/** What an interaction may be (xAPI 1.0.3 Data 2.4.4.1, Interaction Types). */
export const interactionTypes = [
  'true-false',
  'choice',
  'fill-in',
  'long-fill-in',
  'matching',
  'performance',
  'sequencing',
  'likert',
  'numeric',
  'other',
] as const;
export type InteractionType = (typeof interactionTypes)[number];

export const interactionComponentLists = ['choices', 'scale', 'source', 'target', 'steps'] as const;
export type InteractionComponentList = (typeof interactionComponentLists)[number];

export interface ActivityDefinition
  extends Readonly<Partial<Record<InteractionComponentList, readonly InteractionComponent[]>>> {
  readonly name?: LanguageMap;
  readonly description?: LanguageMap;
  readonly type?: string;
  readonly moreInfo?: string;
  readonly interactionType?: string;
  readonly correctResponsesPattern?: readonly string[];
  readonly extensions?: Extensions;
}

export interface Activity {
  readonly objectType?: 'Activity';
  readonly id: string;
  readonly definition?: ActivityDefinition;
}

export interface StatementRef {
  readonly objectType: 'StatementRef';
  readonly id: string;
}

export interface Score {
  readonly scaled?: number;
  readonly raw?: number;
  readonly min?: number;
  readonly max?: number;
}

export interface Result {
  readonly score?: Score;
  readonly success?: boolean;
  readonly completion?: boolean;
  readonly response?: string;
  readonly duration?: string;
  readonly extensions?: Extensions;
}

export const contextActivityRoles = ['parent', 'grouping', 'category', 'other'] as const;
export type ContextActivityRole = (typeof contextActivityRoles)[number];
/** A single Activity is accepted in place of an array of one (xAPI 1.0.3 Data 2.4.6.2); `normalise` turns it into the array. */
export type ContextActivities = Readonly<
  Partial<Record<ContextActivityRole, Activity | readonly Activity[]>>
>;

export interface ContextAgent {
  readonly objectType: 'contextAgent';
  readonly agent: Agent;
  readonly relevantTypes?: readonly string[];
}

export interface ContextGroup {
  readonly objectType: 'contextGroup';
  readonly group: Group;
  readonly relevantTypes?: readonly string[];
}

export interface Context {
  readonly registration?: string;
  readonly instructor?: Actor;
  readonly team?: Group;
  readonly contextActivities?: ContextActivities;
  readonly contextAgents?: readonly ContextAgent[];
  readonly contextGroups?: readonly ContextGroup[];
  readonly revision?: string;
  readonly platform?: string;
  readonly language?: string;
  readonly statement?: StatementRef;
  readonly extensions?: Extensions;
}

export interface Attachment {
  readonly usageType: string;
  readonly display: LanguageMap;
  readonly description?: LanguageMap;
  readonly contentType: string;
  readonly length: number;
  readonly sha2: string;
  readonly fileUrl?: string;
}

export interface SubStatement {
  readonly objectType: 'SubStatement';
  readonly actor: Actor;
  readonly verb: Verb;
  readonly object: Activity | Actor | StatementRef;
  readonly result?: Result;
  readonly context?: Context;
  readonly timestamp?: string;
  readonly attachments?: readonly Attachment[];
}

export type StatementObject = Activity | Actor | StatementRef | SubStatement;

export interface Statement {
  readonly id?: string;
  readonly actor: Actor;
  readonly verb: Verb;
  readonly object: StatementObject;
  readonly result?: Result;
  readonly context?: Context;
  readonly timestamp?: string;
  readonly stored?: string;
  readonly authority?: Actor;
  readonly version?: string;
  readonly attachments?: readonly Attachment[];
}
