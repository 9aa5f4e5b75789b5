import { reaction, reactionFiring } from '../../db/tables/background.ts';
import { rowsOf } from '../../db/tables/table.ts';

/* The rows that are inserted. */

export const reactionTable = rowsOf(
  reaction,
  'id',
  'title',
  'title_key',
  'ruleset',
  'active',
  'created',
  'modified',
  'version',
  'since',
);

export const firingTable = rowsOf(
  reactionFiring,
  'statement_id',
  'reaction_id',
  'version',
  'trigger_id',
  'trigger_position',
  'position',
  'matched',
  'chain_start',
);
