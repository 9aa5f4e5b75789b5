import type { Migration } from '../lib/db/migrate.ts';

/** `attachment_object.sent_along`: 1 when a content in the bucket came with a statement, 0 when it was uploaded before it. */
export const contentsSentAlong: Migration = {
  name: '0028-contents-sent-along',

  async up({ execute }) {
    await execute('ALTER TABLE attachment_object ADD COLUMN sent_along INTEGER NOT NULL DEFAULT 0');
  },

  async down({ execute }) {
    await execute('ALTER TABLE attachment_object DROP COLUMN sent_along');
  },
};
