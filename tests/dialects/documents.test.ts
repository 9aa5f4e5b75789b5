import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/db/types.ts';
import { entityTagOf } from '../../lib/documents/entity-tag.ts';
import { textOf } from '../../lib/documents/list.ts';
import { createDocumentService, type DocumentServiceOptions } from '../../lib/documents/service.ts';
import {
  type Conditions,
  type DocumentAddress,
  type DocumentService,
  defaultLimits,
} from '../../lib/documents/types.ts';
import { InvalidError, PreconditionFailedError, TooLargeError } from '../../lib/errors.ts';
import { sharedEngines, type TestDatabase } from '../support/engines.ts';
import { wholeTableReads } from '../support/query-plan.ts';

const address = (id: string): DocumentAddress => ({
  kind: 'activities/state',
  activity: 'http://example.org/activity',
  agent: 'mbox::mailto:a@example.org',
  registration: undefined,
  id,
});
const document = address('document');
const json = (value: unknown) => ({
  contentType: 'application/json',
  content: Buffer.from(JSON.stringify(value)),
});
const terms = (conditions: Conditions = {}) => ({ version: '1.0.3', conditions }) as const;
/** A property that makes a document large. */
const filling = (name: string, characters: number) => ({ [name]: 'x'.repeat(characters) });

describe.each(sharedEngines)('documents on $name', (engine) => {
  let database: TestDatabase;
  let service: DocumentService;

  beforeEach(async () => {
    database = await engine.create();
    service = createDocumentService(database.db);
  });
  afterEach(() => database.remove());

  const stored = async (id = 'document') => JSON.parse((await service.get(address(id))).content.toString());
  const limited = (limits: Partial<typeof defaultLimits>) =>
    createDocumentService(database.db, { limits: { ...defaultLimits, ...limits } });

  /** The same database; each transaction that writes, or read, is told before it begins. */
  const told = (onWrite: (number: number) => unknown, onRead = () => {}): Database => {
    let writes = 0;
    return {
      dialect: database.db.dialect,
      batches: undefined,
      tryLockRead: (sql) => database.db.tryLockRead(sql),
      async read(work) {
        onRead();
        return database.db.read(work);
      },
      async write(work, options) {
        await onWrite(writes++);
        return database.db.write(work, options);
      },
      close: () => database.db.close(),
    };
  };

  describe.each([
    ['small', 400],
    ['large', 40_000],
  ])('merges into a %s one', (_, size) => {
    it('keep the order of its properties and all that is in them, and set others behind', async () => {
      const text = `{"b": {"x":1.0} ,"2":1e2,"a":"${'x'.repeat(size)}","é":[ ]}`;
      await service.put(document, { contentType: 'application/json', content: Buffer.from(text) }, terms());
      const posted = '{"é":12345678901234567890,"new":{"y":{}},"b":null}';
      await service.merge(
        document,
        { contentType: 'application/json', content: Buffer.from(posted) },
        terms(),
      );
      const { content, etag } = await service.get(document);
      expect(content.toString()).toBe(
        `{"b":null,"2":1e2,"a":"${'x'.repeat(size)}","é":12345678901234567890,"new":{"y":{}}}`,
      );
      expect(etag).toBe(entityTagOf(content));
    });

    it('end where the document would become larger than permitted, and leave it alone then', async () => {
      const small = limited({ maxBytes: 3 * size });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          small.merge(document, json(filling(`key${index}`, size)), terms()),
        ),
      );
      const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(reasons).toHaveLength(6);
      for (const reason of reasons) {
        expect(reason).toBeInstanceOf(TooLargeError);
        expect(reason.message).toContain('lrs.documentMaxBytes (LRS_DOCUMENT_MAX_BYTES)');
      }
      const { content } = await service.get(document);
      expect(content.length).toBeLessThanOrEqual(3 * size);
      expect(Object.keys(JSON.parse(content.toString()))).toHaveLength(2);
      await small.merge(document, json({ small: 1 }), terms());
      expect(await stored()).toMatchObject({ small: 1 });
    });

    it('lose nothing when two processes do so at once', async () => {
      const both = [service, createDocumentService(await database.openAgain())];
      await service.put(document, json(filling('a', size)), terms());
      const names = Array.from({ length: 8 }, (_, index) => `key${index}`);
      await Promise.all(
        both.flatMap((each, process) =>
          names.map((name) => each.merge(document, json({ [`${name}-${process}`]: 1 }), terms())),
        ),
      );
      expect(Object.keys(await stored())).toHaveLength(17);
    });

    it('with If-Match let one of all win, and say why to the others', async () => {
      await service.put(document, json(filling('a', size)), terms());
      const ifMatch = [(await service.get(document)).etag];
      const outcomes = await Promise.allSettled(
        [1, 2, 3, 4].map((key) => service.merge(document, json({ [key]: key }), terms({ ifMatch }))),
      );
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
        'fulfilled',
        ...Array(3).fill('rejected'),
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(PreconditionFailedError);
      }
      expect(Object.keys(await stored())).toHaveLength(2);
    });

    it('are refused when it is no JSON object', async () => {
      for (const text of [`["${'x'.repeat(size)}"]`, `{"a":"${'x'.repeat(size)}"`]) {
        const content = Buffer.from(text);
        await service.put(document, { contentType: 'application/json', content }, terms());
        const merge = service.merge(document, json({ a: 1 }), terms());
        await expect(merge).rejects.toThrow('The stored document is not a JSON object');
        expect((await service.get(document)).content).toEqual(content);
      }
    });
  });

  it('a large document is read a few times for many merges, and never by a transaction that writes', async () => {
    await service.put(document, json(filling('a', 1_000_000)), terms());
    let reads = 0;
    const contents: unknown[] = [];
    const counting = told(
      () => {},
      () => {
        reads += 1;
      },
    );
    const noting: Database = {
      ...counting,
      write: (work, options) =>
        counting.write(
          (session) =>
            work({
              ...session,
              async select<Row extends object>(...query: Parameters<typeof session.select>) {
                const rows = await session.select<Row>(...query);
                for (const row of rows)
                  if ('content' in row && row.content !== null) contents.push(row.content);
                return rows;
              },
            }),
          options,
        ),
    };
    const other = createDocumentService(noting);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        other.merge(document, json({ [`key${index}`]: index }), terms()),
      ),
    );
    expect(Object.keys(await stored())).toHaveLength(41);
    expect(reads).toBeLessThan(8);
    expect(contents).toEqual([]);
  });

  it('what a transaction made of a document does not count when it is tried again', async () => {
    class Undone extends Error {}
    const twice: Database = {
      ...told(() => {}),
      async write(work, options) {
        const undone = database.db.write(async (session) => {
          await work(session);
          throw new Undone();
        });
        await expect(undone).rejects.toThrow(Undone);
        return database.db.write(work, options);
      },
    };
    const other = createDocumentService(twice);
    const first = json({ a: 1 });
    const ifMatch = [entityTagOf(first.content)];
    await Promise.all([
      other.put(document, first, terms()),
      other.merge(document, json({ b: 2 }), terms({ ifMatch })),
    ]);
    expect(await stored()).toEqual({ a: 1, b: 2 });
  });

  it('with more bytes or properties than permitted are refused', async () => {
    const small = limited({ maxBytes: 100, maxMembers: 2 });
    const tooLong = { contentType: 'text/plain', content: Buffer.alloc(101) };
    await expect(small.put(document, tooLong, terms())).rejects.toThrow(TooLargeError);
    await expect(small.merge(document, tooLong, terms())).rejects.toThrow(TooLargeError);
    await expect(small.merge(document, json({ a: 1, b: 2, c: 3 }), terms())).rejects.toThrow(
      'lrs.documentMaxMembers (LRS_DOCUMENT_MAX_MEMBERS)',
    );
    await small.merge(document, json({ a: 1, b: 2 }), terms());
    await expect(small.merge(document, json({ c: 3 }), terms())).rejects.toThrow(TooLargeError);
    await small.merge(document, json({ b: 3 }), terms());
    expect(await stored()).toEqual({ a: 1, b: 3 });
  });

  describe('in large numbers', () => {
    const many = 1203;
    const put = (id: string) =>
      service.put(address(id), { contentType: 'text/plain', content: Buffer.from('x') }, terms());
    const fill = () => Promise.all(Array.from({ length: many }, (_, index) => put(`id ${index}`)));

    it('are listed up to the number that is permitted', async () => {
      await fill();
      const { ids } = await limited({ maxIds: many }).list(document);
      expect(ids).toHaveLength(many);
      expect(ids).toEqual([...ids].toSorted());
      for (const options of [{ maxIds: many - 1 }, { maxIds: 2 }]) {
        const list = limited(options).list(document);
        await expect(list).rejects.toThrow(InvalidError);
        await expect(list).rejects.toThrow('lrs.documentMaxIds (LRS_DOCUMENT_MAX_IDS)');
      }
      await expect(limited({ maxIdBytes: many }).list(document)).rejects.toThrow('LRS_DOCUMENT_MAX_ID_BYTES');
    });

    it('or with long ids are measured before they are loaded', async () => {
      const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(20_000));
      await Promise.all(['short', ...ids].map(put));
      const list = (reserve?: (bytes: number) => void) => service.list(document, 0, reserve);
      expect((await list()).ids).toEqual([...ids, 'short']);
      const reserved: number[] = [];
      await list((bytes) => reserved.push(bytes));
      expect(reserved).toEqual([60_005]);
      const full = new Error('There is no memory.');
      await expect(
        list(() => {
          throw full;
        }),
      ).rejects.toBe(full);
      await expect(limited({ maxIdBytes: 60_004 }).list(document)).rejects.toThrow(
        'LRS_DOCUMENT_MAX_ID_BYTES',
      );
    });

    it('are not listed when their ids have more bytes than are sorted and hashed in one go', async () => {
      const ids = Array.from({ length: 70 }, (_, index) => `${index}`.padStart(30_000, 'x'));
      await Promise.all(ids.map(put));
      const reserved: number[] = [];
      const list = service.list(document, 0, (bytes) => reserved.push(bytes));
      await expect(list).rejects.toThrow('2097152 bytes that lrs.documentMaxIdBytes');
      expect(reserved).toEqual([]);
      await expect(service.deleteAll(document, { ifMatch: ['x'] })).rejects.toThrow(InvalidError);
      await service.delete(address(ids[0] ?? ''), {});
      expect((await service.list(document)).ids).toEqual(ids.slice(1).toSorted());
    });

    it('are not deleted on a condition that does not hold, which takes no write lock', async () => {
      await put('a');
      let writes = 0;
      const other = createDocumentService(
        told((number) => {
          writes = number + 1;
        }),
      );
      for (const conditions of [{ ifMatch: ['x'] }, { ifNoneMatch: '*' as const }]) {
        await expect(other.deleteAll(document, conditions)).rejects.toThrow(PreconditionFailedError);
      }
      expect(writes).toBe(0);
    });

    it('are not deleted when one is stored after the condition was checked without the write lock', async () => {
      await put('a');
      const other = createDocumentService(told((number) => number === 0 && put('b')));
      const ifMatch = [entityTagOf(textOf(['a']))];
      await expect(other.deleteAll(document, { ifMatch })).rejects.toThrow(PreconditionFailedError);
      expect((await service.list(document)).ids).toEqual(['a', 'b']);
    });

    it('are deleted in several transactions, all of them', async () => {
      await fill();
      let writes = 0;
      const options: DocumentServiceOptions = {};
      await createDocumentService(
        told((number) => {
          writes = number + 1;
        }),
        options,
      ).deleteAll(document, {});
      expect(writes).toBeGreaterThanOrEqual(many / 50);
      expect((await service.list(document)).ids).toEqual([]);
    });

    it('are deleted on a condition without those that are stored meanwhile', async () => {
      await fill();
      const { ids } = await service.list(document);
      const between = told(async (number) => {
        if (number === 1) await put('late');
      });
      const other = createDocumentService(between);
      await expect(other.deleteAll(document, { ifMatch: ['x'] })).rejects.toThrow(PreconditionFailedError);
      await createDocumentService(
        told(async (number) => {
          if (number === 1) await put('late');
        }),
      ).deleteAll(document, { ifMatch: [entityTagOf(textOf(ids))] });
      expect((await service.list(document)).ids).toEqual(['late']);
    });
  });

  it('that are to be changed are found by their keys', async () => {
    const sql = `SELECT epoch, etag FROM (SELECT 1 AS epoch) e LEFT JOIN document ON document_key IN (:keys)`;
    const replacements = { keys: [Buffer.alloc(16, 1), Buffer.alloc(16, 2)] };
    expect(await wholeTableReads(database.db, ['document'], { sql, replacements })).toEqual([]);
  });
});
