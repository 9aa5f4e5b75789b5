import type { Migration } from '../lib/db/migrate.ts';

/**
 * Statements and what finds them.
 * - `statement`: one row each, in the order of `stored`; `payload` (last, because it is long) is the JSON text that a
 *   client gets, the columns before it are for people who query with SQL of their own.
 * - `statement_key`: the index of every filter. `statement_key_recent` holds the entries that have not gone into it yet
 *   (docs/decisions/0005-recent-index-entries.md).
 * - `statement_reference`: statements whose Object is a StatementRef, with the keys they hold, their target's included.
 * - `attachment`, `statement_attachment`: contents, each once, and which statements carry them as what type.
 */
export const initial: Migration = {
  name: '0001-initial',

  async up({ dialect, execute }) {
    const { position, uuid, searchKey, bytes, text, ascii } = dialect.columnTypes;
    await execute(`CREATE TABLE statement (
      position ${position} NOT NULL PRIMARY KEY,
      id ${uuid} NOT NULL UNIQUE,
      voided SMALLINT NOT NULL DEFAULT 0,
      verb ${text} NOT NULL,
      actor ${text},
      object ${text},
      registration ${uuid},
      timestamp ${text} NOT NULL,
      payload ${text} NOT NULL
    )`);
    await execute(`CREATE TABLE statement_key (
      search_key ${searchKey} NOT NULL,
      position ${position} NOT NULL,
      PRIMARY KEY (search_key, position)
    )${dialect.clusteredTableSuffix}`);
    await execute(`CREATE TABLE statement_key_recent (
      position ${position} NOT NULL,
      search_key ${searchKey} NOT NULL,
      PRIMARY KEY (position, search_key)
    )${dialect.clusteredTableSuffix}`);
    await execute(`CREATE TABLE statement_reference (
      position ${position} NOT NULL PRIMARY KEY,
      id ${uuid} NOT NULL UNIQUE,
      target ${uuid} NOT NULL,
      voids SMALLINT NOT NULL,
      search_keys ${bytes} NOT NULL
    )`);
    await execute('CREATE INDEX statement_reference_target ON statement_reference (target)');
    await execute(`CREATE TABLE attachment (
      sha2 ${ascii(128)} NOT NULL PRIMARY KEY,
      length ${position} NOT NULL,
      content ${bytes} NOT NULL
    )`);
    await execute(`CREATE TABLE statement_attachment (
      position ${position} NOT NULL,
      sha2 ${ascii(128)} NOT NULL,
      content_type ${text} NOT NULL,
      PRIMARY KEY (position, sha2)
    )${dialect.clusteredTableSuffix}`);
  },

  async down({ execute }) {
    for (const table of [
      'statement_attachment',
      'attachment',
      'statement_reference',
      'statement_key_recent',
      'statement_key',
      'statement',
    ]) {
      await execute(`DROP TABLE ${table}`);
    }
  },
};
