/* migrations/0001-first-release/mentions.ts says what the columns hold. */

import {
  ascii,
  bigint,
  char,
  content,
  longText,
  orNull,
  position,
  searchKey,
  text,
  uuid,
} from './columns.ts';
import { table } from './table.ts';

export const agent = table({
  name: 'agent',
  columns: { agent_key: searchKey, identifier: text },
  primaryKey: ['agent_key'],
});

export const agentName = table({
  name: 'agent_name',
  columns: {
    name_key: searchKey,
    agent_key: searchKey,
    identifier: text,
    name: longText,
    first_seen: position,
  },
  primaryKey: ['name_key'],
  indexes: { agent_name_first_seen: ['agent_key', 'first_seen', 'name_key'] },
});

export const activity = table({
  name: 'activity',
  columns: { activity_key: searchKey, id: text, definition: longText },
  primaryKey: ['activity_key'],
});

export const document = table({
  name: 'document',
  columns: {
    document_key: searchKey,
    collection_key: searchKey,
    kind: ascii(20),
    activity: orNull(text),
    agent: orNull(text),
    registration: orNull(uuid),
    id: text,
    content_type: text,
    etag: char(40),
    updated: bigint,
    content,
  },
  primaryKey: ['document_key'],
  indexes: {
    document_collection_key: ['collection_key'],
    document_kind: ['kind', 'document_key'],
    document_agent: ['agent'],
    document_activity: ['activity'],
  },
});

export const cacheEpoch = table({
  name: 'cache_epoch',
  columns: { name: ascii(20), epoch: bigint },
  primaryKey: ['name'],
});
