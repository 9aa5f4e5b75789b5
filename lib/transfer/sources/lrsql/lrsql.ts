import type { DocumentAddress, DocumentKind } from '../../../documents/types.ts';
import { InvalidError } from '../../../errors.ts';
import { identifierOf } from '../../../xapi/agent.ts';
import { scopes as knownScopes } from '../../../xapi/scopes.ts';
import type { AttachmentPart } from '../../../xapi/statement/attachments.ts';
import { timestampToMicroseconds } from '../../../xapi/timestamp.ts';
import type { Agent } from '../../../xapi/types.ts';
import type { Cursor, Entry, Source, TransferRecord } from '../../records.ts';
import { driverReason, type LrsqlReader } from './reader.ts';

/** Rows that are read at once. */
const atOnce = 500;

/**
 * What the database of an lrsql has: accounts, key pairs, documents, statements with attachments, reactions. When it is none,
 * the reader is closed.
 * @throws InvalidError when the database is not one of lrsql.
 */
export async function lrsqlSource(reader: LrsqlReader): Promise<Source> {
  try {
    await requireLrsql(reader);
  } catch (error) {
    await reader.close();
    throw error;
  }
  return {
    name: reader.name,
    // Its places are ids.
    identity: 'lrsql',
    count: () => countOf(reader),
    hasStatements: async () => (await countOf(reader)) > 0,
    entries: (after) => entriesOf(reader, after),
    close: () => reader.close(),
  };
}

async function requireLrsql(reader: LrsqlReader): Promise<void> {
  try {
    await reader.select('SELECT id FROM xapi_statement LIMIT 1');
  } catch (cause) {
    if (await isOfThisLrs(reader)) {
      throw new InvalidError(
        `The ${reader.name} is not one of lrsql, but of this LRS: write a file with npm run export and import that.`,
      );
    }
    throw new InvalidError(`The ${reader.name} is not one of lrsql: ${driverReason(cause)}.`, { cause });
  }
}

function isOfThisLrs(reader: LrsqlReader): Promise<boolean> {
  return reader.select('SELECT name FROM server_secret LIMIT 1').then(
    () => true,
    () => false,
  );
}

async function countOf(reader: LrsqlReader): Promise<number> {
  const [row] = await reader.select<{ statements: number | string }>(
    'SELECT COUNT(*) AS statements FROM xapi_statement',
  );
  return Number(row?.statements ?? 0);
}

/** Statements are all that can be many, so an import that is continued reads the rest again. */
async function* entriesOf(reader: LrsqlReader, after: Cursor = ''): AsyncGenerator<Entry> {
  if (after === '') {
    const names = new Map<string, string>();
    for await (const entry of accounts(reader)) {
      if (entry.record.kind === 'account') names.set(entry.record.id, entry.record.username);
      yield entry;
    }
    yield* keyPairs(reader, names);
    for (const kind of documentTables) yield* documents(reader, kind);
  }
  yield* statements(reader, String(after));
  yield* reactions(reader);
}

interface AccountRow {
  readonly id: string;
  readonly username: string;
  readonly passhash: string | null;
  readonly oidc_issuer?: string | null;
}

async function* accounts(reader: LrsqlReader): AsyncGenerator<Entry> {
  for (const row of await reader.select<AccountRow>('SELECT * FROM admin_account ORDER BY id')) {
    const { id, username, passhash, oidc_issuer: issuer = null } = row;
    const record = { kind: 'account', id, username, passwordHash: passhash ?? undefined, issuer } as const;
    yield { record, place: `admin_account ${id}`, cursor: '' };
  }
}

interface CredentialRow {
  readonly id: string;
  readonly api_key: string;
  readonly secret_key: string;
  readonly account_id: string;
  readonly label?: string | null;
}

async function* keyPairs(
  reader: LrsqlReader,
  accountNames: ReadonlyMap<string, string>,
): AsyncGenerator<Entry> {
  const granted = await reader.select<{ api_key: string; secret_key: string; scope: string | null }>(
    'SELECT api_key, secret_key, scope FROM credential_to_scope',
  );
  for (const row of await reader.select<CredentialRow>('SELECT * FROM lrs_credential ORDER BY id')) {
    const { id, api_key: apiKey, secret_key: secretKey, account_id: accountId, label = null } = row;
    const own = granted.filter((each) => each.api_key === apiKey && each.secret_key === secretKey);
    const names = own.map(({ scope }) => scope);
    const scopes = knownScopes.filter((scope) => names.includes(scope));
    yield {
      record: {
        ...{ kind: 'keyPair', id, accountId, username: accountNames.get(accountId) },
        ...{ apiKey, secretKey, label, scopes },
      },
      place: `lrs_credential ${id}`,
      cursor: '',
    };
  }
}

const documentTables = [
  { table: 'state_document', id: 'state_id', kind: 'activities/state' },
  { table: 'agent_profile_document', id: 'profile_id', kind: 'agents/profile' },
  { table: 'activity_profile_document', id: 'profile_id', kind: 'activities/profile' },
] as const satisfies readonly { table: string; id: string; kind: DocumentKind }[];

interface DocumentRow {
  readonly id: string;
  readonly state_id?: string;
  readonly profile_id?: string;
  readonly activity_iri?: string;
  readonly agent_ifi?: string;
  readonly registration?: string | null;
  readonly last_modified: string | Date;
  readonly content_type: string;
  readonly contents: Buffer;
}

async function* documents(
  reader: LrsqlReader,
  { table, kind }: (typeof documentTables)[number],
): AsyncGenerator<Entry> {
  for (let after = lowestId; ; ) {
    const sql = `SELECT * FROM ${table} WHERE id > ? ORDER BY id LIMIT 50`;
    const rows = await reader.select<DocumentRow>(sql, [after]);
    for (const row of rows) yield { record: documentOf(row, kind), place: `${table} ${row.id}`, cursor: '' };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

function documentOf(row: DocumentRow, kind: DocumentKind): TransferRecord {
  const address: DocumentAddress = {
    kind,
    activity: row.activity_iri,
    agent: row.agent_ifi === undefined ? undefined : identifierFrom(row.agent_ifi),
    registration: row.registration?.toLowerCase(),
    id: row.state_id ?? row.profile_id ?? '',
  };
  const updated = microsecondsOf(row.last_modified);
  if (!Number.isFinite(updated)) return { kind: 'unreadable', reason: 'its last_modified is not a time' };
  const document = { contentType: row.content_type, content: Buffer.from(row.contents) };
  return { kind: 'document', address, document, updated };
}

/**
 * lrsql writes `account::NAME@HOMEPAGE`: the home page is the last part that begins like an IRI with an authority, behind whose
 * `//` may be another `@`; without one, the last part that begins like an IRI.
 */
function identifierFrom(ifi: string): string {
  const [, name, homePage] =
    /^account::(.*)@([A-Za-z][A-Za-z0-9+.-]*:\/\/.*)$/s.exec(ifi) ??
    /^account::(.*)@([A-Za-z][A-Za-z0-9+.-]*:.*)$/s.exec(ifi) ??
    [];
  if (name !== undefined && homePage !== undefined)
    return identifierOf({ account: { name, homePage } }) ?? ifi;
  const [, kind = '', value = ''] = /^(\w+)::(.*)$/s.exec(ifi) ?? [];
  return identifierOf({ [kind]: value } as Agent) ?? ifi;
}

function microsecondsOf(time: string | Date): number {
  return typeof time === 'string' ? timestampToMicroseconds(time.replace(' ', 'T')) : time.getTime() * 1000;
}

/** All ids come after it; they are UUIDs that begin with the time, so their order is that of `stored`. */
const lowestId = '00000000-0000-0000-0000-000000000000';

interface StatementRow {
  readonly id: string;
  readonly statement_id: string;
  readonly is_voided: number | boolean;
  readonly payload: string | Buffer | null;
}

interface AttachmentRow {
  readonly statement_id: string;
  readonly attachment_sha: string;
  readonly content_type: string;
  readonly contents: Buffer;
}

async function* statements(reader: LrsqlReader, from: string): AsyncGenerator<Entry> {
  for (let after = from || lowestId; ; ) {
    const rows = await reader.select<StatementRow>(
      `SELECT id, statement_id, is_voided, ${reader.jsonText('payload')} AS payload
       FROM xapi_statement WHERE id > ? ORDER BY id LIMIT ${atOnce}`,
      [after],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    const carrying = await carryingIds(reader, rows);
    for (const row of rows) {
      const parts = carrying.has(row.statement_id) ? await partsOf(reader, row.statement_id) : [];
      yield { record: statementOf(row, parts), place: `xapi_statement ${row.id}`, cursor: row.id };
    }
    after = last.id;
  }
}

function statementOf({ payload, is_voided }: StatementRow, parts: AttachmentPart[]): TransferRecord {
  if (payload === null) return { kind: 'unreadable', reason: 'its payload is NULL' };
  return { kind: 'statement', json: Buffer.from(payload), parts, voided: Boolean(Number(is_voided)) };
}

async function carryingIds(reader: LrsqlReader, rows: readonly StatementRow[]): Promise<ReadonlySet<string>> {
  const ids = rows.map(({ statement_id }) => statement_id);
  const found = await reader.select<{ statement_id: string }>(
    `SELECT DISTINCT statement_id FROM attachment WHERE statement_id IN (${ids.map(() => '?').join(', ')})`,
    ids,
  );
  return new Set(found.map(({ statement_id }) => statement_id));
}

/** Of one statement at a time, because they may be large. */
async function partsOf(reader: LrsqlReader, id: string): Promise<AttachmentPart[]> {
  const rows = await reader.select<AttachmentRow>(
    'SELECT statement_id, attachment_sha, content_type, contents FROM attachment WHERE statement_id = ?',
    [id],
  );
  return rows.map(({ attachment_sha: sha2, content_type: contentType, contents }) => ({
    sha2,
    contentType,
    content: Buffer.from(contents),
  }));
}

interface ReactionRow {
  readonly id: string;
  readonly title: string;
  readonly ruleset: string | Buffer;
  /** Null in deleted ones. */
  readonly active: number | boolean | null;
}

async function* reactions(reader: LrsqlReader): AsyncGenerator<Entry> {
  let rows: readonly ReactionRow[];
  try {
    rows = await reader.select<ReactionRow>(
      `SELECT id, title, active, ${reader.jsonText('ruleset')} AS ruleset FROM reaction ORDER BY id`,
    );
  } catch (error) {
    // lrsql has had them since 2023.
    if (error instanceof Error && /\breaction\b/.test(error.message)) return;
    throw error;
  }
  for (const { id, title, ruleset, active } of rows) {
    if (active === null) continue;
    const record = reactionOf(title, ruleset.toString(), Boolean(Number(active)));
    yield { record, place: `reaction ${id}`, cursor: highestId };
  }
}

function reactionOf(title: string, ruleset: string, active: boolean): TransferRecord {
  try {
    return { kind: 'reaction', title, ruleset: JSON.parse(ruleset), active };
  } catch {
    return { kind: 'unreadable', reason: 'its ruleset is not JSON' };
  }
}

/** A continued import reads no statement again once reactions are reached. */
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
