import type { TableShape } from '../db/types.ts';

/* The columns in the order of a row's values; migrations/0001-first-release/mentions.ts says what they hold. */

export const agentTable = {
  name: 'agent',
  columns: { agent_key: 'hex', identifier: 'text' },
} as const satisfies TableShape;

export const agentNameTable = {
  name: 'agent_name',
  columns: {
    name_key: 'hex',
    agent_key: 'hex',
    identifier: 'text',
    name: 'document',
    first_seen: 'position',
  },
} as const satisfies TableShape;
