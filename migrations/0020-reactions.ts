import type { Migration } from '../lib/db/migrate.ts';

/**
 * Reactions (docs/decisions/0034-reactions.md).
 * - `reaction`: `title_key` stands for the title, and is null when the reaction is deleted, so that the title can be used again.
 *   `version` counts the rulesets that it has had. Statements after `since` trigger it; one that has stopped has looked at
 *   statements up to `stopped`. `failed` counts matches that made no statement, `error` is JSON. Times are microseconds since
 *   the epoch.
 * - `reaction_firing`: the statements that reactions have made, by what they were triggered; `matched` is JSON, the id of the
 *   statement for each condition. A row stays when its statement is erased, so that it is not made again.
 */
export const reactions: Migration = {
  name: '0020-reactions',

  async up({ dialect, execute }) {
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
      last_fired ${position}
    )`);
    await execute(`CREATE TABLE reaction_firing (
      statement_id ${uuid} NOT NULL PRIMARY KEY,
      reaction_id ${uuid} NOT NULL,
      version ${position} NOT NULL,
      trigger_id ${uuid} NOT NULL,
      trigger_position ${position} NOT NULL,
      position ${position} NOT NULL,
      matched ${text} NOT NULL
    )`);
    await execute('CREATE INDEX reaction_firing_reaction ON reaction_firing (reaction_id, position)');
    await execute('CREATE INDEX reaction_firing_trigger ON reaction_firing (trigger_id)');
    await execute("INSERT INTO cache_epoch (name, epoch) VALUES ('reactions', 0)");
  },

  async down({ execute }) {
    await execute("DELETE FROM cache_epoch WHERE name = 'reactions'");
    await execute('DROP TABLE reaction_firing');
    await execute('DROP TABLE reaction');
  },
};
