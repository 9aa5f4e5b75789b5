import type { Feed } from '../feed/types.ts';

/** The feed consumer that serves all active reactions, and its kind. */
export const reactionsConsumer = 'reactions';

/** The kind of the feed consumers that carry out replays. */
export const replayKind = 'replay';

/** The kinds of all consumers for which nothing works while reactions are switched off. */
export const reactionConsumerKinds: readonly string[] = [reactionsConsumer, replayKind];

/**
 * Creates the consumer unless it exists: it gets everything stored from then on, also while reactions are switched off.
 * Called at the start and when a reaction becomes active, because functions may have been deployed before reactions were
 * switched on.
 */
export function ensureReactionsConsumer(feed: Pick<Feed, 'ensureConsumer'>): Promise<void> {
  return feed.ensureConsumer({ name: reactionsConsumer, kind: reactionsConsumer, takesEvents: false });
}
