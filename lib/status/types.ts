import type { ReplicaStatus } from '../db/replica-status.ts';
import { type ConsumerState, type ConsumerStatus, consumerStates } from '../feed/types.ts';
import type { LanguageMap } from '../xapi/types.ts';

/** What is told unless something is asked for: what lrsql tells, by its names. */
export const usualMembers = [
  'statement-count',
  'actor-count',
  'platform-frequency',
  'last-statement-stored',
  'timeline',
] as const;

/** What can be asked about every store. */
export const storeStatusMembers = [
  ...usualMembers,
  'voided-count',
  'activity-count',
  'verb-frequency',
  'activity-frequency',
  'consumers',
] as const;

/** What can be asked about the default store, whose operators are told about servers. */
export const statusMembers = [...storeStatusMembers, 'database-server', 'replicas'] as const;
export type StatusMember = (typeof statusMembers)[number];

export const timelineUnits = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
export type TimelineUnit = (typeof timelineUnits)[number];

export interface StatusQuery {
  readonly members: readonly StatusMember[];
  readonly unit: TimelineUnit;
  /** Strictly after this moment, in microseconds since the epoch; 14 days ago when there is none. */
  readonly since?: number;
  /** At or before this moment; now when there is none. */
  readonly until?: number;
}

/** The members that were asked for. */
export interface Status {
  /** All stored statements: voiding ones, and those that are voided, included. */
  readonly 'statement-count'?: number;
  /** Different identifiers of Actors and of the members of Groups that are Actors. */
  readonly 'actor-count'?: number;
  /** Statements by `context.platform`, of the 1,000 most frequent ones of at most 1,000 bytes; those without one count as `none`. */
  readonly 'platform-frequency'?: Readonly<Record<string, number>>;
  /** ISO 8601 with nine fraction digits; null while there are no statements. */
  readonly 'last-statement-stored'?: string | null;
  /** Statements by the year, month … in which they were stored (UTC), oldest first; those without any are left out. */
  readonly timeline?: readonly TimelineEntry[];
  /** Of these statements, those that are voided: lists leave them out. */
  readonly 'voided-count'?: number;
  /** Different Activities that are Objects of statements, voided ones included. */
  readonly 'activity-count'?: number;
  /** The ten Verbs that most statements have, in falling order, of those whose ids have at most 128 KiB. */
  readonly 'verb-frequency'?: readonly VerbFrequency[];
  /** The ten Activities that are the Object of most statements, in falling order, of those whose ids have at most 128 KiB. */
  readonly 'activity-frequency'?: readonly ActivityFrequency[];
  /** What works behind the storing of statements, such as the reactions, by name. */
  readonly consumers?: readonly FeedConsumer[];
  /** The host and port of the database server that writes go to, as this process knows it; null without a server. */
  readonly 'database-server'?: string | null;
  /** The replicas that serve reads, as this process knows them; empty without `dbReadHosts`. */
  readonly replicas?: readonly ReplicaStatus[];
}

/** `off`: a setting switches off what it works for, so that nothing works for it. */
export const shownConsumerStates = [...consumerStates, 'off'] as const;

/** A consumer of the feed. */
export interface FeedConsumer extends Omit<ConsumerStatus, 'cursor' | 'state'> {
  readonly state: ConsumerState | 'off';
  /** What was stored up to this moment is done: ISO 8601 with nine fraction digits. */
  readonly cursor: string;
}

export interface TimelineEntry {
  /** Start of the year, month …: ISO 8601 with nine fraction digits. */
  readonly stored: string;
  readonly count: number;
}

export interface VerbFrequency {
  readonly id: string;
  /** What the newest of its statements call it; absent when they don't. */
  readonly display?: LanguageMap;
  readonly count: number;
}

export interface ActivityFrequency {
  readonly id: string;
  /** The name in its merged definition; absent when that has none or more than 64 KiB. */
  readonly name?: LanguageMap;
  readonly count: number;
}

/** What the status route asks of the store. */
export interface StatusService {
  /** @throws InvalidError for a timeline with too many entries. */
  status(query: StatusQuery): Promise<Status>;
  /** The database server that writes go to; null without one. */
  databaseServer(): string | null;
  /** The replicas that serve reads, each of which is asked. */
  replicas(): Promise<readonly ReplicaStatus[]>;
}
