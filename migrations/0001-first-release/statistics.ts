import type { MigrationPart } from '../migration.ts';

/**
 * Numbers of statements for the status.
 * - `tally_change`: what transactions have changed in the tallies, as JSON, until it is added to them. `position` is that of
 *   the first of the statements that the row counts, whose positions are consecutive.
 * - `statement_total`: how many statements there are, how many of them are voided, and how many actors and activities they
 *   have, by name.
 * - `statement_time`, `statement_platform`, `statement_actor`, `statement_verb`, `statement_activity`: how many statements
 *   were stored in a second, minute, hour or day (`slot`, see lib/counts/time-slots.ts), carry a platform, have an actor (the
 *   key of its identifier), a Verb, or an Activity as their Object.
 * - `statement_top`: by the names of the last two tables, the keys that count most, as JSON (lib/counts/top.ts).
 */
export const statistics: MigrationPart = {
  tables: [
    'tally_change',
    'statement_total',
    'statement_time',
    'statement_platform',
    'statement_actor',
    'statement_verb',
    'statement_activity',
    'statement_top',
  ],

  async create({ dialect, execute }) {
    const { position, searchKey, name, text } = dialect.columnTypes;
    await execute(`CREATE TABLE tally_change (
      id ${searchKey} NOT NULL PRIMARY KEY,
      changes ${text} NOT NULL,
      position ${position}
    )`);
    await execute(`CREATE TABLE statement_total (
      name ${name} NOT NULL PRIMARY KEY,
      amount ${position} NOT NULL
    )`);
    await execute(`INSERT INTO statement_total (name, amount)
      VALUES ('activities', 0), ('actors', 0), ('statements', 0), ('voided', 0)`);
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
  },
};
