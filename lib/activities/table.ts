import type { TableShape } from '../db/types.ts';

/** The columns in the order of a row's values; migrations/0001-first-release/mentions.ts says what they hold. */
export const activityTable = {
  name: 'activity',
  columns: { activity_key: 'hex', id: 'text', definition: 'document' },
} as const satisfies TableShape;
