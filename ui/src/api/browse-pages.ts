import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DocumentKindName } from '../../../lib/browse/kind-names.ts';
import type { Activity, Agent } from '../../../lib/xapi/types.ts';
import type { Query } from './address.ts';
import type { KnownAgent } from './browse.ts';
import { callAdmin } from './client.ts';

/** An Activity, with its definition as far as a statement has one. */
export interface KnownActivity extends Activity {
  /** How many statements have it as their Object; absent when none has. */
  readonly statements?: number;
}

/** A document without its content, under the names that the xAPI has for its parameters. */
export interface KnownDocument extends DocumentName {
  readonly contentType: string;
  /** Bytes. */
  readonly length: number;
  readonly updated: string;
  readonly etag: string;
}

/** All that names one document. */
export interface DocumentName {
  readonly kind: DocumentKindName;
  readonly activityId?: string;
  readonly agent?: Agent;
  readonly registration?: string;
  readonly stateId?: string;
  readonly profileId?: string;
}

interface Entries {
  readonly agents: KnownAgent;
  readonly activities: KnownActivity;
  readonly documents: KnownDocument;
}

/** A page of one of the lists of what there is. */
export interface BrowsePage<Entry> {
  readonly entries: readonly Entry[];
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined;
}

const pageSize = 50;

/** A page of the list with this name; `query` are its filters and `from`. */
export function browseQuery<Name extends keyof Entries>(name: Name, query: Query) {
  return queryOptions({
    queryKey: ['browse', name, query],
    queryFn: ({ signal }) => readPage(name, query, signal),
    placeholderData: keepPreviousData,
  });
}

async function readPage<Name extends keyof Entries>(
  name: Name,
  query: Query,
  signal: AbortSignal,
): Promise<BrowsePage<Entries[Name]>> {
  const answer = await callAdmin<Record<Name, readonly Entries[Name][]> & { readonly more: string }>(name, {
    query: { limit: pageSize, ...query },
    signal,
  });
  return { entries: answer[name], next: startOf(answer.more) };
}

/** The link repeats the parameters of the request and says where to go on. */
function startOf(more: string): string | undefined {
  return new URLSearchParams(more.split('?')[1]).get('from') ?? undefined;
}
