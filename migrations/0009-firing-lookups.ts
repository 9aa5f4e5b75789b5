import { latestMigration } from './latest.ts';
import type { Migration } from './migration.ts';

/**
 * Indexes of `reaction_firing`, so that a transaction reads only a few of many firings: what a trigger has caused in one reaction,
 * and what has come about in a chain since a position.
 */
export const firingLookups: Migration = {
  name: latestMigration,
  tables: [],

  async up({ dialect, execute }) {
    await execute(dialect.dropIndex('reaction_firing_trigger', 'reaction_firing'));
    await execute(
      'CREATE INDEX reaction_firing_trigger ON reaction_firing (trigger_id, reaction_id, version)',
    );
    await execute(dialect.dropIndex('reaction_firing_chain', 'reaction_firing'));
    await execute('CREATE INDEX reaction_firing_chain ON reaction_firing (chain_start, position)');
  },

  async down({ dialect, execute }) {
    await execute(dialect.dropIndex('reaction_firing_chain', 'reaction_firing'));
    await execute('CREATE INDEX reaction_firing_chain ON reaction_firing (chain_start)');
    await execute(dialect.dropIndex('reaction_firing_trigger', 'reaction_firing'));
    await execute('CREATE INDEX reaction_firing_trigger ON reaction_firing (trigger_id)');
  },
};
