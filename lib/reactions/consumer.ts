import type { Feed } from '../feed/types.ts';

/** The feed consumer that serves all active reactions, and its kind. */
export const reactionsConsumer = 'reactions';

/**
 * Makes the consumer unless it is there: what is stored from then on counts, also while reactions are switched off again. It is
 * called at the start and when a reaction becomes active, because functions may have been deployed before reactions were
 * switched on.
 */
export function ensureReactionsConsumer(feed: Pick<Feed, 'ensureConsumer'>): Promise<void> {
  return feed.ensureConsumer({ name: reactionsConsumer, kind: reactionsConsumer, takesEvents: false });
}
