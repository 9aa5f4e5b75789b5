import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { anyFingerprint } from '../../lib/statements/search/fingerprint.ts';
import { SearchIndex } from '../../lib/statements/search/search-index.ts';
import { keysOf } from '../../lib/statements/search/search-key.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import {
  authority,
  batchOf,
  foundIds,
  reference,
  serviceOn,
  statement,
  voiding,
} from '../support/statements.ts';
import { conditionLimit } from '../support/time-limits.ts';

const verb = statement().verb.id;
const mergeEvery = 40;

describe.each(engines)('the search index on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  async function entriesIn(table: string): Promise<number> {
    const [row] = await database.db.read((session) =>
      session.select<{ statements: number }>(`SELECT COUNT(DISTINCT position) AS statements FROM ${table}`),
    );
    return row?.statements ?? 0;
  }

  it('merges its write buffer, on an engine that has one, every so many statements, and finds all statements at any time', async () => {
    const service = serviceOn(database.db, { indexMergeEvery: mergeEvery, indexQuietTime: 60_000 });
    const ids: string[] = [];
    const waiting: number[] = [];
    for (let count = 0; count < 3 * mergeEvery; count += 1) {
      ids.push(...(await service.store(batchOf([statement()]))));
      waiting.push(await entriesIn('statement_key_buffer'));
      expect(waiting.at(-1)).toBe(ids.length - (await entriesIn('statement_key')));
    }
    const { collectsIndexEntries } = database.db.dialect;
    expect(Math.max(...waiting)).toBe(collectsIndexEntries ? mergeEvery - 1 : 0);
    expect(waiting.filter((recent) => recent === 0).length).toBeGreaterThanOrEqual(2);
    expect(await foundIds(service, { verb, ascending: true, limit: 7 })).toEqual(ids);
  });

  it('finds statements whose entries are collected by each filter and by several, as those in the index', async () => {
    const service = serviceOn(database.db, { indexMergeEvery: 1000, indexQuietTime: 60_000 });
    const other = `${verb}/other`;
    const manyActivities = Array.from({ length: 100 }, (_, index) => ({
      id: `http://example.org/other/${index}`,
    }));
    const store = () =>
      service.store(
        batchOf([
          statement(),
          statement({ verb: { id: other } }),
          statement({ context: { contextActivities: { other: manyActivities } } }),
        ]),
      );
    const [first = '', second = '', third = ''] = await store();
    const activity = manyActivities[99]?.id ?? '';
    const found = async () => [
      await foundIds(service, { verb, ascending: true }),
      await foundIds(service, { verb: other, ascending: true }),
      await foundIds(service, { verb: other, activity }),
      await foundIds(service, { activity, relatedActivities: true, ascending: true }),
      await foundIds(service, { verb, activity, relatedActivities: true, ascending: true }),
    ];
    const expected = [[first, third], [second], [], [third], [third]];
    expect(await found()).toEqual(expected);
    await database.db.write((session) => new SearchIndex(1000).merge(session));
    expect(await entriesIn('statement_key_buffer')).toBe(0);
    expect(await found()).toEqual(expected);
  });

  it('takes the entries of a large write at once', async () => {
    const service = serviceOn(database.db, { indexMergeEvery: mergeEvery });
    await service.store(batchOf(Array.from({ length: mergeEvery }, () => statement())));
    expect(await entriesIn('statement_key')).toBe(mergeEvery);
    expect(await entriesIn('statement_key_buffer')).toBe(0);
  });

  it('takes up what is left when nothing is written for a while', async () => {
    const service = serviceOn(database.db, { indexMergeEvery: 1000, indexQuietTime: 20 });
    const [id] = await service.store(batchOf([statement()]));
    await vi.waitFor(async () => expect(await entriesIn('statement_key')).toBe(1), conditionLimit);
    expect(await entriesIn('statement_key_buffer')).toBe(0);
    expect(await foundIds(service, { verb })).toEqual([id]);
  });

  it('is looked after while it grows, where that makes it faster to read', async () => {
    if (database.db.dialect.upkeepOf('statement_key') === undefined) {
      expect(engine.dialect).not.toBe('postgres');
      return;
    }
    // What others have deleted takes no room on the pages that are to become visible.
    await database.db.read((session) => session.select('VACUUM statement_key'));
    const service = serviceOn(database.db, { upkeepEvery: 10 });
    await service.store(batchOf(Array.from({ length: 20 }, () => statement())));
    await vi.waitFor(async () => {
      const [table] = await database.db.read((session) =>
        session.select<{ visible: number }>(
          "SELECT relallvisible AS visible FROM pg_class WHERE oid = 'statement_key'::regclass",
        ),
      );
      expect(table?.visible).toBeGreaterThan(0);
    }, conditionLimit);
  });

  it('gives the entries of a statement its fingerprint, and none to what may be found through another one', async () => {
    const service = serviceOn(database.db, { indexMergeEvery: 1 });
    const id = randomUUID();
    await service.store(batchOf([reference(id)]));
    await service.store(batchOf([statement({ id })]));
    const rows = await database.db.read((session) =>
      session.select<{ refers: number; fingerprint: number; entries: number }>(
        `SELECT CASE WHEN s.id = :id THEN 0 ELSE 1 END AS refers, k.fingerprint, COUNT(*) AS entries
         FROM statement_key k JOIN statement s ON s.position = k.position GROUP BY s.id, k.fingerprint ORDER BY 1`,
        { id },
      ),
    );
    const { fingerprint } = keysOf(statement(), authority);
    expect(rows.map((row) => ({ ...row, entries: Number(row.entries) }))).toEqual([
      { refers: 0, fingerprint, entries: 5 },
      { refers: 1, fingerprint: anyFingerprint, entries: 5 },
    ]);
  });

  it('merges its write buffer before an entry of a stored statement changes', async () => {
    const service = serviceOn(database.db, { indexMergeEvery: 1000 });
    const id = randomUUID();
    await service.store(batchOf([statement({ id })]));
    const [voider = ''] = await service.store(batchOf([voiding(id)]));
    expect(await entriesIn('statement_key_buffer')).toBe(0);
    expect(await foundIds(service, { verb })).toEqual([voider]);
  });
});
