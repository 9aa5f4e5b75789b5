import type { Migration } from './migration.ts';

/**
 * `reaction.deleted_at` is when a reaction was deleted (microseconds since the epoch), null while it is not.
 * `reaction_replay.problems` says why the replay could make no statement of some matches: JSON, null where it could of all.
 */
export const reactionRecords: Migration = {
  name: '0004-reaction-records',
  tables: [],

  async up({ dialect, execute }) {
    const { position, text } = dialect.columnTypes;
    await execute(`ALTER TABLE reaction ADD COLUMN deleted_at ${position}`);
    await execute('UPDATE reaction SET deleted_at = modified WHERE deleted = 1');
    await execute(`ALTER TABLE reaction_replay ADD COLUMN problems ${text}`);
  },

  async down({ execute }) {
    await execute('ALTER TABLE reaction_replay DROP COLUMN problems');
    await execute('ALTER TABLE reaction DROP COLUMN deleted_at');
  },
};
