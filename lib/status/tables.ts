import type { TableShape } from '../db/types.ts';

/** The columns in the order of a row's values; migrations/0001-first-release/statistics.ts says what they hold. */
export const changeTable = {
  name: 'tally_change',
  columns: { id: 'hex', changes: 'document', position: 'position' },
} as const satisfies TableShape;

export const timeTable = {
  name: 'statement_time',
  columns: { slot: 'integer', statements: 'integer' },
} as const satisfies TableShape;

export const platformTable = {
  name: 'statement_platform',
  columns: { platform_key: 'hex', platform: 'document', statements: 'integer' },
} as const satisfies TableShape;

export const actorTable = {
  name: 'statement_actor',
  columns: { actor_key: 'hex', statements: 'integer' },
} as const satisfies TableShape;

export const verbTable = {
  name: 'statement_verb',
  columns: { verb_key: 'hex', verb: 'document', statements: 'integer' },
} as const satisfies TableShape;

export const activityTable = {
  name: 'statement_activity',
  columns: { activity_key: 'hex', activity: 'document', statements: 'integer' },
} as const satisfies TableShape;
