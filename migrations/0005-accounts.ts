import type { Migration } from '../lib/db/migrate.ts';

/**
 * - `admin_account`: `issuer` is the system that vouches for an account without a password (its `password_hash` is empty
 *   then). Tokens of an earlier generation than `token_generation` are revoked, except the one whose `jti` is `kept_token`.
 * - `login_mark`: what slows wrong logins down; a mark counts until `ends_at` (milliseconds since the epoch).
 * - `audit_event`: who did what through the administration, `at` in microseconds since the epoch. It refers to no account
 *   by key, because it outlives them.
 */
export const accounts: Migration = {
  name: '0005-accounts',

  async up({ dialect, execute }) {
    const { position, uuid, searchKey, name, text } = dialect.columnTypes;
    await execute(`ALTER TABLE admin_account ADD COLUMN issuer ${text}`);
    await execute('ALTER TABLE admin_account ADD COLUMN token_generation INTEGER NOT NULL DEFAULT 0');
    await execute(`ALTER TABLE admin_account ADD COLUMN kept_token ${text}`);
    await execute(`CREATE TABLE login_mark (
      mark ${searchKey} NOT NULL PRIMARY KEY,
      ends_at ${position} NOT NULL
    )${dialect.clusteredTableSuffix}`);
    await execute('CREATE INDEX login_mark_ends_at ON login_mark (ends_at)');
    await execute(`CREATE TABLE audit_event (
      at ${position} NOT NULL,
      id ${uuid} NOT NULL,
      account_id ${uuid},
      username ${name},
      action ${text} NOT NULL,
      subject ${text},
      client ${text},
      status INTEGER NOT NULL,
      PRIMARY KEY (at, id)
    )${dialect.clusteredTableSuffix}`);
  },

  async down({ execute }) {
    for (const table of ['audit_event', 'login_mark']) await execute(`DROP TABLE ${table}`);
    for (const column of ['kept_token', 'token_generation', 'issuer']) {
      await execute(`ALTER TABLE admin_account DROP COLUMN ${column}`);
    }
  },
};
