import type { Migration } from './migration.ts';

/** `reaction_replay.failed` counts the matches of which the replay could make no statement. */
export const replayFailures: Migration = {
  name: '0002-replay-failures',
  tables: [],

  async up({ dialect, execute }) {
    const { position } = dialect.columnTypes;
    await execute(`ALTER TABLE reaction_replay ADD COLUMN failed ${position} NOT NULL DEFAULT 0`);
  },

  async down({ execute }) {
    await execute('ALTER TABLE reaction_replay DROP COLUMN failed');
  },
};
