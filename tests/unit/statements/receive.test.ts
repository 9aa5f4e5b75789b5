import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { receiveStatement, receiveStatements } from '../../../lib/statements/receive.ts';
import type { IncomingStatement, StatementBatch, StatementService } from '../../../lib/statements/types.ts';
import { printJson } from '../../../lib/xapi/json.ts';
import { unlimited } from '../../../lib/xapi/limits.ts';

const id = '6b1b2d6e-6a3c-4d70-9d0f-1f3f3a0b1c2d';
const statement = {
  actor: { mbox: 'mailto:a@example.org' },
  verb: { id: 'http://example.org/verb' },
  object: { id: 'http://example.org/activity' },
};
const authority = { objectType: 'Agent', mbox: 'mailto:authority@example.org' } as const;

/** Keeps what it is given to store. */
function recorder() {
  const batches: (StatementBatch & { readonly statements: readonly IncomingStatement[] })[] = [];
  const absent = (): never => {
    throw new Error('not part of this test');
  };
  const sizes: number[] = [];
  const store: StatementService = {
    receive: async (bytes, read) => {
      sizes.push(bytes);
      return store.store(await read());
    },
    store: async (batch) => {
      const statements = [...batch.statements];
      batches.push({ ...batch, statements });
      return statements.map((_, index) => `id ${index}`);
    },
    get: absent,
    query: absent,
    consistentThrough: absent,
    knownConsistentThrough: absent,
    finishReferences: absent,
    stop: absent,
  };
  return { store, batches, sizes };
}

const delivery = (text: string) => ({
  json: Buffer.from(text),
  parts: [],
  authority,
  version: '1.0.3' as const,
  limits: unlimited,
});
const post = (text: string, store = recorder().store) => receiveStatements(store, delivery(text));
const put = (text: string, store = recorder().store) => receiveStatement(store, id, delivery(text));

describe('receiving by POST', () => {
  it('takes one statement and an array, in order', async () => {
    expect(await post(JSON.stringify(statement))).toEqual(['id 0']);
    expect(await post(JSON.stringify([statement, statement]))).toEqual(['id 0', 'id 1']);
    expect(await post('[]')).toEqual([]);
  });

  it('waits for room for the body, by POST and by PUT', async () => {
    const { store, sizes } = recorder();
    const text = JSON.stringify({ ...statement, id });
    await post(text, store);
    await put(text, store);
    expect(sizes).toEqual([text.length, text.length]);
  });

  it('keeps the text of numbers', async () => {
    const { store, batches } = recorder();
    await post(
      JSON.stringify({ ...statement, result: { score: { raw: 1 } } }).replace('"raw":1', '"raw":1.00'),
      store,
    );
    expect(printJson(batches[0]?.statements[0]?.source)).toContain('"raw":1.00');
    expect(batches[0]).toMatchObject({ authority, version: '1.0.3', attachments: [] });
  });

  it('names the statement of the array that breaks a rule and stores nothing', async () => {
    const { store, batches } = recorder();
    const broken = { ...statement, verb: { id: 'no iri' } };
    await expect(post(JSON.stringify([statement, broken]), store)).rejects.toMatchObject({
      kind: 'invalid',
      details: [{ path: 'statements[1].verb.id' }],
    });
    expect(batches).toEqual([]);
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
    const { store, batches } = recorder();
    await put(JSON.stringify(statement), store);
    expect(batches[0]?.statements).toEqual([
      { statement: { id, ...statement }, source: { id, ...statement } },
    ]);
  });

  it('keeps the letters of an id that says the same', async () => {
    const { store, batches } = recorder();
    await put(JSON.stringify({ ...statement, id: id.toUpperCase() }), store);
    expect(batches[0]?.statements[0]?.statement.id).toBe(id.toUpperCase());
  });

  it('refuses another id and everything that is not one statement', async () => {
    const other = '00000000-0000-4000-8000-000000000000';
    await expect(put(JSON.stringify({ ...statement, id: other }))).rejects.toThrow(/differ/);
    for (const text of ['[]', JSON.stringify([statement]), 'null', '"a"']) {
      await expect(put(text)).rejects.toThrow(InvalidError);
    }
  });
});
