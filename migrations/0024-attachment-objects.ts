import type { Migration } from '../lib/db/migrate.ts';

/**
 * Contents that lie in a bucket (docs/decisions/0036-large-attachments.md).
 * - `attachment_object`: the object of a content that statements carry, as `statement_attachment` says.
 * - `attachment_upload`: objects that may be in the bucket without a statement that carries them: what a key pair (`owner`)
 *   has announced, until `expires` (seconds since the epoch), and what erased statements have left behind.
 */
export const attachmentObjects: Migration = {
  name: '0024-attachment-objects',

  async up({ dialect, execute }) {
    const { position, text, ascii } = dialect.columnTypes;
    await execute(`CREATE TABLE attachment_object (
      sha2 ${ascii(128)} NOT NULL PRIMARY KEY,
      object_id ${ascii(36)} NOT NULL UNIQUE,
      length ${position} NOT NULL
    )`);
    await execute(`CREATE TABLE attachment_upload (
      object_id ${ascii(36)} NOT NULL PRIMARY KEY,
      owner ${ascii(32)} NOT NULL,
      sha2 ${ascii(128)} NOT NULL,
      length ${position} NOT NULL,
      content_type ${text} NOT NULL,
      expires ${position} NOT NULL
    )`);
    await execute('CREATE INDEX attachment_upload_owner ON attachment_upload (owner, sha2)');
    await execute('CREATE INDEX attachment_upload_expires ON attachment_upload (expires)');
  },

  async down({ execute }) {
    await execute('DROP TABLE attachment_upload');
    await execute('DROP TABLE attachment_object');
  },
};
