import { describe, expect, it } from 'vitest';
import { lrsqlSource } from '../../../../lib/transfer/sources/lrsql/lrsql.ts';
import type { LrsqlReader } from '../../../../lib/transfer/sources/lrsql/reader.ts';
import { identifierOf } from '../../../../lib/xapi/agent.ts';

/** A database with these rows in its tables; the rows behind a first page are none. */
function readerOf(tables: Readonly<Record<string, readonly object[]>>): LrsqlReader {
  return {
    name: 'database of a test',
    select: async <Row extends object>(sql: string, values: readonly (string | number)[] = []) => {
      const table = /FROM (\w+)/.exec(sql)?.[1] ?? '';
      const isLater = sql.includes('WHERE id > ?') && !String(values[0]).startsWith('00000000');
      return (isLater ? [] : (tables[table] ?? [])) as Row[];
    },
    jsonText: (column) => column,
    close: () => Promise.resolve(),
  };
}

async function read(tables: Readonly<Record<string, readonly object[]>>) {
  const source = await lrsqlSource(readerOf(tables));
  const records = [];
  for await (const { record } of source.entries()) records.push(record);
  return records;
}

const row = { id: 'a', content_type: 'text/plain', contents: Buffer.from('x') };
const profile = { ...row, profile_id: 'p', last_modified: '2024-01-01T00:00:00Z' };

describe('a row of lrsql', () => {
  it.each([
    ['account::n@http://user@host:80/', 'n', 'http://user@host:80/'],
    ['account::a@b.example@https://home.example/', 'a@b.example', 'https://home.example/'],
    ['account::n@urn:x', 'n', 'urn:x'],
  ])('with the identifier %s is of the account %s of %s', async (agent_ifi, name, homePage) => {
    const agent = identifierOf({ account: { name, homePage } });
    const records = await read({ agent_profile_document: [{ ...profile, agent_ifi }] });
    expect(records).toMatchObject([{ kind: 'document', address: { agent } }]);
  });

  it.each([
    [
      'activity_profile_document',
      { ...profile, activity_iri: 'x', last_modified: 'no time' },
      'last_modified',
    ],
    ['xapi_statement', { id: 'b', statement_id: 'b', is_voided: 0, payload: null }, 'payload is NULL'],
    ['reaction', { id: 'c', title: 't', ruleset: '{bad', active: true }, 'ruleset is not JSON'],
    ['reaction', { id: 'c', title: 't', ruleset: 'null', active: true }, 'ruleset is not an object'],
    ['reaction', { id: 'c', title: 5, ruleset: '{}', active: true }, 'title is not a text'],
    ['admin_account', { id: 1, username: 'a', passhash: null }, 'id is not a text'],
    ['lrs_credential', { id: 'd', api_key: null, secret_key: 's', account_id: 'a' }, 'api_key is not a text'],
    ['state_document', { ...profile, registration: 7 }, 'registration is not a text'],
    ['agent_profile_document', { ...profile, contents: 5 }, 'contents are not bytes'],
    ['agent_profile_document', { ...profile, last_modified: 5 }, 'last_modified is not a time'],
  ])('of %s that cannot be read is refused', async (table, bad, reason) => {
    expect(await read({ [table]: [bad] })).toMatchObject([
      { kind: 'unreadable', reason: expect.stringContaining(reason) },
    ]);
  });
});

const MiB = 1024 * 1024;

/** Statements in the order of their ids, whose payloads are as long as said when they are read. */
function longRows(lengths: readonly number[]) {
  const rows = lengths.map((bytes, index) => ({ id: String(index + 1).padStart(36, '0'), bytes }));
  /** Bytes of the payloads that each query gave. */
  const given: number[] = [];
  const reader: LrsqlReader = {
    ...readerOf({}),
    select: async <Row extends object>(sql: string, values: readonly (string | number)[] = []) => {
      const [first = '', last = first] = values.map(String);
      if (sql.includes('AS bytes FROM xapi_statement')) return rows.filter(({ id }) => id > first) as Row[];
      if (!sql.includes('id >= ?')) return [];
      const read = rows.filter(({ id }) => id >= first && id <= last);
      given.push(read.reduce((sum, { bytes }) => sum + bytes, 0));
      return read.map(({ id }) => ({ id, statement_id: id, is_voided: 0, payload: '{}' })) as Row[];
    },
  };
  return { reader, given };
}

describe('rows of lrsql', () => {
  it('are read as many at once as have 8 MiB together, and one that has more alone', async () => {
    const { reader, given } = longRows([...Array.from({ length: 20 }, () => MiB), 9 * MiB, MiB]);
    const source = await lrsqlSource(reader);
    const places = [];
    for await (const { place } of source.entries()) places.push(place);
    expect(given).toEqual([8 * MiB, 8 * MiB, 4 * MiB, 9 * MiB, MiB]);
    expect(new Set(places).size).toBe(22);
  });

  it('that are too long for an import are refused without being read, in their order', async () => {
    const { reader, given } = longRows([5, 100 * MiB, 7]);
    const source = await lrsqlSource(reader);
    const kinds = [];
    for await (const { record } of source.entries()) kinds.push(record.kind);
    expect(kinds).toEqual(['statement', 'unreadable', 'statement']);
    expect(given).toEqual([5, 7]);
  });

  it('with too many bytes of attachments are refused without reading these', async () => {
    const row = { id: 'b', statement_id: 'b', is_voided: 0, payload: '{}' };
    const reader = readerOf({ xapi_statement: [row] });
    const source = await lrsqlSource({
      ...reader,
      select: async <Row extends object>(sql: string, values?: readonly (string | number)[]) => {
        if (!sql.includes('FROM attachment')) return reader.select<Row>(sql, values);
        expect(sql).toContain('SUM(LENGTH(contents))');
        return [{ statement_id: 'b', bytes: String(300 * MiB) }] as unknown as Row[];
      },
    });
    const records = [];
    for await (const { record } of source.entries()) records.push(record);
    expect(records).toMatchObject([{ kind: 'unreadable', reason: expect.stringContaining('attachments') }]);
  });
});

describe('a database of lrsql', () => {
  const failing = (table: string, error: Error): LrsqlReader => {
    const reader = readerOf({});
    return {
      ...reader,
      name: 'database reaction.db',
      select: (sql, values) =>
        sql.includes(`FROM ${table}`) ? Promise.reject(error) : reader.select(sql, values),
    };
  };
  const all = async (reader: LrsqlReader): Promise<void> => {
    const source = await lrsqlSource(reader);
    for await (const { record } of source.entries()) expect(record).toBeUndefined();
  };

  it('that cannot be read is named', async () => {
    const error = new Error('SQLITE_CORRUPT: database disk image is malformed');
    await expect(all(failing('admin_account', error))).rejects.toThrow(
      'The database reaction.db cannot be read: database disk image is malformed.',
    );
  });

  it.each([
    new Error('SQLITE_ERROR: no such table: reaction'),
    Object.assign(new Error('Relation »reaction« existiert nicht'), { code: '42P01' }),
    Object.assign(new Error("Table 'lrsql.reaction' doesn't exist"), { errno: 1146 }),
  ])('may have no table of reactions: $message', async (error) => {
    await expect(all(failing('reaction', error))).resolves.toBeUndefined();
  });

  it('whose reactions may not be read is not imported without them', async () => {
    const error = Object.assign(new Error('permission denied for table reaction'), { code: '42501' });
    await expect(all(failing('reaction', error))).rejects.toThrow('permission denied for table reaction');
  });
});
