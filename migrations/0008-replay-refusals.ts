import type { Migration } from './migration.ts';

/** `reaction_replay.refused` counts the matches whose statements have no room in their chain. */
export const replayRefusals: Migration = {
  name: '0008-replay-refusals',
  tables: [],

  async up({ dialect, execute }) {
    const { position } = dialect.columnTypes;
    await execute(`ALTER TABLE reaction_replay ADD COLUMN refused ${position} NOT NULL DEFAULT 0`);
  },

  async down({ execute }) {
    await execute('ALTER TABLE reaction_replay DROP COLUMN refused');
  },
};
