import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../../lib/errors.ts';
import { printJson } from '../../../../lib/json/json.ts';
import { unlimited } from '../../../../lib/json/limits.ts';
import { readDelivery } from '../../../../lib/statements/ingest/receive.ts';

const id = '6b1b2d6e-6a3c-4d70-9d0f-1f3f3a0b1c2d';
const statement = {
  actor: { mbox: 'mailto:a@example.org' },
  verb: { id: 'http://example.org/verb' },
  object: { id: 'http://example.org/activity' },
};
const authority = { objectType: 'Agent', mbox: 'mailto:authority@example.org' } as const;

const delivery = (text: string) => ({
  json: Buffer.from(text),
  parts: [],
  authority,
  version: '1.0.3' as const,
  limits: unlimited,
});
/** The batch that a body holds, gone through. */
async function read(statementId: string | undefined, text: string) {
  const batch = await readDelivery({ ...delivery(text), ...(statementId && { statementId }) });
  return { ...batch, statements: [...batch.statements] };
}
const post = (text: string) => read(undefined, text);
const put = (text: string) => read(id, text);

describe('receiving by POST', () => {
  it('takes one statement and an array, in order', async () => {
    const verbs = async (text: string) => (await post(text)).statements.map((each) => each.statement.verb.id);
    const other = { ...statement, verb: { id: 'http://example.org/other' } };
    expect(await verbs(JSON.stringify(statement))).toEqual([statement.verb.id]);
    expect(await verbs(JSON.stringify([statement, other]))).toEqual([statement.verb.id, other.verb.id]);
    expect(await verbs('[]')).toEqual([]);
  });

  it('keeps the text of numbers', async () => {
    const text = JSON.stringify({ ...statement, result: { score: { raw: 1 } } });
    const batch = await post(text.replace('"raw":1', '"raw":1.00'));
    expect(printJson(batch.statements[0]?.source)).toContain('"raw":1.00');
    expect(batch).toMatchObject({ authority, version: '1.0.3', attachments: [] });
  });

  it('names the statement of the array that breaks a rule and refuses the whole batch', async () => {
    const broken = { ...statement, verb: { id: 'no iri' } };
    await expect(post(JSON.stringify([statement, broken]))).rejects.toMatchObject({
      kind: 'invalid',
      details: [{ path: 'statements[1].verb.id' }],
    });
  });

  it('refuses two statements with the same id (xAPI 1.0.3 Communication 2.1.2)', async () => {
    const twice = [{ id, ...statement }, statement, { id: id.toUpperCase(), ...statement }];
    await expect(post(JSON.stringify(twice))).rejects.toThrow(/statements\[0\] and statements\[2\]/);
  });

  it.each(['', 'null', '1', '"a"', '[1]', '{', '[[]]'])('refuses %s', async (text) => {
    await expect(post(text)).rejects.toThrow(InvalidError);
  });

  it('refuses an attachment that neither came along nor has a fileUrl (xAPI 1.0.3 Communication 1.5.2)', async () => {
    const attachment = {
      usageType: 'http://example.org/usage',
      display: { en: 'a' },
      contentType: 'text/plain',
      length: 1,
      sha2: 'a'.repeat(64),
    };
    await expect(post(JSON.stringify({ ...statement, attachments: [attachment] }))).rejects.toThrow(
      /fileUrl/,
    );
  });
});

describe('receiving by PUT (xAPI 1.0.3 Communication 2.1.1)', () => {
  it('gives the statement the id of the parameter', async () => {
    expect((await put(JSON.stringify(statement))).statements).toEqual([
      { statement: { id, ...statement }, source: { id, ...statement } },
    ]);
  });

  it('keeps the letters of an id that says the same', async () => {
    const { statements } = await put(JSON.stringify({ ...statement, id: id.toUpperCase() }));
    expect(statements[0]?.statement.id).toBe(id.toUpperCase());
  });

  it('refuses another id and everything that is not one statement', async () => {
    const other = '00000000-0000-4000-8000-000000000000';
    await expect(put(JSON.stringify({ ...statement, id: other }))).rejects.toThrow(/differ/);
    for (const text of ['[]', JSON.stringify([statement]), 'null', '"a"']) {
      await expect(put(text)).rejects.toThrow(InvalidError);
    }
  });
});
