import type { AdminAccount } from '../accounts/types.ts';

/** What somebody did, or tried, through the administration. It never holds a secret. */
export interface AuditedAct {
  /** Who; undefined when nobody was logged in. */
  readonly account: AdminAccount | undefined;
  /** The name that a login tried; it is kept only when there is an account of that name, because it may be anything. */
  readonly triedName: string | undefined;
  /** Method and path, e.g. `DELETE /admin/account`. */
  readonly action: string;
  /** What it was done to: the id of an account, the API key of a pair. */
  readonly subject: string | undefined;
  /** The address that the request came from. */
  readonly client: string | undefined;
  /** The status of the answer. */
  readonly status: number;
}

export interface AuditEvent {
  readonly id: string;
  /** Microseconds since the epoch. */
  readonly at: number;
  readonly accountId: string | null;
  readonly username: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly client: string | null;
  readonly status: number;
}

/** The place of an event in the order of the trail. */
export type AuditPlace = Pick<AuditEvent, 'at' | 'id'>;

export interface AuditQuery {
  readonly limit: number;
  /** Only events that are older than the one here. */
  readonly before: AuditPlace | undefined;
}

export interface AuditPage {
  /** Newest first. */
  readonly events: readonly AuditEvent[];
  /** Where the next page continues; undefined when there is none. */
  readonly next: AuditPlace | undefined;
}

/** The trail of what was done through the administration. */
export interface AuditService {
  record(act: AuditedAct): Promise<void>;
  query(query: AuditQuery): Promise<AuditPage>;
}
