import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exactResult, resultText } from '../../lib/statements/present.ts';
import { joinedPage } from '../../lib/statements/search/exact-page.ts';
import type { PageRange } from '../../lib/statements/search/plan.ts';
import type { StatementQuery, StatementService } from '../../lib/statements/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, everything, exact, serviceOn, statement } from '../support/statements.ts';

/** Characters of two and of three bytes. */
const description = { en: 'é€'.repeat(300) };
/** Longer than a statement, so that there is no room for it behind the texts. */
const longLink = `/xapi/statements?agent=${'é'.repeat(5000)}`;
const large = statement({ object: { id: 'https://example.org/large', definition: { description } } });

describe.each(engines)('pages in the format exact on $name', (engine) => {
  let database: TestDatabase;
  let service: StatementService;

  beforeEach(async () => {
    database = await engine.create();
    service = serviceOn(database.db);
  });

  afterEach(() => database.remove());

  /** How many pages were read, all of which have the same statements, position and end in bytes and in texts. */
  async function compareAll(reader: StatementService, filter: Partial<StatementQuery>): Promise<number> {
    let from: number | undefined;
    let pages = 0;
    do {
      const query = { ...everything, ...filter, ...(from !== undefined && { from }) };
      const inTexts = await reader.query(query, exact);
      const { statements, next } = inTexts;
      for (const more of ['', '/xapi/statements?from=1', longLink]) {
        const page = await reader.queryExact(query);
        expect(exactResult(page, more).toString()).toBe(resultText(inTexts, more));
        expect(page).toMatchObject({
          count: statements.length,
          newest:
            statements.length === 0 ? undefined : Math.max(...statements.map((found) => found.position)),
          next,
        });
      }
      pages += 1;
      from = next;
    } while (from !== undefined);
    return pages;
  }

  it('are those of the texts, in both orders, for each limit, with and without filters', async () => {
    const by = (name: string) => statement({ actor: agent(name) });
    await service.store(batchOf([by('ann'), large, by('ben'), by('ann'), large, by('ann'), by('ben')]));
    const { verb } = statement();
    const filters = [{}, { verb: verb.id }, { agent: agent('ann') }, { agent: agent('ann'), verb: verb.id }];
    for (const ascending of [false, true]) {
      for (const filter of filters) {
        const found = 'agent' in filter ? 3 : 7;
        for (const limit of [1, 2, 100]) {
          const pages = await compareAll(service, { ...filter, ascending, limit });
          expect(pages).toBe(Math.ceil(found / limit));
        }
      }
    }
  });

  it('are those of the texts where the bytes of a page end it', async () => {
    await service.store(batchOf([statement(), large, statement(), large, large, statement()]));
    for (const pageBytes of [1500, 2500, 4500]) {
      const small = serviceOn(database.db, { pageBytes });
      for (const ascending of [false, true]) {
        expect(await compareAll(small, { ascending, limit: 6 })).toBeGreaterThan(1);
      }
    }
  });

  it('are none where nothing is found', async () => {
    expect(await compareAll(service, {})).toBe(1);
  });

  it('count against the memory of responses when the page is large', async () => {
    await service.store(batchOf(Array.from({ length: 60 }, () => large)));
    const reserved: number[] = [];
    const page = await service.queryExact(everything, { reserve: (bytes) => reserved.push(bytes) });
    expect(reserved).toEqual([expect.any(Number)]);
    const sent = Buffer.byteLength(exactResult(page, ''));
    expect(Math.abs((reserved[0] ?? 0) - sent)).toBeLessThan(100);
  });
});

describe.each(engines.filter(({ family }) => family === 'sqlite'))('texts joined by $name', (engine) => {
  let database: TestDatabase;
  const range: PageRange = {
    filters: [],
    onlyOwn: false,
    after: 0,
    through: Number.MAX_SAFE_INTEGER,
    ascending: false,
    dialect: { collectsIndexEntries: true, lazyWith: true },
    rows: 3,
    inlineBytes: 4000,
  };

  beforeEach(async () => {
    database = await engine.create();
    await serviceOn(database.db).store(batchOf([statement(), large, statement()]));
  });

  afterEach(() => database.remove());

  it('come as the bytes of a page', async () => {
    const page = await database.db.read((session) => joinedPage(session, range, 10_000));
    const statements = [{ verb: statement().verb }, { object: large.object }];
    expect(JSON.parse(String(page && exactResult(page, '')))).toMatchObject({ statements });
    expect(page?.count).toBe(2);
  });

  it('come one by one when a text or the page would be too long', async () => {
    const read = (part: PageRange, pageBytes: number) =>
      database.db.read((session) => joinedPage(session, part, pageBytes));
    expect(await read({ ...range, inlineBytes: 1000 }, 10_000)).toBeUndefined();
    expect(await read(range, 1000)).toBeUndefined();
  });

  it('come one by one when the database gave them in another order', async () => {
    const ascending = { ...range, ascending: true, rows: 4 };
    const page = await database.db.read((session) => joinedPage(session, ascending, 10_000));
    expect(page?.count).toBe(3);
    const misled = await database.db.read((session) =>
      joinedPage(
        { ...session, select: (text, values) => session.select(text.replace(' ASC ', ' DESC '), values) },
        ascending,
        10_000,
      ),
    );
    expect(misled).toBeUndefined();
  });
});
