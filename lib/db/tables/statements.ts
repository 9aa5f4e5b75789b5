/* migrations/0001-first-release/statements.ts says what the columns hold. */

import {
  ascii,
  bigint,
  bytes,
  content,
  indexKey,
  integer,
  longText,
  orNull,
  position,
  searchKey,
  smallint,
  text,
  uuid,
  withDefault,
} from './columns.ts';
import { table } from './table.ts';

export const statement = table({
  name: 'statement',
  columns: {
    position,
    id: uuid,
    voided: withDefault(smallint, 0),
    verb: text,
    actor: orNull(text),
    object: orNull(text),
    registration: orNull(uuid),
    timestamp: text,
    payload: longText,
  },
  primaryKey: ['position'],
  unique: ['id'],
});

export const statementKey = table({
  name: 'statement_key',
  columns: { search_key: indexKey, position, fingerprint: withDefault(bigint, -1) },
  primaryKey: ['search_key', 'position'],
});

export const statementKeyBuffer = table({
  name: 'statement_key_buffer',
  columns: { position, fingerprint: bigint, search_keys: bytes },
  primaryKey: ['position'],
});

export const statementReference = table({
  name: 'statement_reference',
  columns: {
    position: bigint,
    id: uuid,
    target: uuid,
    voids: smallint,
    search_keys: bytes,
    authority_key: orNull(searchKey),
    foreign_keys: orNull(bytes),
  },
  primaryKey: ['position'],
  unique: ['id'],
  indexes: { statement_reference_referrer: ['target', 'voids', 'position'] },
});

export const referencePending = table({
  name: 'reference_pending',
  columns: { target: uuid, step: bigint, referrers_through: bigint, voiders_through: bigint },
  primaryKey: ['target'],
  indexes: { reference_pending_step: ['step'] },
});

export const attachment = table({
  name: 'attachment',
  columns: { sha2: ascii(128), length: bigint, content },
  primaryKey: ['sha2'],
});

export const statementAttachment = table({
  name: 'statement_attachment',
  columns: { position, sha2: ascii(128), content_type: text },
  primaryKey: ['position', 'sha2'],
  indexes: { statement_attachment_use: ['sha2', 'position'] },
});

export const attachmentObject = table({
  name: 'attachment_object',
  columns: { sha2: ascii(128), object_id: ascii(36), length: bigint, sent_along: withDefault(integer, 0) },
  primaryKey: ['sha2'],
  unique: ['object_id'],
});

export const attachmentUpload = table({
  name: 'attachment_upload',
  columns: {
    object_id: ascii(36),
    owner: ascii(32),
    sha2: ascii(128),
    length: bigint,
    content_type: text,
    expires: bigint,
  },
  primaryKey: ['object_id'],
  indexes: { attachment_upload_owner: ['owner', 'sha2'], attachment_upload_expires: ['expires'] },
});

export const abandonedStatement = table({
  name: 'abandoned_statement',
  columns: { position: bigint },
  primaryKey: ['position'],
});

export const actorErasure = table({
  name: 'actor_erasure',
  columns: { actor_key: searchKey, identifier: longText, progress: longText },
  primaryKey: ['actor_key'],
});

export const taskProgress = table({
  name: 'task_progress',
  columns: { task: ascii(64), position: bigint },
  primaryKey: ['task'],
});
