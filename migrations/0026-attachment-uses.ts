import type { Migration } from '../lib/db/migrate.ts';

/** `statement_attachment_use` leads to the newest statements with a content. It stands in for the index by content alone. */
export const attachmentUses: Migration = {
  name: '0026-attachment-uses',

  async up({ execute, dialect }) {
    await execute('CREATE INDEX statement_attachment_use ON statement_attachment (sha2, position)');
    await execute(dialect.dropIndex('statement_attachment_sha2', 'statement_attachment'));
  },

  async down({ execute, dialect }) {
    await execute('CREATE INDEX statement_attachment_sha2 ON statement_attachment (sha2)');
    await execute(dialect.dropIndex('statement_attachment_use', 'statement_attachment'));
  },
};
