import type { Migration } from '../lib/db/migrate.ts';

/**
 * - `agent`: every Agent and identified Group that statements or documents name, in any role, with a name or without; its
 *   identifier is of any length, so `agent_key` stands for it.
 * - Documents by kind, in the order of their keys, and by Agent and Activity.
 * - Two tasks of `backfill`: `agents` goes through statements, `document-agents` takes all documents at once.
 */
export const directory: Migration = {
  name: '0010-directory',

  async up({ dialect, execute }) {
    const { searchKey, text } = dialect.columnTypes;
    await execute(`CREATE TABLE agent (
      agent_key ${searchKey} NOT NULL PRIMARY KEY,
      identifier ${text} NOT NULL
    )${dialect.clusteredTableSuffix}`);
    await execute('CREATE INDEX document_kind ON document (kind, document_key)');
    await execute(`CREATE INDEX document_agent ON document ${dialect.textIndex('agent')}`);
    await execute(`CREATE INDEX document_activity ON document ${dialect.textIndex('activity')}`);
    await execute(`INSERT INTO backfill (task, position)
      SELECT 'agents', newest FROM (SELECT MAX(position) AS newest FROM statement) s WHERE newest IS NOT NULL`);
    await execute(`INSERT INTO backfill (task, position)
      SELECT 'document-agents', newest FROM (SELECT MAX(updated) AS newest FROM document) d WHERE newest IS NOT NULL`);
  },

  async down({ dialect, execute }) {
    await execute("DELETE FROM backfill WHERE task IN ('agents', 'document-agents')");
    for (const column of ['activity', 'agent', 'kind']) {
      await execute(dialect.dropIndex(`document_${column}`, 'document'));
    }
    await execute('DROP TABLE agent');
  },
};
