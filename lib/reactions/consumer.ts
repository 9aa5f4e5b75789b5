import type { Feed } from '../feed/types.ts';

/** The feed consumer that serves all active reactions but the slow ones, and its kind. */
export const reactionsConsumer = 'reactions';

/** The kind of the feed consumers that carry out replays. */
export const replayKind = 'replay';

/** The kind of the feed consumers that serve one reaction each, which is too slow to be served with the others. */
export const slowReactionKind = 'slow-reaction';

/** The name of the consumer that serves a slow reaction. */
export function slowReactionConsumer(reactionId: string): string {
  return `${slowReactionKind} ${reactionId}`;
}

/** The reaction that the consumer serves. */
export function slowReactionOf(consumer: string): string {
  return consumer.slice(slowReactionKind.length + 1);
}

/** The kinds of all consumers for which nothing works while reactions are switched off. */
export const reactionConsumerKinds: readonly string[] = [reactionsConsumer, slowReactionKind, replayKind];

/**
 * Creates the consumer unless it exists: it gets everything stored from then on, also while reactions are switched off.
 * Called at the start and when a reaction becomes active, because functions may have been deployed before reactions were
 * switched on.
 */
export function ensureReactionsConsumer(feed: Pick<Feed, 'ensureConsumer'>): Promise<void> {
  return feed.ensureConsumer({ name: reactionsConsumer, kind: reactionsConsumer, takesEvents: false });
}
