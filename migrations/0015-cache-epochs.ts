import type { Migration } from '../lib/db/migrate.ts';

/**
 * `cache_epoch`: by what processes see that what they have cached of the database counts no more
 * (docs/decisions/0029-in-process-caches.md). `epoch` is a random number, replaced when rows of its kind change: `agents`
 * when Agents or their names are deleted, `definitions` when the stored definition of an Activity changes.
 */
export const cacheEpochs: Migration = {
  name: '0015-cache-epochs',

  async up({ dialect, execute }) {
    const { position, ascii } = dialect.columnTypes;
    await execute(`CREATE TABLE cache_epoch (
      name ${ascii(20)} NOT NULL PRIMARY KEY,
      epoch ${position} NOT NULL
    )`);
    await execute("INSERT INTO cache_epoch (name, epoch) VALUES ('agents', 0), ('definitions', 0)");
  },

  async down({ execute }) {
    await execute('DROP TABLE cache_epoch');
  },
};
