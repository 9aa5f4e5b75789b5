import type { Migration } from './migration.ts';

/** `reaction.last_failure` says why the latest match has failed that `failed` counts: JSON as in `error`, null where none has. */
export const reactionFailures: Migration = {
  name: '0007-reaction-failures',
  tables: [],

  async up({ dialect, execute }) {
    await execute(`ALTER TABLE reaction ADD COLUMN last_failure ${dialect.columnTypes.text}`);
  },

  async down({ execute }) {
    await execute('ALTER TABLE reaction DROP COLUMN last_failure');
  },
};
