import type { Migration } from '../lib/db/migrate.ts';

/**
 * - `audit_event`: `kind` is what the filter of the trail goes by; `key_pair` the API key that a request to the xAPI carried;
 *   `agent_key` stands for the Agent whom the event is about (as in the table `agent`); `details` is JSON (lib/audit/store.ts);
 *   equal events within a time share a row, which `merge_key` finds: `times` counts them, `last_at` is when the last one was.
 *   A `status` of 0 says that the outcome is not known.
 * - `statement_total` counts voided statements, too.
 */
export const auditDetails: Migration = {
  name: '0017-audit-details',

  async up({ dialect, execute }) {
    const { position, searchKey, name, text } = dialect.columnTypes;
    await execute(`ALTER TABLE audit_event ADD COLUMN kind ${name}`);
    await execute(`ALTER TABLE audit_event ADD COLUMN key_pair ${text}`);
    await execute(`ALTER TABLE audit_event ADD COLUMN agent_key ${searchKey}`);
    await execute(`ALTER TABLE audit_event ADD COLUMN details ${text}`);
    await execute(`ALTER TABLE audit_event ADD COLUMN merge_key ${searchKey}`);
    await execute('ALTER TABLE audit_event ADD COLUMN times INTEGER NOT NULL DEFAULT 1');
    await execute(`ALTER TABLE audit_event ADD COLUMN last_at ${position}`);
    await execute('CREATE INDEX audit_event_agent ON audit_event (agent_key, at)');
    await execute('CREATE INDEX audit_event_merge ON audit_event (merge_key, at)');
    await execute(`UPDATE audit_event SET kind = CASE
      WHEN action IN ('POST /admin/account/login', 'POST /admin/account/logout', 'GET /admin/account/renew')
        THEN 'session'
      WHEN action LIKE 'GET %' OR action LIKE '% (dry run)' THEN 'disclosure'
      ELSE 'change' END`);
    await execute(`INSERT INTO statement_total (name, amount)
      SELECT 'voided', COUNT(*) FROM (
        SELECT s.position FROM statement_reference r JOIN statement s ON s.id = r.target
        WHERE r.voids = 1 AND s.voided = 1
        UNION SELECT a.position FROM abandoned_statement a JOIN statement s ON s.position = a.position
      ) v`);
  },

  async down({ dialect, execute }) {
    await execute("DELETE FROM statement_total WHERE name = 'voided'");
    for (const index of ['audit_event_merge', 'audit_event_agent']) {
      await execute(dialect.dropIndex(index, 'audit_event'));
    }
    for (const column of ['last_at', 'times', 'merge_key', 'details', 'agent_key', 'key_pair', 'kind']) {
      await execute(`ALTER TABLE audit_event DROP COLUMN ${column}`);
    }
  },
};
