import * as administration from './tables/administration.ts';
import * as background from './tables/background.ts';
import * as mentions from './tables/mentions.ts';
import * as statements from './tables/statements.ts';
import * as statistics from './tables/statistics.ts';
import * as stores from './tables/stores.ts';
import type { TableDefinition } from './tables/table.ts';

const names = [administration, background, mentions, statements, statistics, stores]
  .flatMap((subject) => Object.values<TableDefinition>(subject))
  .map(({ name }) => name);

/** Selects nothing, and fails where a table is missing. */
export const allTablesSql = names
  .map((name) => `SELECT 1 AS one FROM ${name} WHERE 1 = 0`)
  .join(' UNION ALL ');
