import type { Migration } from '../lib/db/migrate.ts';

/**
 * `background_task`: which process does a task of the background function, until when (`lease_until`, microseconds since the
 * epoch), and when it was last done (`done_at`).
 */
export const background: Migration = {
  name: '0022-background',

  async up({ dialect, execute }) {
    const { position, ascii } = dialect.columnTypes;
    await execute(`CREATE TABLE background_task (
      name ${ascii(40)} NOT NULL PRIMARY KEY,
      lease_owner ${ascii(36)},
      lease_until ${position} NOT NULL,
      done_at ${position} NOT NULL
    )`);
  },

  async down({ execute }) {
    await execute('DROP TABLE background_task');
  },
};
