/* migrations/0001-first-release/administration.ts says what the columns hold. */

import {
  ascii,
  bigint,
  bytes,
  integer,
  longText,
  name,
  orNull,
  searchKey,
  text,
  uuid,
  withDefault,
} from './columns.ts';
import { table } from './table.ts';

export const adminAccount = table({
  name: 'admin_account',
  columns: {
    id: uuid,
    username: name,
    password_hash: ascii(100),
    issuer: orNull(text),
    token_generation: withDefault(integer, 0),
    kept_token: orNull(text),
  },
  primaryKey: ['id'],
  unique: ['username'],
});

export const credential = table({
  name: 'credential',
  columns: {
    id: uuid,
    account_id: uuid,
    api_key: name,
    secret_hash: bytes,
    secret_sealed: bytes,
    label: orNull(text),
    scopes: text,
    created_at: bigint,
  },
  primaryKey: ['id'],
  unique: ['api_key'],
  indexes: { credential_account_id: ['account_id'] },
  references: { account_id: adminAccount },
});

export const serverSecret = table({
  name: 'server_secret',
  columns: { name: ascii(64), content: bytes },
  primaryKey: ['name'],
});

export const loginMark = table({
  name: 'login_mark',
  columns: { mark: searchKey, ends_at: bigint },
  primaryKey: ['mark'],
  indexes: { login_mark_ends_at: ['ends_at'] },
});

export const spentToken = table({
  name: 'spent_token',
  columns: { id: uuid, expires_at: bigint },
  primaryKey: ['id'],
  indexes: { spent_token_expires_at: ['expires_at'] },
});

export const auditEvent = table({
  name: 'audit_event',
  columns: {
    at: bigint,
    id: uuid,
    account_id: orNull(uuid),
    username: orNull(name),
    action: text,
    subject: orNull(text),
    client: orNull(text),
    status: integer,
    kind: orNull(name),
    key_pair: orNull(text),
    agent_key: orNull(searchKey),
    details: orNull(longText),
    merge_key: orNull(searchKey),
    times: withDefault(integer, 1),
    last_at: orNull(bigint),
  },
  primaryKey: ['at', 'id'],
  indexes: { audit_event_agent: ['agent_key', 'at'], audit_event_merge: ['merge_key', 'at'] },
});
