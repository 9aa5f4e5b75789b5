import type { DocumentKind } from '../../../documents/types.ts';
import { InvalidError } from '../../../errors.ts';
import { excessOfContents, longestContents, longestStatement } from '../../item-limits.ts';
import type { Cursor, Entry, Source, TransferRecord } from '../../records.ts';
import { driverReason, isMissingTable, type LrsqlReader } from './reader.ts';
import {
  type AccountRow,
  type AttachmentRow,
  accountOf,
  type CredentialRow,
  type DocumentRow,
  documentOf,
  keyPairOf,
  partOf,
  type ReactionRow,
  reactionOf,
  readable,
  type StatementRow,
  statementOf,
} from './row-records.ts';
import { rowsById } from './rows-by-id.ts';

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
  const named = namingItself(reader);
  return {
    name: reader.name,
    // Its places are ids.
    identity: 'lrsql',
    count: () => countOf(named),
    hasStatements: async () => (await countOf(named)) > 0,
    entries: (after) => entriesOf(named, after),
    close: () => reader.close(),
  };
}

/** The same reader, whose errors say what could not be read. */
function namingItself(reader: LrsqlReader): LrsqlReader {
  return {
    ...reader,
    select: (sql, values) =>
      reader.select<never>(sql, values).catch((cause: unknown) => {
        throw new InvalidError(`The ${reader.name} cannot be read: ${driverReason(cause)}.`, { cause });
      }),
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

async function* accounts(reader: LrsqlReader): AsyncGenerator<Entry> {
  for (const row of await reader.select<AccountRow>('SELECT * FROM admin_account ORDER BY id')) {
    yield { record: readable(() => accountOf(row)), place: `admin_account ${row.id}`, cursor: '' };
  }
}

async function* keyPairs(
  reader: LrsqlReader,
  accountNames: ReadonlyMap<string, string>,
): AsyncGenerator<Entry> {
  const granted = await scopesByPair(reader);
  for (const row of await reader.select<CredentialRow>('SELECT * FROM lrs_credential ORDER BY id')) {
    const scopes = granted.get(pairOf(row)) ?? new Set();
    const record = readable(() => keyPairOf(row, accountNames, scopes));
    yield { record, place: `lrs_credential ${row.id}`, cursor: '' };
  }
}

type Pair = Pick<CredentialRow, 'api_key' | 'secret_key'>;

async function scopesByPair(reader: LrsqlReader): Promise<ReadonlyMap<string, ReadonlySet<unknown>>> {
  const byPair = new Map<string, Set<unknown>>();
  const sql = 'SELECT api_key, secret_key, scope FROM credential_to_scope';
  for (const row of await reader.select<Pair & { readonly scope: unknown }>(sql)) {
    const pair = pairOf(row);
    byPair.set(pair, (byPair.get(pair) ?? new Set()).add(row.scope));
  }
  return byPair;
}

const pairOf = ({ api_key, secret_key }: Pair): string => JSON.stringify([api_key, secret_key]);

const documentTables = [
  { table: 'state_document', kind: 'activities/state' },
  { table: 'agent_profile_document', kind: 'agents/profile' },
  { table: 'activity_profile_document', kind: 'activities/profile' },
] as const satisfies readonly { table: string; kind: DocumentKind }[];

async function* documents(
  reader: LrsqlReader,
  { table, kind }: (typeof documentTables)[number],
): AsyncGenerator<Entry> {
  const wanted = { table, columns: '*', length: 'LENGTH(contents)', longest: longestContents };
  for await (const { rows, tooLong } of rowsById<DocumentRow>(reader, wanted)) {
    for (const row of rows) {
      yield { record: readable(() => documentOf(row, kind)), place: `${table} ${row.id}`, cursor: '' };
    }
    if (tooLong !== undefined) {
      const reason = `it has ${tooLong.bytes} bytes, and a document of an import may have ${longestContents}`;
      yield { record: { kind: 'unreadable', reason }, place: `${table} ${tooLong.id}`, cursor: '' };
    }
  }
}

async function* statements(reader: LrsqlReader, from: string): AsyncGenerator<Entry> {
  const payload = reader.jsonText('payload');
  const wanted = {
    table: 'xapi_statement',
    columns: `id, statement_id, is_voided, ${payload} AS payload`,
    ...{ length: `LENGTH(${payload})`, longest: longestStatement },
    ...(from !== '' && { after: from }),
  };
  for await (const { rows, tooLong } of rowsById<StatementRow>(reader, wanted)) {
    const carried = await carriedBytes(reader, rows);
    for (const row of rows) {
      const record = await statementWith(reader, row, carried.get(row.statement_id));
      yield { record, place: `xapi_statement ${row.id}`, cursor: String(row.id) };
    }
    if (tooLong !== undefined) {
      const { id, bytes } = tooLong;
      const reason = `it has ${bytes} bytes, and a statement of an import may have ${longestStatement}`;
      yield { record: { kind: 'unreadable', reason }, place: `xapi_statement ${id}`, cursor: String(id) };
    }
  }
}

/** Bytes of the contents that statements carry, by the ids of these. */
async function carriedBytes(
  reader: LrsqlReader,
  rows: readonly StatementRow[],
): Promise<ReadonlyMap<string, number>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ statement_id }) => statement_id);
  const found = await reader.select<{ statement_id: string; bytes: number | string }>(
    `SELECT statement_id, SUM(LENGTH(contents)) AS bytes FROM attachment
     WHERE statement_id IN (${ids.map(() => '?').join(', ')}) GROUP BY statement_id`,
    ids,
  );
  return new Map(found.map(({ statement_id, bytes }) => [statement_id, Number(bytes)]));
}

/** @param carried bytes of its contents, which are read for one statement at a time, because they may be large. */
async function statementWith(
  reader: LrsqlReader,
  row: StatementRow,
  carried: number | undefined,
): Promise<TransferRecord> {
  if (carried === undefined) return readable(() => statementOf(row, []));
  if (carried > longestContents) return { kind: 'unreadable', reason: excessOfContents(carried) };
  const parts = await reader.select<AttachmentRow>(
    'SELECT attachment_sha, content_type, contents FROM attachment WHERE statement_id = ?',
    [row.statement_id],
  );
  return readable(() => statementOf(row, parts.map(partOf)));
}

async function* reactions(reader: LrsqlReader): AsyncGenerator<Entry> {
  let rows: readonly ReactionRow[];
  try {
    rows = await reader.select<ReactionRow>(
      `SELECT id, title, active, ${reader.jsonText('ruleset')} AS ruleset FROM reaction ORDER BY id`,
    );
  } catch (error) {
    // lrsql has had them since 2023.
    if (isMissingTable(error)) return;
    throw error;
  }
  for (const row of rows) {
    if (row.active === null) continue;
    yield { record: readable(() => reactionOf(row)), place: `reaction ${row.id}`, cursor: highestId };
  }
}

/** A continued import reads no statement again once reactions are reached. */
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
