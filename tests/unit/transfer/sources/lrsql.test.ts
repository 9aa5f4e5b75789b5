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
  ])('of %s that cannot be read is refused', async (table, bad, reason) => {
    expect(await read({ [table]: [bad] })).toMatchObject([
      { kind: 'unreadable', reason: expect.stringContaining(reason) },
    ]);
  });
});
