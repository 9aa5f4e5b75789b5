import type { TableShape } from '../../db/types.ts';

/* The columns that a new row is given, in the order of its values; migrations/0001-first-release/background.ts says what they hold. */

export const reactionTable = {
  name: 'reaction',
  columns: {
    id: 'uuid',
    title: 'text',
    title_key: 'hex',
    ruleset: 'document',
    active: 'integer',
    created: 'integer',
    modified: 'integer',
    version: 'integer',
    since: 'integer',
  },
} as const satisfies TableShape;

export const firingTable = {
  name: 'reaction_firing',
  columns: {
    statement_id: 'uuid',
    reaction_id: 'uuid',
    version: 'integer',
    trigger_id: 'uuid',
    trigger_position: 'integer',
    position: 'integer',
    matched: 'document',
    chain_start: 'integer',
  },
} as const satisfies TableShape;
