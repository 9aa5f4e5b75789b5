import type { Migration } from '../lib/db/migrate.ts';

const tables = ['statement_key', 'statement_key_recent'];
const key = ['search_key', 'position'];

/**
 * Index entries: `fingerprint` tells which further entries their statement may have (docs/decisions/0026-fingerprints.md).
 * Those of an older release have -1, which rules nothing out.
 */
export const fingerprints: Migration = {
  name: '0011-fingerprints',

  async up({ dialect, execute }) {
    for (const table of tables) {
      await execute(
        `ALTER TABLE ${table} ADD COLUMN fingerprint ${dialect.columnTypes.position} NOT NULL DEFAULT -1`,
      );
    }
    for (const sql of dialect.carryInKey('statement_key', key, ['fingerprint'])) await execute(sql);
  },

  async down({ dialect, execute }) {
    for (const sql of dialect.carryInKey('statement_key', key, [])) await execute(sql);
    for (const table of tables) await execute(`ALTER TABLE ${table} DROP COLUMN fingerprint`);
  },
};
