import type { TableShape } from '../db/types.ts';

/** The columns in the order of a row's values; migrations/0001-first-release/background.ts says what they hold. */
export const consumerTable = {
  name: 'feed_consumer',
  columns: { name: 'text', kind: 'text', position: 'integer', state: 'text', takes_events: 'integer' },
} as const satisfies TableShape;

export const eventTable = {
  name: 'feed_event',
  columns: { position: 'integer', kind: 'text', detail: 'document' },
} as const satisfies TableShape;
