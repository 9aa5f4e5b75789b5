import type { Migration } from '../lib/db/migrate.ts';

/**
 * - `reaction`: what it has not looked at since it was made, after `missed_from` up to `missed_through`; null when that is
 *   nothing. It spans all gaps that no replay has covered.
 * - `reaction_firing`: `combination` stands for the matched statements once one of their ids is gone from `matched` because the
 *   statement was erased; null before. `trigger_id` is the UUID of zeros then, if the trigger is the one.
 */
export const reactionGaps: Migration = {
  name: '0023-reaction-gaps',

  async up({ dialect, execute }) {
    const { position, uuid } = dialect.columnTypes;
    await execute(`ALTER TABLE reaction ADD COLUMN missed_from ${position}`);
    await execute(`ALTER TABLE reaction ADD COLUMN missed_through ${position}`);
    await execute(`UPDATE reaction SET missed_from = stopped, missed_through = since
      WHERE active = 1 AND stopped < since AND NOT EXISTS (SELECT 1 FROM reaction_replay r
        WHERE r.reaction_id = reaction.id AND r.since <= reaction.stopped AND r.reached >= reaction.since)`);
    await execute(`ALTER TABLE reaction_firing ADD COLUMN combination ${uuid}`);
  },

  async down({ execute }) {
    await execute('ALTER TABLE reaction_firing DROP COLUMN combination');
    await execute('ALTER TABLE reaction DROP COLUMN missed_through');
    await execute('ALTER TABLE reaction DROP COLUMN missed_from');
  },
};
