import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgentService } from '../../lib/agents/service.ts';
import { createBrowseService } from '../../lib/browse/service.ts';
import { type Database, type ReadOptions, type Replacements, smallContentBytes } from '../../lib/db/types.ts';
import { createDocumentService } from '../../lib/documents/service.ts';
import type { DocumentAddress } from '../../lib/documents/types.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { sharedEngines, type TestDatabase } from '../support/engines.ts';
import { batchOf, everything, exact, serviceOn, statement } from '../support/statements.ts';

const small = Buffer.alloc(smallContentBytes, 'small');
const large = Buffer.alloc(smallContentBytes + 1, 'large');

describe.each(sharedEngines)('reading large contents on $name', (engine) => {
  let database: TestDatabase;
  let reads: (ReadOptions | undefined)[];
  let told: Database;

  beforeEach(async () => {
    database = await engine.create();
    const { db } = database;
    reads = [];
    told = {
      dialect: db.dialect,
      batches: undefined,
      tryLockRead: (sql) => db.tryLockRead(sql),
      read(work, options) {
        reads.push(options);
        return db.read(work, options);
      },
      write: (work, options) => db.write(work, options),
      close: () => db.close(),
    };
  });
  afterEach(() => database.remove());

  const largeReads = () => reads.filter((options) => options?.large).length;

  it('asks for a large document by itself, and for a small one with what is known of it', async () => {
    const service = createDocumentService(told);
    const address = (id: string): DocumentAddress => ({
      kind: 'agents/profile',
      activity: undefined,
      agent: 'mbox::mailto:a@example.org',
      registration: undefined,
      id,
    });
    const terms = { version: '1.0.3', conditions: { ifNoneMatch: '*' } } as const;
    for (const [id, content] of Object.entries({ small, large })) {
      await service.put(address(id), { contentType: 'text/plain', content }, terms);
    }
    expect((await service.get(address('small'))).content.equals(small)).toBe(true);
    expect(largeReads()).toBe(0);
    expect((await service.get(address('large'))).content.equals(large)).toBe(true);
    expect(largeReads()).toBe(1);
  });

  it('asks for lists of documents with long ids, for long names and for searches one at a time', async () => {
    const documents = createDocumentService(told);
    const collection = {
      kind: 'agents/profile',
      activity: undefined,
      agent: 'mbox::mailto:b@example.org',
      registration: undefined,
    } as const;
    const terms = { version: '1.0.3', conditions: { ifNoneMatch: '*' } } as const;
    const put = (id: string) =>
      documents.put({ ...collection, id }, { contentType: 'text/plain', content: small }, terms);
    const person = { mbox: 'mailto:b@example.org' };
    await put('short');
    await serviceOn(told).store(batchOf([statement({ actor: { ...person, name: 'B' } })]));
    await documents.list(collection);
    await createAgentService(told).person(person);
    expect(largeReads()).toBe(0);
    const long = 'x'.repeat(2000);
    await put(long);
    await serviceOn(told).store(batchOf([statement({ actor: { ...person, name: long } })]));
    expect((await documents.list(collection)).ids).toEqual(['short', long]);
    expect(largeReads()).toBe(1);
    expect((await createAgentService(told).person(person)).name).toEqual([long, 'B']);
    expect(largeReads()).toBe(2);
    await createBrowseService(told).agents({ limit: 10, search: 'b@', after: undefined, isCounted: false });
    expect(largeReads()).toBe(3);
  });

  it('finds the newest names of an Agent without a look at the others', async () => {
    const queries: { sql: string; replacements: Replacements }[] = [];
    const noting: Database = {
      ...told,
      read: (work) =>
        database.db.read((session) =>
          work({
            ...session,
            select(sql, replacements = {}) {
              queries.push({ sql, replacements });
              return session.select(sql, replacements);
            },
          }),
        ),
    };
    await createAgentService(noting).person({ mbox: 'mailto:b@example.org' });
    const [query] = queries;
    if (query === undefined) throw new Error('There was no query.');
    const explain = engine.family === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const plan = await database.db.read(async (session) => {
      if (engine.family === 'postgres') {
        for (const step of ['seqscan', 'bitmapscan']) await session.select(`SET enable_${step} = off`);
      }
      const steps = await session.select<object>(`${explain} ${query.sql}`, query.replacements);
      if (engine.family === 'postgres') await session.select('RESET ALL');
      return JSON.stringify(steps);
    });
    expect(plan).toContain('agent_name_first_seen');
    expect(plan).not.toMatch(/TEMP B-TREE|Sort|filesort/);
  });

  it('tells the length of a large document, and of a large page, before it is loaded or made', async () => {
    const documents = createDocumentService(told);
    const address: DocumentAddress = {
      kind: 'agents/profile',
      activity: undefined,
      agent: 'mbox::mailto:b@example.org',
      registration: undefined,
      id: 'large',
    };
    const terms = { version: '1.0.3', conditions: { ifNoneMatch: '*' } } as const;
    await documents.put(address, { contentType: 'text/plain', content: large }, terms);
    const lengths: number[] = [];
    const refuse = (bytes: number): void => {
      lengths.push(bytes);
      throw new Error('no room');
    };
    await expect(documents.get(address, refuse)).rejects.toThrow('no room');
    expect([lengths, largeReads()]).toEqual([[large.length], 0]);
    const statements = serviceOn(told);
    await statements.store(batchOf([statement({ result: { response: 'x'.repeat(100_000) } })]));
    await expect(statements.query(everything, { ...exact, reserve: refuse })).rejects.toThrow('no room');
    expect(lengths[1]).toBeGreaterThan(100_000);
  });

  it('asks for large attachments by themselves', async () => {
    const service = serviceOn(told);
    const ids = { small: randomUUID(), large: randomUUID() };
    for (const [id, content] of [
      [ids.small, small],
      [ids.large, large],
    ] as const) {
      const sha2 = createHash('sha256').update(content).digest('hex');
      const attachments: Statement['attachments'] = [
        {
          usageType: 'https://example.org/usage',
          display: { en: 'A' },
          contentType: 'text/plain',
          length: content.length,
          sha2,
        },
      ];
      const contents = { attachments: [{ sha2, contentType: 'text/plain', content }] };
      await service.store(batchOf([statement({ id, attachments })], contents));
    }
    const presentation = { ...exact, attachments: true };
    const one = await service.get({ id: ids.small, voided: false }, presentation);
    expect(one.attachments.map(({ content }) => content.equals(small))).toEqual([true]);
    expect(largeReads()).toBe(0);
    const other = await service.get({ id: ids.large, voided: false }, presentation);
    expect(other.attachments.map(({ content }) => content.equals(large))).toEqual([true]);
    expect(largeReads()).toBe(1);
    const page = await service.query(everything, presentation);
    expect(page.attachments.map(({ content }) => content.length).toSorted()).toEqual(
      [small.length, large.length].toSorted(),
    );
    expect(largeReads()).toBe(2);
    await service.query(everything, exact);
    expect(largeReads()).toBe(2);
  });

  // A SQLite connection reads one thing at a time anyway.
  if (engine.family !== 'sqlite') {
    it('asks the server for one at a time', async () => {
      let running = 0;
      let most = 0;
      const reading = Array.from({ length: 3 }, () =>
        database.db.read(
          async (session) => {
            running += 1;
            most = Math.max(most, running);
            await session.select('SELECT 1 AS one');
            running -= 1;
          },
          { large: true },
        ),
      );
      await Promise.all(reading);
      expect(most).toBe(1);
    });
  }
});
