import type { Migration } from '../lib/db/migrate.ts';

/**
 * `agent_name_first_seen` leads to the newest names of an Agent, which may have very many: whoever asks for a Person reads a
 * thousand at most. It stands in for the index by Agent alone.
 */
export const namesByTime: Migration = {
  name: '0025-names-by-time',

  async up({ execute, dialect }) {
    await execute('CREATE INDEX agent_name_first_seen ON agent_name (agent_key, first_seen, name_key)');
    await execute(dialect.dropIndex('agent_name_agent_key', 'agent_name'));
  },

  async down({ execute, dialect }) {
    await execute('CREATE INDEX agent_name_agent_key ON agent_name (agent_key)');
    await execute(dialect.dropIndex('agent_name_first_seen', 'agent_name'));
  },
};
