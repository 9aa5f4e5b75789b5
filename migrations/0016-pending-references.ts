import type { Migration } from '../lib/db/migrate.ts';

/**
 * `reference_pending` holds the statements whose search keys have yet to be handed to statements that refer to them, which is
 * done in slices (docs/decisions/0006-references-are-resolved-when-writing.md). The new index finds the next slice.
 */
export const pendingReferences: Migration = {
  name: '0016-pending-references',

  async up({ dialect, execute }) {
    const { position, uuid } = dialect.columnTypes;
    await execute(`CREATE TABLE reference_pending (
      target ${uuid} NOT NULL PRIMARY KEY,
      step ${position} NOT NULL,
      referrers_through ${position} NOT NULL,
      voiders_through ${position} NOT NULL
    )`);
    await execute('CREATE INDEX reference_pending_step ON reference_pending (step)');
    await execute(
      'CREATE INDEX statement_reference_referrer ON statement_reference (target, voids, position)',
    );
    await execute(dialect.dropIndex('statement_reference_target', 'statement_reference'));
  },

  async down({ dialect, execute }) {
    await execute('CREATE INDEX statement_reference_target ON statement_reference (target)');
    await execute(dialect.dropIndex('statement_reference_referrer', 'statement_reference'));
    await execute('DROP TABLE reference_pending');
  },
};
