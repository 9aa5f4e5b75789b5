import type { Migration } from '../lib/db/migrate.ts';

/**
 * Views for tools that read with SQL of their own (docs/sql.md): `statement_report` has a row for each statement that is not
 * voided, with the values that reports ask for most.
 */
export const reports: Migration = {
  name: '0008-reports',

  async up({ dialect, execute }) {
    const { text, number, flag } = dialect.jsonAt;
    await execute(`CREATE VIEW statement_report AS SELECT
      position,
      id,
      ${dialect.timeOf('position')} AS stored,
      timestamp AS happened,
      actor,
      ${text('payload', 'actor', 'name')} AS actor_name,
      verb,
      object,
      ${text('payload', 'object', 'objectType')} AS object_type,
      registration,
      ${flag('payload', 'result', 'completion')} AS completion,
      ${flag('payload', 'result', 'success')} AS success,
      ${number('payload', 'result', 'score', 'scaled')} AS score_scaled,
      ${number('payload', 'result', 'score', 'raw')} AS score_raw,
      ${text('payload', 'result', 'duration')} AS duration,
      ${text('payload', 'context', 'platform')} AS platform,
      payload
    FROM statement WHERE voided = 0`);
  },

  async down({ execute }) {
    await execute('DROP VIEW statement_report');
  },
};
