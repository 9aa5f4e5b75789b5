import type { Migration } from '../lib/db/migrate.ts';

const tables = ['statement_key', 'statement_key_recent'];

/** Index entries: their keys are of the type that the engine compares fastest. */
export const quickKeys: Migration = {
  name: '0012-quick-keys',

  async up({ dialect, execute }) {
    for (const table of tables) {
      for (const sql of dialect.quickKey(table, 'search_key', 'there')) await execute(sql);
    }
  },

  async down({ dialect, execute }) {
    for (const table of tables) {
      for (const sql of dialect.quickKey(table, 'search_key', 'back')) await execute(sql);
    }
  },
};
