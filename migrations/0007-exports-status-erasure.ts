import type { Migration } from '../lib/db/migrate.ts';

/**
 * - `spent_token`: one-time tokens that have been used, until they would have expired (`expires_at`, seconds since the epoch).
 * - `tally_change`: what transactions have changed in the tallies, as JSON, until it is added to them.
 * - `statement_total`: how many statements there are and how many actors they have, by name.
 * - `statement_time`, `statement_platform`, `statement_actor`: how many statements were stored in a second, minute, hour or
 *   day (`slot`, see lib/status/time-slots.ts), carry a platform, have an actor (the key of its identifier).
 * - `actor_erasure`: erasures of an actor that have begun and not ended, each with how far it has come (`progress`, JSON).
 * - `abandoned_statement`: statements that stay voided although the statement that voids them is erased.
 * - Statements by attachment, to see whether another one carries it.
 */
export const exportsStatusErasure: Migration = {
  name: '0007-exports-status-erasure',

  async up({ dialect, execute }) {
    const { position, uuid, searchKey, name, text } = dialect.columnTypes;
    await execute(`CREATE TABLE spent_token (
      id ${uuid} NOT NULL PRIMARY KEY,
      expires_at ${position} NOT NULL
    )`);
    await execute('CREATE INDEX spent_token_expires_at ON spent_token (expires_at)');
    await execute(`CREATE TABLE tally_change (
      id ${searchKey} NOT NULL PRIMARY KEY,
      changes ${text} NOT NULL
    )`);
    await execute(`CREATE TABLE statement_total (
      name ${name} NOT NULL PRIMARY KEY,
      amount ${position} NOT NULL
    )`);
    await execute("INSERT INTO statement_total (name, amount) VALUES ('actors', 0), ('statements', 0)");
    await execute(`CREATE TABLE statement_time (
      slot ${position} NOT NULL PRIMARY KEY,
      statements ${position} NOT NULL
    )`);
    await execute(`CREATE TABLE statement_platform (
      platform_key ${searchKey} NOT NULL PRIMARY KEY,
      platform ${text} NOT NULL,
      statements ${position} NOT NULL
    )`);
    await execute(`CREATE TABLE statement_actor (
      actor_key ${searchKey} NOT NULL PRIMARY KEY,
      statements ${position} NOT NULL
    )${dialect.clusteredTableSuffix}`);
    await execute(`CREATE TABLE actor_erasure (
      actor_key ${searchKey} NOT NULL PRIMARY KEY,
      identifier ${text} NOT NULL,
      progress ${text} NOT NULL
    )`);
    await execute(`CREATE TABLE abandoned_statement (
      position ${position} NOT NULL PRIMARY KEY
    )`);
    await execute('CREATE INDEX statement_attachment_sha2 ON statement_attachment (sha2)');
    await execute(`INSERT INTO backfill (task, position)
      SELECT 'tallies', newest FROM (SELECT MAX(position) AS newest FROM statement) s WHERE newest IS NOT NULL`);
  },

  /** The index goes with its table, because no step is taken back without those before it. */
  async down({ execute }) {
    await execute("DELETE FROM backfill WHERE task = 'tallies'");
    for (const table of [
      'abandoned_statement',
      'actor_erasure',
      'statement_actor',
      'statement_platform',
      'statement_time',
      'statement_total',
      'tally_change',
      'spent_token',
    ]) {
      await execute(`DROP TABLE ${table}`);
    }
  },
};
