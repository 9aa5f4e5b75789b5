import type { MigrationContext, MigrationPart } from '../migration.ts';

/**
 * Statements and what finds them.
 * - `statement`: one row each, in the order of `stored`; `payload` (last, because it is long) is the JSON text that a
 *   client gets, the columns before it are for people who query with SQL of their own.
 * - `statement_key`: the index of every filter. `fingerprint` says which further entries their statement may have
 *   (docs/decisions/0026-fingerprints.md); -1 rules nothing out.
 * - `statement_recent`: on engines that collect index entries, those that are not in the index yet, in one row for each
 *   statement, its keys end to end (docs/decisions/0005-index-write-buffer.md).
 * - `statement_reference`: statements whose Object is a StatementRef, with the keys they hold, their target's included.
 *   `authority_key` stands for who vouches for the statement; `foreign_keys` are the keys that it has only through a
 *   statement that somebody else vouches for.
 * - `reference_pending`: the statements whose search keys have yet to be handed to statements that refer to them, which is
 *   done in slices (docs/decisions/0006-references-are-resolved-when-writing.md).
 * - `attachment`, `statement_attachment`: contents, each once, and which statements carry them as what type.
 * - `attachment_object`: contents that statements carry and that lie in a bucket (docs/decisions/0036-large-attachments.md).
 *   `sent_along` is 1 when a content came with a statement, 0 when it was uploaded before it.
 * - `attachment_upload`: objects that may be in the bucket without a statement that carries them: what a key pair (`owner`)
 *   has announced, until `expires` (seconds since the epoch), and objects of erased statements.
 * - `abandoned_statement`: statements that stay voided although the statement that voids them is erased.
 * - `actor_erasure`: erasures of an actor that have begun and not ended, each with how far it has come (`progress`, JSON).
 * - `task_progress`: tasks that go through the stored statements, newest first, and have not ended; `position` is the
 *   newest statement that is still to be processed.
 */
export const statements: MigrationPart = {
  tables: [
    'statement',
    'statement_key',
    'statement_recent',
    'statement_reference',
    'reference_pending',
    'attachment',
    'statement_attachment',
    'attachment_object',
    'attachment_upload',
    'abandoned_statement',
    'actor_erasure',
    'task_progress',
  ],

  async create(context) {
    await createStatements(context);
    await createReferences(context);
    await createAttachments(context);
    await createErasures(context);
    await createReport(context);
  },
};

async function createStatements({ dialect, execute }: MigrationContext): Promise<void> {
  const { position, uuid, indexKey, bytes, text } = dialect.columnTypes;
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
    search_key ${indexKey} NOT NULL,
    position ${position} NOT NULL,
    fingerprint ${position} NOT NULL DEFAULT -1,
    ${dialect.coveringKey(['search_key', 'position'], ['fingerprint'])}
  )${dialect.clusteredTableSuffix}`);
  await execute(`CREATE TABLE statement_recent (
    position ${position} NOT NULL PRIMARY KEY,
    fingerprint ${position} NOT NULL,
    search_keys ${bytes} NOT NULL
  )`);
}

async function createReferences({ dialect, execute }: MigrationContext): Promise<void> {
  const { position, uuid, searchKey, bytes } = dialect.columnTypes;
  await execute(`CREATE TABLE statement_reference (
    position ${position} NOT NULL PRIMARY KEY,
    id ${uuid} NOT NULL UNIQUE,
    target ${uuid} NOT NULL,
    voids SMALLINT NOT NULL,
    search_keys ${bytes} NOT NULL,
    authority_key ${searchKey},
    foreign_keys ${bytes}
  )`);
  await execute('CREATE INDEX statement_reference_referrer ON statement_reference (target, voids, position)');
  await execute(`CREATE TABLE reference_pending (
    target ${uuid} NOT NULL PRIMARY KEY,
    step ${position} NOT NULL,
    referrers_through ${position} NOT NULL,
    voiders_through ${position} NOT NULL
  )`);
  await execute('CREATE INDEX reference_pending_step ON reference_pending (step)');
}

/** `statement_attachment_use` leads to the newest statements with a content. */
async function createAttachments({ dialect, execute }: MigrationContext): Promise<void> {
  const { position, bytes, text, ascii } = dialect.columnTypes;
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
  await execute('CREATE INDEX statement_attachment_use ON statement_attachment (sha2, position)');
  await execute(`CREATE TABLE attachment_object (
    sha2 ${ascii(128)} NOT NULL PRIMARY KEY,
    object_id ${ascii(36)} NOT NULL UNIQUE,
    length ${position} NOT NULL,
    sent_along INTEGER NOT NULL DEFAULT 0
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
}

async function createErasures({ dialect, execute }: MigrationContext): Promise<void> {
  const { position, searchKey, text, ascii } = dialect.columnTypes;
  await execute(`CREATE TABLE abandoned_statement (
    position ${position} NOT NULL PRIMARY KEY
  )`);
  await execute(`CREATE TABLE actor_erasure (
    actor_key ${searchKey} NOT NULL PRIMARY KEY,
    identifier ${text} NOT NULL,
    progress ${text} NOT NULL
  )`);
  await execute(`CREATE TABLE task_progress (
    task ${ascii(64)} NOT NULL PRIMARY KEY,
    position ${position} NOT NULL
  )`);
}

/**
 * A view for tools that read with SQL of their own (docs/sql.md): a row for each statement that is not voided, with the
 * values that reports ask for most.
 */
async function createReport({ dialect, execute }: MigrationContext): Promise<void> {
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
}
