import type { Migration } from '../lib/db/migrate.ts';

const name = 'write_turn';

/** Counts who has had the write lock, where transactions are sent before they know (docs/decisions/0012-postgres-and-mariadb.md). */
export const writeTurns: Migration = {
  name: '0014-write-turns',

  async up({ dialect, execute }) {
    if (dialect.counter !== undefined) await execute(dialect.counter.create(name));
  },

  async down({ dialect, execute }) {
    if (dialect.counter !== undefined) await execute(dialect.counter.drop(name));
  },
};
