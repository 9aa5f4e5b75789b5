import { administration } from './0001-first-release/administration.ts';
import { background } from './0001-first-release/background.ts';
import { mentions } from './0001-first-release/mentions.ts';
import { statements } from './0001-first-release/statements.ts';
import { statistics } from './0001-first-release/statistics.ts';
import { firstMigration } from './latest.ts';
import type { Migration } from './migration.ts';

const parts = [statements, mentions, administration, statistics, background];

/** Every table and view of the first release, by subject. */
export const firstRelease: Migration = {
  name: firstMigration,
  tables: parts.flatMap(({ tables }) => tables),

  async up(context) {
    for (const { create } of parts) await create(context);
  },

  async down({ execute }) {
    await execute('DROP VIEW statement_report');
    for (const table of firstRelease.tables.toReversed()) await execute(`DROP TABLE ${table}`);
  },
};
