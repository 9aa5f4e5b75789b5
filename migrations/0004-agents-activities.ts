import type { Migration } from '../lib/db/migrate.ts';

/**
 * What statements tell about Agents and Activities.
 * - `agent_name`: every name that an Agent (its identifier as text) was given, with the position of the statement that was
 *   the first to do so. The texts are of any length, so `name_key` stands for both and `agent_key` for the identifier.
 * - `activity`: Activities by `id`, for which `activity_key` stands, each with its merged definition as JSON text.
 * - `backfill`: tasks that complete what an older release has stored, until they are done; they go backwards, and
 *   `position` is the newest statement that is still to be looked at.
 */
export const agentsActivities: Migration = {
  name: '0004-agents-activities',

  async up({ dialect, execute }) {
    const { position, searchKey, text, ascii } = dialect.columnTypes;
    await execute(`CREATE TABLE agent_name (
      name_key ${searchKey} NOT NULL PRIMARY KEY,
      agent_key ${searchKey} NOT NULL,
      identifier ${text} NOT NULL,
      name ${text} NOT NULL,
      first_seen ${position} NOT NULL
    )`);
    await execute('CREATE INDEX agent_name_agent_key ON agent_name (agent_key)');
    await execute(`CREATE TABLE activity (
      activity_key ${searchKey} NOT NULL PRIMARY KEY,
      id ${text} NOT NULL,
      definition ${text} NOT NULL
    )`);
    await execute(`CREATE TABLE backfill (
      task ${ascii(64)} NOT NULL PRIMARY KEY,
      position ${position} NOT NULL
    )`);
    await execute(`INSERT INTO backfill (task, position)
      SELECT 'sightings', newest FROM (SELECT MAX(position) AS newest FROM statement) s WHERE newest IS NOT NULL`);
  },

  async down({ execute }) {
    for (const table of ['backfill', 'activity', 'agent_name']) await execute(`DROP TABLE ${table}`);
  },
};
