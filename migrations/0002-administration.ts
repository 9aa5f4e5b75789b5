import type { Migration } from '../lib/db/migrate.ts';

/**
 * Who may administer, and who may speak xAPI.
 * - `admin_account`: people who log in.
 * - `credential`: their key pairs. The secret key stands there twice, never in clear: `secret_hash` to compare with,
 *   `secret_sealed` (encrypted) to show it to its owner. `scopes` is a JSON array.
 * - `server_secret`: random bytes, made once, that the instances share where the configuration has no keys of its own.
 */
export const administration: Migration = {
  name: '0002-administration',

  async up({ dialect, execute }) {
    const { position, uuid, name, bytes, text, ascii } = dialect.columnTypes;
    await execute(`CREATE TABLE admin_account (
      id ${uuid} NOT NULL PRIMARY KEY,
      username ${name} NOT NULL UNIQUE,
      password_hash ${ascii(100)} NOT NULL
    )`);
    await execute(`CREATE TABLE credential (
      id ${uuid} NOT NULL PRIMARY KEY,
      account_id ${uuid} NOT NULL,
      api_key ${name} NOT NULL UNIQUE,
      secret_hash ${bytes} NOT NULL,
      secret_sealed ${bytes} NOT NULL,
      label ${text},
      scopes ${text} NOT NULL,
      created_at ${position} NOT NULL,
      FOREIGN KEY (account_id) REFERENCES admin_account (id) ON DELETE CASCADE
    )`);
    await execute('CREATE INDEX credential_account_id ON credential (account_id)');
    await execute(`CREATE TABLE server_secret (
      name ${ascii(64)} NOT NULL PRIMARY KEY,
      content ${bytes} NOT NULL
    )`);
  },

  async down({ execute }) {
    for (const table of ['server_secret', 'credential', 'admin_account'])
      await execute(`DROP TABLE ${table}`);
  },
};
