/* migrations/0001-first-release/background.ts says what the columns hold. */

import {
  ascii,
  bigint,
  longText,
  name,
  orNull,
  searchKey,
  smallint,
  text,
  uuid,
  withDefault,
} from './columns.ts';
import { table } from './table.ts';

export const feedConsumer = table({
  name: 'feed_consumer',
  columns: {
    name,
    kind: ascii(40),
    position: bigint,
    state: ascii(10),
    lease_owner: orNull(uuid),
    lease_until: withDefault(bigint, 0),
    error: orNull(text),
    attempts: withDefault(bigint, 0),
    next_attempt: withDefault(bigint, 0),
    takes_events: withDefault(smallint, 1),
  },
  primaryKey: ['name'],
});

export const feedEvent = table({
  name: 'feed_event',
  columns: { position: bigint, kind: ascii(20), detail: longText },
  primaryKey: ['position'],
});

export const backgroundTask = table({
  name: 'background_task',
  columns: { name: ascii(40), lease_owner: orNull(ascii(36)), lease_until: bigint, done_at: bigint },
  primaryKey: ['name'],
});

/** Has one row. migrations/0005-write-lock.ts says what the columns hold. */
export const writeLock = table({
  name: 'write_lock',
  columns: { name: ascii(20), watermark: bigint, last_transaction: bigint },
  primaryKey: ['name'],
});

export const reaction = table({
  name: 'reaction',
  columns: {
    id: uuid,
    title: text,
    title_key: orNull(searchKey),
    ruleset: longText,
    active: smallint,
    deleted: withDefault(smallint, 0),
    created: bigint,
    modified: bigint,
    error: orNull(text),
    version: bigint,
    since: bigint,
    stopped: orNull(bigint),
    fired: withDefault(bigint, 0),
    failed: withDefault(bigint, 0),
    last_fired: orNull(bigint),
    missed_from: orNull(bigint),
    missed_through: orNull(bigint),
    deleted_at: orNull(bigint),
    last_failure: orNull(text),
  },
  primaryKey: ['id'],
  unique: ['title_key'],
});

export const reactionFiring = table({
  name: 'reaction_firing',
  columns: {
    statement_id: uuid,
    reaction_id: uuid,
    version: bigint,
    trigger_id: uuid,
    trigger_position: bigint,
    position: bigint,
    matched: longText,
    combination: orNull(uuid),
    chain_start: withDefault(bigint, 0),
    trigger_erased: withDefault(smallint, 0),
  },
  primaryKey: ['statement_id'],
  indexes: {
    reaction_firing_reaction: ['reaction_id', 'position'],
    reaction_firing_trigger: ['trigger_id', 'reaction_id', 'version'],
    reaction_firing_chain: ['chain_start', 'position'],
  },
});

export const reactionReplay = table({
  name: 'reaction_replay',
  columns: {
    reaction_id: uuid,
    since: bigint,
    through: bigint,
    reached: orNull(bigint),
    failed: withDefault(bigint, 0),
    problems: orNull(longText),
    refused: withDefault(bigint, 0),
  },
  primaryKey: ['reaction_id'],
});
