import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  DeletedInList,
  Preview,
  ReactionChange,
  ReactionDetails,
  ReactionDraft,
  ReactionInList,
  SavedReaction,
  StartedReplay,
  StatementLinks,
} from '../../../lib/reactions/service-types.ts';
import { callAdmin, sendAdmin } from './client.ts';

/** Begins the keys of all queries about reactions. */
const key = 'reactions';

/** Milliseconds after which counters and progress are read again. */
const pause = 5_000;
/** The same while a replay runs. */
const progressPause = 500;

/** Every reaction that is not deleted. */
export const reactionsQuery = queryOptions({
  queryKey: [key],
  queryFn: async ({ signal }) =>
    (await callAdmin<{ readonly reactions: readonly ReactionInList[] }>('reaction', { signal })).reactions,
  refetchInterval: pause,
});

/** Those that are deleted and kept, the latest first. */
export const deletedReactionsQuery = queryOptions({
  queryKey: [key, 'deleted'],
  queryFn: async ({ signal }) =>
    (
      await callAdmin<{ readonly reactions: readonly DeletedInList[] }>('reaction', {
        query: { deleted: true },
        signal,
      })
    ).reactions,
});

const pageSize = 20;

/** One reaction, with its firings page by page, newest first. */
export function reactionQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [key, 'one', id],
    queryFn: ({ pageParam, signal }) =>
      callAdmin<ReactionDetails>(`reaction/${encodeURIComponent(id)}`, {
        query: { limit: pageSize, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ more }: ReactionDetails) => more,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.replay?.state === 'running' ? progressPause : pause,
  });
}

/** What a statement triggered, page by page, and what triggered it. */
export function statementLinksQuery(statement: string) {
  return infiniteQueryOptions({
    queryKey: [key, 'statement', statement],
    queryFn: ({ pageParam, signal }) =>
      callAdmin<StatementLinks>('reaction/firings', {
        query: { statement, limit: pageSize, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ more }: StatementLinks) => more,
  });
}

/** Which statements a preview examines. */
export type PreviewRange =
  | { readonly statements: number }
  | { readonly since: string; readonly until?: string };

/** The most statements that the screen has a preview examine, as the default of `reactionPreviewStatements` permits. */
export const mostPreviewed = 10_000;

/** What a ruleset would do with stored statements. It writes nothing, though it is sent as a change is. */
export function previewQuery(ruleset: unknown, range: PreviewRange) {
  return queryOptions({
    queryKey: [key, 'preview', ruleset, range],
    queryFn: ({ signal }) =>
      callAdmin<Preview>('reaction/preview', {
        method: 'POST',
        json: { ruleset, statements: mostPreviewed, ...range },
        signal,
      }),
    retry: false,
    // The audit trail keeps previews: none is asked for more often than it has to be.
    staleTime: 60_000,
    gcTime: 60_000,
  });
}

export function createReaction(reaction: ReactionDraft): Promise<SavedReaction> {
  return callAdmin('reaction', { method: 'POST', json: reaction });
}

/** @param expectedModified when it has to be changed last; whenever it was when undefined. */
export function updateReaction(
  reactionId: string,
  change: ReactionChange,
  expectedModified?: string,
): Promise<SavedReaction> {
  return callAdmin('reaction', { method: 'PUT', json: { reactionId, ...change, expectedModified } });
}

export async function deleteReaction(reactionId: string): Promise<void> {
  await sendAdmin('reaction', { method: 'DELETE', json: { reactionId } });
}

/** Has a reaction look at past statements once more. @param from ISO 8601 */
export function replayReaction(reactionId: string, from: string): Promise<StartedReplay> {
  return callAdmin('reaction/replay', { method: 'POST', json: { reactionId, from } });
}
