import type { Migration } from '../lib/db/migrate.ts';

/**
 * `statement_reference`: `authority_key` stands for who vouches for the statement; `foreign_keys` are the keys that it has
 * only through a statement that somebody else vouches for.
 */
export const referenceAuthorities: Migration = {
  name: '0006-reference-authorities',

  async up({ dialect, execute }) {
    const { searchKey, bytes } = dialect.columnTypes;
    await execute(`ALTER TABLE statement_reference ADD COLUMN authority_key ${searchKey}`);
    await execute(`ALTER TABLE statement_reference ADD COLUMN foreign_keys ${bytes}`);
  },

  async down({ execute }) {
    for (const column of ['foreign_keys', 'authority_key']) {
      await execute(`ALTER TABLE statement_reference DROP COLUMN ${column}`);
    }
  },
};
