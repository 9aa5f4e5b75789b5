import type { Migration } from '../lib/db/migrate.ts';

/**
 * `document`: State, Agent Profile and Activity Profile documents, one row each. The resource's path is its `kind`;
 * `activity`, `agent` (its identifier as text), `registration` and `id` (stateId or profileId) say which document it is.
 * They are of any length, so `document_key` stands for all of them and `collection_key` for kind, activity and agent.
 * `etag` is the SHA-1 of `content` (last, because it is long), `updated` microseconds since the epoch.
 */
export const documents: Migration = {
  name: '0003-documents',

  async up({ dialect, execute }) {
    const { position, uuid, searchKey, bytes, text, ascii } = dialect.columnTypes;
    await execute(`CREATE TABLE document (
      document_key ${searchKey} NOT NULL PRIMARY KEY,
      collection_key ${searchKey} NOT NULL,
      kind ${ascii(20)} NOT NULL,
      activity ${text},
      agent ${text},
      registration ${uuid},
      id ${text} NOT NULL,
      content_type ${text} NOT NULL,
      etag CHAR(40) NOT NULL,
      updated ${position} NOT NULL,
      content ${bytes} NOT NULL
    )`);
    await execute('CREATE INDEX document_collection_key ON document (collection_key)');
  },

  async down({ execute }) {
    await execute('DROP TABLE document');
  },
};
