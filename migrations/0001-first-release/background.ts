import type { MigrationContext, MigrationPart } from '../migration.ts';

/**
 * What works behind the storing of statements. Times are microseconds since the epoch.
 * - `feed_consumer`: who is told of what is stored, and how far each has come: items at or before `position` are done
 *   (docs/decisions/0033-the-feed.md). A process works for a consumer while it has the lease, until `lease_until`. `attempts`
 *   have failed in a row, the last with `error`; the next one is made at `next_attempt`. `takes_events` is 0 for consumers
 *   that need statements only; events are not kept for them.
 * - `feed_event`: what has happened and is no stored statement, at positions that no statement has. `detail` is JSON.
 * - `background_task`: which process does a task of the background function, until when (`lease_until`), and when it was last
 *   done (`done_at`).
 * - `reaction` (docs/decisions/0034-reactions.md): `title_key` stands for the title, and is null when the reaction is deleted,
 *   so that the title can be used again. `version` counts the rulesets that it has had. Statements after `since` trigger it;
 *   one that has stopped has looked at statements up to `stopped`. What it has not looked at since it was made lies after
 *   `missed_from` up to `missed_through`, null when that is nothing, and spans all gaps that no replay has covered. `failed`
 *   counts matches that made no statement, `error` is JSON.
 * - `reaction_firing`: the statements that reactions have made, by what they were triggered; `matched` is JSON, the id of the
 *   statement for each condition. A row stays when its statement is erased, so that it is not made again: `combination`
 *   stands for the matched statements once one of their ids is gone from `matched`, null before; `trigger_erased` says that
 *   the trigger was erased, and `trigger_id` stands for none. `chain_start` is the position of the statement that began the
 *   chain, which no reaction has made.
 * - `reaction_replay`: the latest replay of a reaction, over the statements after `since` up to `through`. A feed consumer
 *   carries it out; when it has ended, `reached` says where, and the consumer is gone.
 */
export const background: MigrationPart = {
  tables: [
    'feed_consumer',
    'feed_event',
    'background_task',
    'reaction',
    'reaction_firing',
    'reaction_replay',
  ],

  async create(context) {
    await createFeed(context);
    await createReactions(context);
  },
};

async function createFeed({ dialect, execute }: MigrationContext): Promise<void> {
  const { position, uuid, name, text, ascii } = dialect.columnTypes;
  await execute(`CREATE TABLE feed_consumer (
    name ${name} NOT NULL PRIMARY KEY,
    kind ${ascii(40)} NOT NULL,
    position ${position} NOT NULL,
    state ${ascii(10)} NOT NULL,
    lease_owner ${uuid},
    lease_until ${position} NOT NULL DEFAULT 0,
    error ${text},
    attempts ${position} NOT NULL DEFAULT 0,
    next_attempt ${position} NOT NULL DEFAULT 0,
    takes_events SMALLINT NOT NULL DEFAULT 1
  )`);
  await execute(`CREATE TABLE feed_event (
    position ${position} NOT NULL PRIMARY KEY,
    kind ${ascii(20)} NOT NULL,
    detail ${text} NOT NULL
  )`);
  await execute(`CREATE TABLE background_task (
    name ${ascii(40)} NOT NULL PRIMARY KEY,
    lease_owner ${ascii(36)},
    lease_until ${position} NOT NULL,
    done_at ${position} NOT NULL
  )`);
}

async function createReactions({ dialect, execute }: MigrationContext): Promise<void> {
  const { position, uuid, searchKey, text } = dialect.columnTypes;
  await execute(`CREATE TABLE reaction (
    id ${uuid} NOT NULL PRIMARY KEY,
    title ${text} NOT NULL,
    title_key ${searchKey} UNIQUE,
    ruleset ${text} NOT NULL,
    active SMALLINT NOT NULL,
    deleted SMALLINT NOT NULL DEFAULT 0,
    created ${position} NOT NULL,
    modified ${position} NOT NULL,
    error ${text},
    version ${position} NOT NULL,
    since ${position} NOT NULL,
    stopped ${position},
    fired ${position} NOT NULL DEFAULT 0,
    failed ${position} NOT NULL DEFAULT 0,
    last_fired ${position},
    missed_from ${position},
    missed_through ${position}
  )`);
  await execute(`CREATE TABLE reaction_firing (
    statement_id ${uuid} NOT NULL PRIMARY KEY,
    reaction_id ${uuid} NOT NULL,
    version ${position} NOT NULL,
    trigger_id ${uuid} NOT NULL,
    trigger_position ${position} NOT NULL,
    position ${position} NOT NULL,
    matched ${text} NOT NULL,
    combination ${uuid},
    chain_start ${position} NOT NULL DEFAULT 0,
    trigger_erased SMALLINT NOT NULL DEFAULT 0
  )`);
  await execute('CREATE INDEX reaction_firing_reaction ON reaction_firing (reaction_id, position)');
  await execute('CREATE INDEX reaction_firing_trigger ON reaction_firing (trigger_id)');
  await execute('CREATE INDEX reaction_firing_chain ON reaction_firing (chain_start)');
  await execute(`CREATE TABLE reaction_replay (
    reaction_id ${uuid} NOT NULL PRIMARY KEY,
    since ${position} NOT NULL,
    through ${position} NOT NULL,
    reached ${position}
  )`);
}
