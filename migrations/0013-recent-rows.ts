import type { Migration } from '../lib/db/migrate.ts';

/**
 * The recent index entries lie in one row for each statement, its keys end to end; `statement_recent` takes the place of
 * `statement_key_recent`, which had a row for each entry (docs/decisions/0005-recent-index-entries.md).
 */
export const recentRows: Migration = {
  name: '0013-recent-rows',

  async up({ dialect, execute }) {
    const { position, bytes } = dialect.columnTypes;
    if (dialect.collectsIndexEntries) {
      await execute(
        `INSERT INTO statement_key (search_key, position, fingerprint)
         SELECT search_key, position, fingerprint FROM statement_key_recent`,
      );
    }
    await execute('DROP TABLE statement_key_recent');
    await execute(`CREATE TABLE statement_recent (
      position ${position} NOT NULL PRIMARY KEY,
      fingerprint ${position} NOT NULL,
      search_keys ${bytes} NOT NULL
    )`);
  },

  async down({ dialect, execute }) {
    const { position, searchKey } = dialect.columnTypes;
    await execute('DROP TABLE statement_recent');
    await execute(`CREATE TABLE statement_key_recent (
      position ${position} NOT NULL,
      search_key ${searchKey} NOT NULL,
      fingerprint ${position} NOT NULL DEFAULT -1,
      PRIMARY KEY (position, search_key)
    )${dialect.clusteredTableSuffix}`);
    for (const sql of dialect.quickKey('statement_key_recent', 'search_key', 'there')) await execute(sql);
  },
};
