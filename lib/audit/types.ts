import type { AdminAccount } from '../accounts/types.ts';
import type { Agent } from '../xapi/types.ts';

/** What an event is: something was changed, something was shown, or somebody signed in or out. */
export const auditKinds = ['change', 'disclosure', 'session'] as const;
export type AuditKind = (typeof auditKinds)[number];

/** How an action ended, as clients see it; `unknown` while it goes on, and for good if the server stopped meanwhile. */
export const auditOutcomes = ['unknown', 'done', 'refused', 'failed', 'interrupted'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** Numbers of what an action was about, by name, e.g. `{ statements: 50 }`. Those of equal events are added up. */
export type AuditCounts = Readonly<Record<string, number>>;

/** What an operator does. It never holds a secret, and no identifier or name of an Agent but in `agent`. */
export interface AuditedAct {
  /** Who; undefined when nobody was logged in. */
  readonly account: AdminAccount | undefined;
  readonly kind: AuditKind;
  /** Method and path, e.g. `DELETE /admin/account`, and in brackets what distinguishes it, e.g. `GET /admin/csv (preview)`. */
  readonly action: string;
  /** What it was done to: the id of an account or a statement, the API key of a pair. */
  readonly subject?: string | undefined;
  /** The identifier of the Agent whom it was about, as `identifierOf` gives it. The trail keeps a hash of it. */
  readonly agent?: string | undefined;
  /** API key of the pair that a request to the xAPI carried. */
  readonly keyPair?: string | undefined;
  /** The address that the request came from. */
  readonly client?: string | undefined;
  /** The parameters that say what was asked for. */
  readonly filters?: Readonly<Record<string, string>> | undefined;
  /** The id of the request. */
  readonly requestId?: string | undefined;
}

/** How it ended. */
export interface AuditedEnd {
  /** The status of the answer. */
  readonly status: number;
  readonly counts?: AuditCounts | undefined;
  /** The answer broke off before its end. */
  readonly interrupted?: boolean | undefined;
  /** Whether an equal event of the same account within the configured time takes this one up. */
  readonly merges?: boolean | undefined;
}

/** The name that a login tried; it is kept only when there is an account of that name, because it may be anything. */
export interface TriedName {
  readonly triedName?: string | undefined;
}

export interface AuditEvent {
  readonly id: string;
  /** Microseconds since the epoch. */
  readonly at: number;
  readonly accountId: string | null;
  readonly username: string | null;
  readonly kind: AuditKind;
  readonly action: string;
  readonly subject: string | null;
  /** Whom it was about; undefined for nobody, and for somebody whom the store does not know (any more). */
  readonly agent: Agent | undefined;
  /** The hash that stands for `agent`: hexadecimal. */
  readonly agentKey: string | null;
  readonly keyPair: string | null;
  readonly client: string | null;
  /** The status of the answer; 0 while there is none, for good if the server stopped before there was one. */
  readonly status: number;
  readonly details: AuditEventDetails;
  /** How many equal events this one stands for, and when the last of them was. */
  readonly times: number;
  readonly lastAt: number;
}

export interface AuditEventDetails {
  readonly filters?: Readonly<Record<string, string>> | undefined;
  readonly counts?: AuditCounts | undefined;
  readonly interrupted?: boolean | undefined;
  /** Of events that share a row: that of the first. */
  readonly requestId?: string | undefined;
}

/** The place of an event in the order of the trail. */
export type AuditPlace = Pick<AuditEvent, 'at' | 'id'>;

export interface AuditQuery {
  readonly limit: number;
  /** Only events that are older than the one here. */
  readonly before: AuditPlace | undefined;
  readonly kind?: AuditKind | undefined;
  /** Only events of the account with this name. */
  readonly username?: string | undefined;
  /** Only events about this Agent: its identifier. */
  readonly agent?: string | undefined;
}

export interface AuditPage {
  /** Newest first. */
  readonly events: readonly AuditEvent[];
  /** Where the next page continues; undefined when there is none. */
  readonly next: AuditPlace | undefined;
}

/** The trail of what operators did. Every method that writes throws UnavailableError when the database does not take it. */
export interface AuditService {
  /** Notes what is about to be done; its outcome is unknown until `finish`. */
  begin(act: AuditedAct): Promise<AuditPlace>;
  /** Completes what was begun. What became known of it since counts. */
  finish(begun: AuditPlace, act: AuditedAct & AuditedEnd): Promise<void>;
  /** Notes what is done. */
  record(act: AuditedAct & AuditedEnd & TriedName): Promise<AuditPlace>;
  query(query: AuditQuery): Promise<AuditPage>;
}
