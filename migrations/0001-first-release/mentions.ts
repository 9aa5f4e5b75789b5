import type { MigrationContext, MigrationPart } from '../migration.ts';

/**
 * Agents, Activities and documents. Identifiers are of any length, so keys of 16 bytes stand for them.
 * - `agent`: every Agent and identified Group that statements or documents name, in any role, with a name or without.
 * - `agent_name`: every name that an Agent was given, with the position of the statement that was the first to do so.
 *   `name_key` stands for identifier and name, `agent_key` for the identifier.
 * - `activity`: Activities by `id`, each with its merged definition as JSON text.
 * - `document`: State, Agent Profile and Activity Profile documents, one row each. The resource's path is its `kind`;
 *   `activity`, `agent` (its identifier as text), `registration` and `id` (stateId or profileId) say which document it is.
 *   `document_key` stands for all of them, `collection_key` for kind, activity and agent. `etag` is the SHA-1 of `content`
 *   (last, because it is long), `updated` microseconds since the epoch.
 * - `cache_epoch`: by what processes see that what they have cached of the database counts no more
 *   (docs/decisions/0029-in-process-caches.md). `epoch` is a random number, replaced when rows of its kind change: `agents`
 *   when Agents or their names are deleted, `definitions` when the stored definition of an Activity changes, `reactions`
 *   when a reaction changes.
 */
export const mentions: MigrationPart = {
  tables: ['agent', 'agent_name', 'activity', 'document', 'cache_epoch'],

  async create(context) {
    await createAgents(context);
    await createDocuments(context);
    const { position, ascii } = context.dialect.columnTypes;
    await context.execute(`CREATE TABLE cache_epoch (
      name ${ascii(20)} NOT NULL PRIMARY KEY,
      epoch ${position} NOT NULL
    )`);
    await context.execute(
      "INSERT INTO cache_epoch (name, epoch) VALUES ('agents', 0), ('definitions', 0), ('reactions', 0)",
    );
  },
};

/** `agent_name_first_seen` leads to the newest names of an Agent, which may have very many. */
async function createAgents({ dialect, execute }: MigrationContext): Promise<void> {
  const { position, searchKey, text } = dialect.columnTypes;
  await execute(`CREATE TABLE agent (
    agent_key ${searchKey} NOT NULL PRIMARY KEY,
    identifier ${text} NOT NULL
  )${dialect.clusteredTableSuffix}`);
  await execute(`CREATE TABLE agent_name (
    name_key ${searchKey} NOT NULL PRIMARY KEY,
    agent_key ${searchKey} NOT NULL,
    identifier ${text} NOT NULL,
    name ${text} NOT NULL,
    first_seen ${position} NOT NULL
  )`);
  await execute('CREATE INDEX agent_name_first_seen ON agent_name (agent_key, first_seen, name_key)');
  await execute(`CREATE TABLE activity (
    activity_key ${searchKey} NOT NULL PRIMARY KEY,
    id ${text} NOT NULL,
    definition ${text} NOT NULL
  )`);
}

async function createDocuments({ dialect, execute }: MigrationContext): Promise<void> {
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
  await execute('CREATE INDEX document_kind ON document (kind, document_key)');
  await execute(`CREATE INDEX document_agent ON document ${dialect.textIndex('agent')}`);
  await execute(`CREATE INDEX document_activity ON document ${dialect.textIndex('activity')}`);
}
