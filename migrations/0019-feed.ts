import type { Migration } from '../lib/db/migrate.ts';

/**
 * The feed (docs/decisions/0033-the-feed.md).
 * - `feed_consumer`: who is told of what is stored, and how far each has come: items at or before `position` are done. A process
 *   works for a consumer while it has the lease, until `lease_until`. `attempts` have failed in a row, the last with `error`; the
 *   next one is made at `next_attempt`. Times are microseconds since the epoch.
 * - `feed_event`: what has happened and is no stored statement, at positions that no statement has. `detail` is JSON.
 */
export const feed: Migration = {
  name: '0019-feed',

  async up({ dialect, execute }) {
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
      next_attempt ${position} NOT NULL DEFAULT 0
    )`);
    await execute(`CREATE TABLE feed_event (
      position ${position} NOT NULL PRIMARY KEY,
      kind ${ascii(20)} NOT NULL,
      detail ${text} NOT NULL
    )`);
  },

  async down({ execute }) {
    await execute('DROP TABLE feed_event');
    await execute('DROP TABLE feed_consumer');
  },
};
