import type { Migration } from '../lib/db/migrate.ts';

const counter = 'write_turn';

/**
 * `tally_change.position`: that of the first of the statements that the row counts, whose positions are consecutive; without it,
 * the row tells itself when they were stored. Nobody counts turns any more: a process of a release that does fails to write
 * (docs/decisions/0031-statements-are-written-in-one-message.md).
 */
export const batches: Migration = {
  name: '0018-batches',

  async up({ dialect, execute }) {
    await execute(`ALTER TABLE tally_change ADD COLUMN position ${dialect.columnTypes.position}`);
    if (dialect.counter !== undefined) await execute(dialect.counter.drop(counter));
  },

  async down({ dialect, execute }) {
    if (dialect.counter !== undefined) await execute(dialect.counter.create(counter));
    await execute('ALTER TABLE tally_change DROP COLUMN position');
  },
};
