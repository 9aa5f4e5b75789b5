import type { Migration } from '../lib/db/migrate.ts';

/**
 * `reaction_replay`: the latest replay of a reaction, over the statements after `since` up to `through`. A feed consumer carries it
 * out; when it has ended, `reached` says where, and the consumer is gone.
 */
export const reactionReplays: Migration = {
  name: '0021-reaction-replays',

  async up({ dialect, execute }) {
    const { position, uuid } = dialect.columnTypes;
    await execute(`CREATE TABLE reaction_replay (
      reaction_id ${uuid} NOT NULL PRIMARY KEY,
      since ${position} NOT NULL,
      through ${position} NOT NULL,
      reached ${position}
    )`);
  },

  async down({ execute }) {
    await execute('DROP TABLE reaction_replay');
  },
};
