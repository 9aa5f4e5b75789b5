import type { Migration } from './migration.ts';

/**
 * `store`: the stores of an installation beside the default one, in whose database the table is used. `server` names the
 * database server in the configuration, `settings` is JSON, `created` in milliseconds since the epoch.
 */
export const stores: Migration = {
  name: '0006-stores',
  tables: ['store'],
  async up({ dialect, execute }) {
    const { position, ascii, text } = dialect.columnTypes;
    await execute(`CREATE TABLE store (
      name ${ascii(40)} NOT NULL PRIMARY KEY,
      server ${ascii(40)} NOT NULL,
      state ${ascii(10)} NOT NULL,
      settings ${text} NOT NULL,
      created ${position} NOT NULL
    )`);
  },
  async down({ execute }) {
    await execute('DROP TABLE store');
  },
};
