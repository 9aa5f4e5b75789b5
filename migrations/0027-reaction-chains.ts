import type { Migration } from '../lib/db/migrate.ts';

/** In `trigger_id` of a firing whose trigger was erased. A statement may have this id, too. */
const noStatement = '00000000-0000-0000-0000-000000000000';

/**
 * `reaction_firing`: `chain_start` is the position of the statement that began the chain, which no reaction has made: that of the
 * trigger of the first firing in the chain. Chains from before this step count as one for each trigger. `trigger_erased` tells that
 * the trigger was erased, and that `trigger_id` stands for none.
 */
export const reactionChains: Migration = {
  name: '0027-reaction-chains',

  async up({ dialect, execute }) {
    const { position } = dialect.columnTypes;
    await execute(`ALTER TABLE reaction_firing ADD COLUMN chain_start ${position} NOT NULL DEFAULT 0`);
    await execute('ALTER TABLE reaction_firing ADD COLUMN trigger_erased SMALLINT NOT NULL DEFAULT 0');
    await execute('UPDATE reaction_firing SET chain_start = trigger_position WHERE chain_start = 0');
    await execute(`UPDATE reaction_firing SET trigger_erased = 1 WHERE trigger_id = '${noStatement}'
      AND combination IS NOT NULL AND matched NOT LIKE '%"${noStatement}"%'`);
    await execute('CREATE INDEX reaction_firing_chain ON reaction_firing (chain_start)');
  },

  async down({ execute, dialect }) {
    await execute(dialect.dropIndex('reaction_firing_chain', 'reaction_firing'));
    await execute('ALTER TABLE reaction_firing DROP COLUMN trigger_erased');
    await execute('ALTER TABLE reaction_firing DROP COLUMN chain_start');
  },
};
