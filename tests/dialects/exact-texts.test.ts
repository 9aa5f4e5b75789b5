import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminAccount } from '../../lib/db/tables/administration.ts';
import type { TableShape } from '../../lib/db/types.ts';
import { createDocumentService } from '../../lib/documents/service.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { changeSchema } from '../support/schema-change.ts';
import { batchOf, everything, exact, foundIds, serviceOn, statement } from '../support/statements.ts';

/** No two of them are the same text, but to some database some of them are. */
const texts = [
  'a',
  'A',
  'a ',
  ' a',
  'á',
  'a\u0301',
  'ａ',
  '',
  ' ',
  'a\0',
  'a\0b',
  '\0',
  '\uE000',
  '\uE0000',
  'a\uE0001',
  'ß',
  'ss',
  '😀',
  '😁',
  '\\',
  '\\0',
  "'",
  '%',
];

const sample: TableShape = {
  name: 'sample',
  columns: { number: 'integer', word: 'text', lengthy: 'document' },
};

describe.each(engines)('texts on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  it('come back as they were and equal only themselves', async () => {
    const { db } = database;
    await db.write(async (session) => {
      const { position, text } = session.dialect.columnTypes;
      await changeSchema(
        session,
        `CREATE TABLE sample (number ${position} PRIMARY KEY, word ${text}, lengthy ${text})`,
      );
      await session.insert(
        sample,
        texts.map((text, index) => [index, text, text]),
      );
    });
    const rows = await db.read((session) =>
      session.select<{ word: string; lengthy: string }>('SELECT word, lengthy FROM sample ORDER BY number'),
    );
    expect(rows).toEqual(texts.map((text) => ({ word: text, lengthy: text })));
    for (const [index, word] of texts.entries()) {
      const single = await db.read((session) =>
        session.select('SELECT number FROM sample WHERE word = :word', { word }),
      );
      const listed = await db.read((session) =>
        session.select('SELECT number FROM sample WHERE lengthy IN (:words)', { words: [word] }),
      );
      expect({ word, single, listed }).toEqual({
        word,
        single: [{ number: index }],
        listed: [{ number: index }],
      });
    }
  });

  it('come back from models as they were, created and updated', async () => {
    const { db } = database;
    for (const username of texts) {
      const id = randomUUID();
      const account = { id, username, passwordHash: '' };
      await db.write(async ({ model, options }) => (await model(adminAccount)).create(account, options));
      const found = await db.read(async ({ model, options }) =>
        (await model(adminAccount)).findByPk(id, { ...options, raw: true }),
      );
      expect(found?.username).toBe(username);
      const changed = `changed ${username}`;
      await db.write(async ({ model, options }) =>
        (await model(adminAccount)).update({ username: changed }, { ...options, where: { id } }),
      );
      const [row] = await db.read((session) =>
        session.select<{ username: string }>('SELECT username FROM admin_account WHERE id = :id', { id }),
      );
      expect(row?.username).toBe(changed);
    }
  });

  it('of identifiers find their own statements and documents only', async () => {
    const service = serviceOn(database.db);
    const documents = createDocumentService(database.db);
    const identified = texts.filter((text) => text !== '');
    // JSON that holds U+0000 is refused on every engine; the id of a document may hold it.
    const inJson = identified.filter((text) => !text.includes('\0'));
    for (const name of inJson) {
      const actor = { objectType: 'Agent', account: { homePage: 'https://example.org', name } } as const;
      const [id] = await service.store(batchOf([statement({ actor })]));
      expect(await foundIds(service, { agent: actor })).toEqual([id]);
    }
    for (const name of identified) {
      const address = {
        kind: 'activities/profile',
        activity: 'https://example.org/x',
        agent: undefined,
        registration: undefined,
        id: name,
      } as const;
      const content = Buffer.from(name);
      const document = { contentType: 'text/plain', content };
      await documents.put(address, document, { conditions: { ifNoneMatch: ['*'] }, version: '2.0.0' });
      expect((await documents.get(address)).content).toEqual(content);
    }
    const { ids } = await documents.list({
      kind: 'activities/profile',
      activity: 'https://example.org/x',
      agent: undefined,
      registration: undefined,
    });
    expect(ids.toSorted()).toEqual(identified.toSorted());
    const page = await service.query({ ...everything, ascending: true }, exact);
    const names = page.statements.map(({ text }) => JSON.parse(text).actor.account.name);
    expect(names).toEqual(inJson);
  });
});
