import type { Migration } from '../lib/db/migrate.ts';

/**
 * - `statement_verb`, `statement_activity`: how many statements have a Verb, or an Activity as their Object, for whose id the
 *   key stands.
 * - `statement_top`: by the names of these tables, the keys that count most, as JSON (lib/status/top.ts).
 * - All statements are counted once more, by what counts these too.
 */
export const verbsActivities: Migration = {
  name: '0009-verbs-activities',

  async up({ dialect, execute }) {
    const { position, searchKey, name, text } = dialect.columnTypes;
    await execute(`CREATE TABLE statement_verb (
      verb_key ${searchKey} NOT NULL PRIMARY KEY,
      verb ${text} NOT NULL,
      statements ${position} NOT NULL
    )${dialect.clusteredTableSuffix}`);
    await execute(`CREATE TABLE statement_activity (
      activity_key ${searchKey} NOT NULL PRIMARY KEY,
      activity ${text} NOT NULL,
      statements ${position} NOT NULL
    )${dialect.clusteredTableSuffix}`);
    await execute(`CREATE TABLE statement_top (
      name ${name} NOT NULL PRIMARY KEY,
      top ${text} NOT NULL
    )`);
    await execute(`INSERT INTO statement_top (name, top)
      VALUES ('statement_activity', '[0,[]]'), ('statement_verb', '[0,[]]')`);
    await execute("INSERT INTO statement_total (name, amount) VALUES ('activities', 0)");
    for (const table of tallies) await execute(`DELETE FROM ${table}`);
    await execute('UPDATE statement_total SET amount = 0');
    await execute("DELETE FROM backfill WHERE task = 'tallies'");
    await execute(`INSERT INTO backfill (task, position)
      SELECT 'tallies', newest FROM (SELECT MAX(position) AS newest FROM statement) s WHERE newest IS NOT NULL`);
  },

  /** The other counts stay as they are. */
  async down({ execute }) {
    for (const table of tables) await execute(`DROP TABLE ${table}`);
    await execute("DELETE FROM statement_total WHERE name = 'activities'");
  },
};

const tables = ['statement_top', 'statement_activity', 'statement_verb'];
const tallies = ['tally_change', 'statement_time', 'statement_platform', 'statement_actor'];
