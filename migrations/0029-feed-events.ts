import type { Migration } from '../lib/db/migrate.ts';

/**
 * `feed_consumer`: `takes_events` is 0 for consumers that need statements only. Events are not kept for them: those of a feature
 * that is switched off may not go on for years.
 */
export const feedEvents: Migration = {
  name: '0029-feed-events',

  async up({ execute }) {
    await execute('ALTER TABLE feed_consumer ADD COLUMN takes_events SMALLINT NOT NULL DEFAULT 1');
    await execute("UPDATE feed_consumer SET takes_events = 0 WHERE kind IN ('reactions', 'replay')");
  },

  async down({ execute }) {
    await execute('ALTER TABLE feed_consumer DROP COLUMN takes_events');
  },
};
