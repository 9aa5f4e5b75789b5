/* migrations/0001-first-release/statistics.ts says what the columns hold. */

import { bigint, longText, name, orNull, position, searchKey, text } from './columns.ts';
import { table } from './table.ts';

export const tallyChange = table({
  name: 'tally_change',
  columns: { id: searchKey, changes: longText, position: orNull(position) },
  primaryKey: ['id'],
});

export const statementTotal = table({
  name: 'statement_total',
  columns: { name, amount: bigint },
  primaryKey: ['name'],
});

export const statementTime = table({
  name: 'statement_time',
  columns: { slot: bigint, statements: bigint },
  primaryKey: ['slot'],
});

export const statementPlatform = table({
  name: 'statement_platform',
  columns: { platform_key: searchKey, platform: longText, statements: bigint },
  primaryKey: ['platform_key'],
});

export const statementActor = table({
  name: 'statement_actor',
  columns: { actor_key: searchKey, statements: bigint },
  primaryKey: ['actor_key'],
});

export const statementVerb = table({
  name: 'statement_verb',
  columns: { verb_key: searchKey, verb: longText, statements: bigint },
  primaryKey: ['verb_key'],
});

export const statementActivity = table({
  name: 'statement_activity',
  columns: { activity_key: searchKey, activity: longText, statements: bigint },
  primaryKey: ['activity_key'],
});

export const statementTop = table({
  name: 'statement_top',
  columns: { name, top: text },
  primaryKey: ['name'],
});
