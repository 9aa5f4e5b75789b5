import type { TableShape } from '../db/types.ts';

/** The columns in the order of a row's values; migrations/0019-feed.ts and 0029-feed-events.ts say what they hold. */
export const consumerTable = {
  name: 'feed_consumer',
  columns: { name: 'text', kind: 'text', position: 'integer', state: 'text', takes_events: 'integer' },
} as const satisfies TableShape;

export const eventTable = {
  name: 'feed_event',
  columns: { position: 'integer', kind: 'text', detail: 'document' },
} as const satisfies TableShape;
