import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, ReadSession } from '../../lib/db/types.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, everything, exact, serviceOn, statement, walk } from '../support/statements.ts';

const scanSizes = [8, 32] as const;
const [ann, ben] = [agent('ann'), agent('ben')];
const a = { id: 'https://example.org/verbs/a' };
const b = { id: 'https://example.org/verbs/b' };
const both = { agent: ann, verb: b.id };

const bounds = String.raw`search_key = :(\w+) AND position > :(\w+) AND position <= :(\w+)`;
/** How the leading filter is walked, through all its entries or so many; it captures the names of key, bounds and number. */
const leadingWalk = new RegExp(
  String.raw` statement_key (?:k WHERE ${bounds}|n WHERE ${bounds}\s+ORDER BY position \w+ LIMIT :(\w+)\) k )`,
);

/** The same database, but it counts the entries of the leading filter that each search for rows looks at. */
function counting(db: Database, count: (entries: number) => void): Database {
  const countingRead = (session: ReadSession): ReadSession => ({
    ...session,
    select: async (sql, replacements = {}) => {
      const names = leadingWalk
        .exec(sql)
        ?.slice(1)
        .filter((name) => name !== undefined);
      if (names !== undefined && sql.includes('payload')) {
        const [key, after, through, entries] = names.map((name) => replacements[name] ?? null);
        const [row] = await session.select<{ entries: number }>(
          'SELECT COUNT(*) AS entries FROM statement_key WHERE search_key = :key AND position > :after AND position <= :through',
          { key: key ?? null, after: after ?? null, through: through ?? null },
        );
        count(Math.min(Number(entries ?? Number.MAX_SAFE_INTEGER), Number(row?.entries)));
      }
      return session.select(sql, replacements);
    },
  });
  return {
    ...db,
    dialect: db.dialect,
    read: (work) => db.read((session) => work(countingRead(session))),
    write: (work) => db.write(work),
    close: () => db.close(),
  };
}

describe.each(engines)('a search with several filters on $name', (engine) => {
  let database: TestDatabase;
  let service: StatementService;
  let visited = 0;

  beforeEach(async () => {
    database = await engine.create();
    visited = 0;
    const db = counting(database.db, (entries) => {
      visited += entries;
    });
    service = serviceOn(db, { scanSizes, indexMergeEvery: 1 });
  });

  afterEach(() => database.remove());

  const store = (count: number, one: (index: number) => Partial<Statement>) =>
    service.store(batchOf(Array.from({ length: count }, (_, index) => statement(one(index)))));

  it.each([100, 800])(
    'leaps over what only one of them has: %i statements by each, one after another',
    async (count) => {
      const [match = ''] = await service.store(batchOf([statement({ actor: ann, verb: b })]));
      await store(count, () => ({ actor: ann, verb: a }));
      await store(count, () => ({ actor: ben, verb: b }));
      const page = await service.query({ ...everything, ...both, limit: 1 }, exact);
      expect(page.statements.map(({ text }) => JSON.parse(text).id)).toEqual([match]);
      expect(page.next).toBeUndefined();
      expect(visited).toBeGreaterThanOrEqual(8);
      expect(visited).toBeLessThanOrEqual(8 + 32);
    },
  );

  it('gives a page up after a bounded number of entries, and its next one goes on from there', async () => {
    const [match = ''] = await service.store(batchOf([statement({ actor: ann, verb: b })]));
    await store(400, (index) => (index % 2 === 0 ? { actor: ann, verb: a } : { actor: ben, verb: b }));
    const first = await service.query({ ...everything, ...both }, exact);
    expect(first).toMatchObject({ statements: [], next: expect.any(Number) });
    expect(visited).toBeGreaterThanOrEqual(8);
    expect(visited).toBeLessThanOrEqual(8 + 32);
    for (const ascending of [false, true]) {
      const pages = await walk(service, { ...both, ascending });
      const found = pages.flatMap(({ statements }) => statements.map(({ text }) => JSON.parse(text).id));
      expect(found).toEqual([match]);
    }
  });

  it('finds a page without giving up where statements pass all filters now and then', async () => {
    await store(200, (index) => (index % 4 === 0 ? { actor: ann, verb: b } : { actor: ann, verb: a }));
    const page = await service.query({ ...everything, ...both, limit: 5 }, exact);
    expect(page.statements).toHaveLength(5);
    expect(visited).toBeGreaterThanOrEqual(8);
    expect(visited).toBeLessThanOrEqual(8 + 32);
  });
});
