import { infiniteQueryOptions } from '@tanstack/react-query';
import { callAdmin } from './client.ts';

/** Something that somebody did, or tried, through the administration. */
export interface AuditEvent {
  readonly id: string;
  readonly at: string;
  /** Null when nobody was known. */
  readonly 'account-id': string | null;
  readonly username: string | null;
  /** Method and path. */
  readonly action: string;
  readonly subject: string | null;
  readonly client: string | null;
  readonly status: number;
}

interface AuditPage {
  readonly events: readonly AuditEvent[];
  /** The link to the next page; empty on the last. */
  readonly more: string;
}

const pageSize = 100;

/** The trail page by page, newest first. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam }) => callAdmin<AuditPage>('audit', { query: { limit: pageSize, from: pageParam } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ more }: AuditPage) =>
    new URLSearchParams(more.slice(more.indexOf('?') + 1)).get('from') ?? undefined,
});
