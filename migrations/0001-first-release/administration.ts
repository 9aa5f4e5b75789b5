import type { MigrationContext, MigrationPart } from '../migration.ts';

/**
 * Who may administer, who may use the xAPI, and what they did.
 * - `admin_account`: people who log in. `issuer` is the system that vouches for an account without a password (its
 *   `password_hash` is empty then). Tokens of an earlier generation than `token_generation` are revoked, except the one whose
 *   `jti` is `kept_token`.
 * - `credential`: their key pairs. The secret key is stored twice, never in clear: `secret_hash` to compare with,
 *   `secret_sealed` (encrypted) to show it to its owner. `scopes` is a JSON array.
 * - `server_secret`: random bytes, made once, that the instances share where the configuration has no keys of its own.
 * - `login_mark`: what slows wrong logins down; a mark counts until `ends_at` (milliseconds since the epoch).
 * - `spent_token`: one-time tokens that have been used, until they would have expired (`expires_at`, seconds since the epoch).
 * - `audit_event`: who did what, `at` in microseconds since the epoch. It refers to no account by key, because it outlives
 *   them. A `status` of 0 says that the outcome is not known. `kind` is what the filter of the trail goes by; `key_pair` the
 *   API key that a request to the xAPI carried; `agent_key` stands for the Agent whom the event is about (as in the table
 *   `agent`); `details` is JSON (lib/audit/store.ts). Equal events within a time share a row, which `merge_key` finds:
 *   `times` counts them, `last_at` is when the last one was.
 */
export const administration: MigrationPart = {
  tables: ['admin_account', 'credential', 'server_secret', 'login_mark', 'spent_token', 'audit_event'],

  async create(context) {
    await createAccounts(context);
    await createSecrets(context);
    await createAuditTrail(context);
  },
};

async function createAccounts({ dialect, execute }: MigrationContext): Promise<void> {
  const { position, uuid, name, bytes, text, ascii } = dialect.columnTypes;
  await execute(`CREATE TABLE admin_account (
    id ${uuid} NOT NULL PRIMARY KEY,
    username ${name} NOT NULL UNIQUE,
    password_hash ${ascii(100)} NOT NULL,
    issuer ${text},
    token_generation INTEGER NOT NULL DEFAULT 0,
    kept_token ${text}
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
}

async function createSecrets({ dialect, execute }: MigrationContext): Promise<void> {
  const { position, uuid, searchKey, bytes, ascii } = dialect.columnTypes;
  await execute(`CREATE TABLE server_secret (
    name ${ascii(64)} NOT NULL PRIMARY KEY,
    content ${bytes} NOT NULL
  )`);
  await execute(`CREATE TABLE login_mark (
    mark ${searchKey} NOT NULL PRIMARY KEY,
    ends_at ${position} NOT NULL
  )${dialect.clusteredTableSuffix}`);
  await execute('CREATE INDEX login_mark_ends_at ON login_mark (ends_at)');
  await execute(`CREATE TABLE spent_token (
    id ${uuid} NOT NULL PRIMARY KEY,
    expires_at ${position} NOT NULL
  )`);
  await execute('CREATE INDEX spent_token_expires_at ON spent_token (expires_at)');
}

async function createAuditTrail({ dialect, execute }: MigrationContext): Promise<void> {
  const { position, uuid, searchKey, name, text } = dialect.columnTypes;
  await execute(`CREATE TABLE audit_event (
    at ${position} NOT NULL,
    id ${uuid} NOT NULL,
    account_id ${uuid},
    username ${name},
    action ${text} NOT NULL,
    subject ${text},
    client ${text},
    status INTEGER NOT NULL,
    kind ${name},
    key_pair ${text},
    agent_key ${searchKey},
    details ${text},
    merge_key ${searchKey},
    times INTEGER NOT NULL DEFAULT 1,
    last_at ${position},
    PRIMARY KEY (at, id)
  )${dialect.clusteredTableSuffix}`);
  await execute('CREATE INDEX audit_event_agent ON audit_event (agent_key, at)');
  await execute('CREATE INDEX audit_event_merge ON audit_event (merge_key, at)');
}
