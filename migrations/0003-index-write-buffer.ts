import type { Migration } from './migration.ts';

/** Gives the table of the index write buffer its present name. */
export const indexWriteBuffer: Migration = {
  name: '0003-index-write-buffer',
  tables: [],
  async up({ execute }) {
    await execute('ALTER TABLE statement_recent RENAME TO statement_key_buffer');
  },
  async down({ execute }) {
    await execute('ALTER TABLE statement_key_buffer RENAME TO statement_recent');
  },
};
