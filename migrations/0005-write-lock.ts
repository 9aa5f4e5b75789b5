import type { Migration } from './migration.ts';

/**
 * `write_lock` has one row, for databases whose servers replicate each other (docs/decisions/0063-failover.md). `watermark` is
 * the latest consistent-through watermark that was taken from a clock, a position; later positions are greater.
 * `last_transaction` is a random number of the last transaction in a Galera cluster, so that two at the same time conflict.
 */
export const writeLock: Migration = {
  name: '0005-write-lock',
  tables: ['write_lock'],

  async up({ dialect, execute }) {
    const { position, ascii } = dialect.columnTypes;
    await execute(`CREATE TABLE write_lock (
      name ${ascii(20)} NOT NULL PRIMARY KEY,
      watermark ${position} NOT NULL,
      last_transaction ${position} NOT NULL
    )`);
    await execute("INSERT INTO write_lock (name, watermark, last_transaction) VALUES ('statements', 0, 0)");
  },

  async down({ execute }) {
    await execute('DROP TABLE write_lock');
  },
};
