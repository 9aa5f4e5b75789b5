import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, ReadSession, Replacements, WriteSession } from '../../lib/db/types.ts';
import { createFeed } from '../../lib/feed/feed.ts';
import { createLogger } from '../../lib/logger.ts';
import { removeEndedMarks, writeMarks } from '../../lib/rate-limits/marks-store.ts';
import { fingerprintPart } from '../../lib/statements/search/fingerprint.ts';
import { pageQuery, reachQuery, scanQuery } from '../../lib/statements/search/page-sql.ts';
import type { PageRange } from '../../lib/statements/search/plan.ts';
import type { KeyedTerm } from '../../lib/statements/search/search-key.ts';
import type { StatementQuery } from '../../lib/statements/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { wholeTableReads } from '../support/query-plan.ts';
import {
  agent,
  authority,
  batchOf,
  everything,
  exact,
  reference,
  serviceOn,
  statement,
  voiding,
} from '../support/statements.ts';

/** The same database, but it notes what is run on it. */
function noting(db: Database, note: (sql: string, replacements: Replacements) => void): Database {
  const notingRead = <Session extends ReadSession>(session: Session): Session => ({
    ...session,
    select: (sql, replacements = {}) => {
      note(sql, replacements);
      return session.select(sql, replacements);
    },
  });
  const notingWrite = (session: WriteSession): WriteSession => ({
    ...notingRead(session),
    execute: (sql, replacements = {}) => {
      note(sql, replacements);
      return session.execute(sql, replacements);
    },
  });
  return {
    dialect: db.dialect,
    batches: undefined,
    tryLockRead: (sql) => db.tryLockRead(sql),
    read: (work) => db.read((session) => work(notingRead(session))),
    write: (work) => db.write((session) => work(notingWrite(session))),
    close: () => db.close(),
  };
}

const filters: Partial<StatementQuery> = {
  agent: agent('someone'),
  verb: 'https://example.org/verbs/did',
  activity: 'https://example.org/activities/something',
  registration: randomUUID(),
  authority,
};
const names = Object.keys(filters);

/** No filter, each alone, each pair, and all together. */
const combinations: Partial<StatementQuery>[] = [
  {},
  filters,
  ...names.flatMap((one) =>
    names.map((other) =>
      Object.fromEntries(Object.entries(filters).filter(([name]) => name === one || name === other)),
    ),
  ),
];

/**
 * Tables by name and alias. What is named otherwise is at most a page, the values of a list, or the recent index entries,
 * which are few.
 */
const tables = [
  ...['statement', 'statement_key', 'statement_reference', 'statement_attachment', 'attachment'],
  ...['s', 'k', 'n', 'o', 'c', 'r', 'u', 'a'],
];

describe.each(engines)('the query plans of $name', (engine) => {
  let database: TestDatabase;
  const noted = new Map<string, Replacements>();

  beforeEach(async () => {
    database = await engine.create();
    noted.clear();
  });

  afterEach(() => database.remove());

  it('read no whole table, whatever filters a page has and whatever is stored', async () => {
    const db = noting(database.db, (sql, replacements) => noted.set(sql, replacements));
    // The upkeep of the index starts at a random count of statements, and its SQL has no plan.
    const service = serviceOn(db, { upkeepEvery: 1_000_000_000 });
    const [id = ''] = await service.store(batchOf([statement({ id: randomUUID() })]));
    await service.store(batchOf([reference(id), voiding(id), statement({ id: randomUUID() })]));
    await service.store(batchOf([voiding(randomUUID(), { id: randomUUID() })]));
    for (const combination of combinations) {
      for (const related of [false, true]) {
        for (const ascending of [false, true]) {
          const query = { ...everything, ...combination, ascending };
          const presentation = { ...exact, attachments: related };
          await service.query({ ...query, relatedAgents: related, relatedActivities: related }, presentation);
        }
      }
    }
    expect(noted.size).toBeGreaterThan(20);
    for (const [sql, replacements] of noted) {
      const bad = await wholeTableReads(database.db, tables, { sql, replacements });
      expect({ sql, bad }).toEqual({ sql, bad: [] });
    }
  });

  it('of the feed read statements from the cursor on, and nothing else of them', async () => {
    const db = noting(database.db, (sql, replacements) => noted.set(sql, replacements));
    await serviceOn(database.db).store(batchOf(Array.from({ length: 20 }, () => statement())));
    const feed = createFeed(db, {
      logger: createLogger('OFF'),
      limits: { statements: 5, bytes: 1_048_576 },
      leaseSeconds: 5,
    });
    feed.register('test', { handle: async (items) => ({ through: items.at(-1)?.position ?? 0 }) });
    await feed.ensureConsumer({ name: 'one', kind: 'test', cursor: 1 });
    await feed.list();
    expect(await feed.runUntil(Date.now() + 60_000)).toBe(true);
    for (const [sql, replacements] of noted) {
      if (!/\bstatement\b/.test(sql) || !/^\s*SELECT/.test(sql)) continue;
      const bad = await wholeTableReads(database.db, ['statement'], { sql, replacements });
      expect({ sql, bad }).toEqual({ sql, bad: [] });
    }
  });
});

describe.each(engines.filter(({ family }) => family === 'postgres'))('what writes on $name', (engine) => {
  it('finds statements by their ids’ index, in a store so new that nobody knows its size, too', async () => {
    const { db, remove } = await engine.create();
    const ids = Array.from({ length: 100 }, () => randomUUID());
    const steps = await db.write((session) =>
      session.select<{ 'QUERY PLAN': string }>(
        'EXPLAIN SELECT EXISTS (SELECT 1 FROM statement WHERE id IN (:ids)) AS taken',
        { ids },
      ),
    );
    const plan = steps.map((step) => step['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index');
    expect(plan).not.toContain('Seq Scan');
    await remove();
  });
});

describe.each(engines.filter(({ family }) => family === 'postgres'))('what reads on $name', (engine) => {
  it('walks the index in its order, in a store of which nobody knows the size, too', async () => {
    const { db, remove } = await engine.create();
    const term = (kind: 'agent' | 'verb', value: string, digit: string): KeyedTerm => {
      const key = digit.padStart(32, '0');
      return { kind, value, key, ...fingerprintPart({ kind, key }) };
    };
    await db.write(async (session) => {
      await session.execute('ALTER TABLE statement_key SET (autovacuum_enabled = off)');
      await session.execute(
        `INSERT INTO statement_key SELECT CAST(lpad(to_hex(n % 9), 32, '0') AS UUID), n
         FROM generate_series(1, 300000) n`,
      );
    });
    const range: PageRange = {
      filters: [[term('agent', 'somebody', '7')], [term('verb', 'did', '8')]],
      onlyOwn: false,
      after: 0,
      through: Number.MAX_SAFE_INTEGER,
      ascending: false,
      dialect: db.dialect,
      rows: 51,
      inlineBytes: 1000,
    };
    for (const { text, values } of [reachQuery(range, 128), pageQuery(range), scanQuery(range, 128)]) {
      const steps = await db.read((session) =>
        session.select<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values),
      );
      const plan = steps.map((step) => step['QUERY PLAN']).join('\n');
      expect(plan).toContain('Index Only Scan Backward');
      expect(plan).not.toMatch(/Bitmap|Sort/);
    }
    await remove();
  });
});

describe.each(engines.filter(({ family }) => family === 'mariadb'))('what removes on $name', (engine) => {
  it('reads of the marks that have ended only those that it removes', async () => {
    const { db, remove } = await engine.create();
    const marks = Array.from({ length: 5000 }, (_, n) => [n.toString(16).padStart(32, '0'), n] as const);
    await db.write((session) => writeMarks(session, new Map(marks)));
    const read = await db.write(async (session) => {
      const readSoFar = async () => {
        const rows = await session.select<{ Value: string }>("SHOW SESSION STATUS LIKE 'Handler_read%'");
        return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
      };
      const before = await readSoFar();
      await removeEndedMarks(session, 4000);
      return (await readSoFar()) - before;
    });
    expect(read).toBeGreaterThanOrEqual(1000);
    expect(read).toBeLessThan(1200);
    await remove();
  });
});

describe.each(engines.filter(({ family }) => family === 'sqlite'))('the query plans of $name', (engine) => {
  let database: TestDatabase;
  const noted = new Map<string, Replacements>();

  beforeEach(async () => {
    database = await engine.create();
    noted.clear();
  });

  afterEach(() => database.remove());

  async function plans(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const [sql, replacements] of noted) {
      const steps = await database.db.read((session) =>
        session.select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, replacements),
      );
      found.set(
        sql,
        steps.map(({ detail }) => detail),
      );
    }
    return found;
  }

  it('walk the range of a key in its order, and sort no more than a page of each alternative', async () => {
    const service = serviceOn(noting(database.db, (sql, replacements) => noted.set(sql, replacements)));
    for (const relatedAgents of [false, true]) {
      await service.query({ ...everything, agent: agent('someone'), relatedAgents }, exact);
    }
    for (const [sql, steps] of await plans()) {
      expect(steps).toContain('SEARCH k USING PRIMARY KEY (search_key=? AND position>? AND position<?)');
      const sorts = steps.filter((step) => step.includes('TEMP B-TREE')).length;
      expect(sorts).toBe(sql.split('AS alternative').length - 1 + sql.split(') alternative').length - 1);
    }
  });
});
