import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AuditKind, AuditOutcome } from '../../../lib/audit/types.ts';
import type { Agent } from '../../../lib/xapi/types.ts';
import { callAdmin } from './client.ts';

/** Something that somebody did, tried or was shown, by the administration or at this screen. */
export interface AuditEvent {
  readonly id: string;
  readonly at: string;
  /** Null when nobody was known. */
  readonly 'account-id': string | null;
  readonly username: string | null;
  readonly kind: AuditKind;
  /** Method and path, and in brackets what distinguishes it. */
  readonly action: string;
  readonly subject: string | null;
  /** Whom it was about; null when the store does not know him any more, absent when it was about nobody. */
  readonly agent?: Agent | null;
  readonly 'agent-key'?: string;
  /** The API key of the pair that was used. */
  readonly 'key-pair'?: string;
  readonly 'request-id'?: string;
  readonly filters?: Readonly<Record<string, string>>;
  readonly counts?: Readonly<Record<string, number>>;
  /** How many equal events it stands for, when there are several, and when the last one was. */
  readonly times?: number;
  readonly 'last-at'?: string;
  readonly client: string | null;
  readonly status: number;
  readonly outcome: AuditOutcome;
}

/** Which events are asked for. */
export interface AuditFilters {
  readonly kind?: string;
  readonly username?: string;
  /** As JSON. */
  readonly agent?: string;
}

interface AuditPage {
  readonly events: readonly AuditEvent[];
  /** The link to the next page; empty on the last. */
  readonly more: string;
}

const pageSize = 100;

/** The trail page by page, newest first. */
export function auditQuery(filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam }) =>
      callAdmin<AuditPage>('audit', { query: { limit: pageSize, ...filters, from: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ more }: AuditPage) =>
      new URLSearchParams(more.slice(more.indexOf('?') + 1)).get('from') ?? undefined,
  });
}

/**
 * The account that has changed or deleted something last, by the newest events; null where they do not tell.
 * @param action method and path of the call that does it
 * @param version tells this change from earlier ones
 */
export function changerQuery(subject: string, action: string, version: string) {
  return queryOptions({
    queryKey: ['audit', 'changer', subject, action, version],
    queryFn: async ({ signal }) => {
      const query = { kind: 'change', limit: pageSize };
      const { events } = await callAdmin<AuditPage>('audit', { query, signal });
      const event = events.find(
        (each) => each.subject === subject && each.outcome === 'done' && each.action === action,
      );
      return event?.username ?? null;
    },
  });
}
