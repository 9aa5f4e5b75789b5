import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, ReadSession } from '../../lib/db/types.ts';
import { createErasureService } from '../../lib/erasure/service.ts';
import { TooLargeError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import { propagateSlice } from '../../lib/statements/commit/reference-slice.ts';
import { SearchIndex } from '../../lib/statements/search/search-index.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import { unlimitedWrites } from '../../lib/statements/write-limits.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { engines, sharedEngines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, foundIds, reference, serviceOn, statement, voiding } from '../support/statements.ts';

const verb = { id: 'https://example.org/verbs/of-the-target' };
const byVerb = { verb: verb.id, ascending: true, limit: 1000 };
/** So many keys that handing them to thousands takes many slices. */
const manyKeys = {
  contextActivities: {
    other: Array.from({ length: 70 }, (_, index) => ({
      objectType: 'Activity' as const,
      id: `https://example.org/activities/${index}`,
    })),
  },
};

const pendingRows = (session: ReadSession) => session.select('SELECT target FROM reference_pending');

describe.each(engines)('handing keys to those that refer to a statement, in slices, on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  it('lets other writers in between, and answers when all are found', async () => {
    const service = serviceOn(database.db);
    const target = randomUUID();
    const count = 300;
    const ids = await service.store(batchOf(Array.from({ length: count }, () => reference(target))));
    let done = false;
    const storing = service
      .store(batchOf([statement({ id: target, verb, context: manyKeys })], { authority: agent('other') }))
      .finally(() => {
        done = true;
      });
    let between = 0;
    while (!done) {
      await service.store(batchOf([statement()]));
      between += 1;
    }
    await storing;
    await service.finishReferences();
    expect(between).toBeGreaterThan(2);
    expect(await foundIds(service, byVerb)).toEqual([...ids, target]);
    expect(await database.db.read(pendingRows)).toEqual([]);
  });

  it('finds the same whether keys are handed on at once or in slices, in any order of arrival', async () => {
    const other = await engine.create();
    const atOnce = serviceOn(other.db);
    const sliced = serviceOn(database.db, { inheritedEntries: 0 });
    const ids = Array.from({ length: 24 }, () => randomUUID());
    const random = randomNumbers();
    const statements = ids.map((id, index): Statement => {
      const own = { id, verb: { id: `https://example.org/verbs/${index}` } };
      const referred = ids[random() % ids.length] ?? '';
      if (random() % 5 === 0) return statement(own);
      return random() % 9 === 0 ? voiding(referred, { id }) : reference(referred, own);
    });
    for (let start = 0; start < statements.length; ) {
      const end = start + 1 + (random() % 8);
      const batch = statements.slice(start, end);
      const authority = agent(`authority-${random() % 2}`);
      for (const service of [atOnce, sliced]) await service.store(batchOf(batch, { authority }));
      start = end;
    }
    for (const service of [atOnce, sliced]) await service.finishReferences();
    const sorted = async (service: StatementService, by: string) =>
      (await foundIds(service, { verb: by })).toSorted();
    for (const { verb: by } of statements) {
      expect([by.id, await sorted(sliced, by.id)]).toEqual([by.id, await sorted(atOnce, by.id)]);
    }
    expect((await foundIds(sliced)).toSorted()).toEqual((await foundIds(atOnce)).toSorted());
    await other.remove();
  });

  it('counts the keys that are handed on, not all that the target has', async () => {
    const service = serviceOn(database.db);
    const target = randomUUID();
    const ids = await service.store(batchOf(Array.from({ length: 60 }, () => reference(target))));
    // The slices are done below, because the service sizes them by the time that they take.
    await service.stop();
    const other = Array.from({ length: 3000 }, (_, index) => ({
      objectType: 'Activity' as const,
      id: `https://example.org/activities/${index}`,
    }));
    const context = { contextActivities: { other } };
    await service.store(batchOf([statement({ id: target, verb, context })], { authority: agent('other') }));
    const index = new SearchIndex();
    let slices = 0;
    while (await database.db.write((session) => propagateSlice(session, index, 1))) slices += 1;
    expect(await foundIds(service, byVerb)).toEqual([...ids, target]);
    expect(slices).toBeLessThan(6);
  });

  it('does as much in a transaction as it is told to', async () => {
    const service = serviceOn(database.db, { inheritedEntries: 0 });
    const target = randomUUID();
    await service.store(batchOf(Array.from({ length: 60 }, () => reference(target))));
    await service.stop();
    await service.store(batchOf([statement({ id: target, verb })]));
    const index = new SearchIndex();
    const hits: number[] = [];
    for (const share of [0.02, 0.04, 1]) {
      await database.db.write((session) => propagateSlice(session, index, share));
      hits.push((await foundIds(service, byVerb)).length - 1);
    }
    expect(hits).toEqual([10, 30, 60]);
  });

  it('goes through a batch that is one long chain of ever new keys, too', async () => {
    const service = serviceOn(database.db, { inheritedEntries: 1000 });
    const ids = Array.from({ length: 400 }, () => randomUUID());
    const chain = ids.map((id, index) => {
      const own = { id, verb: { id: `${verb.id}/${index}` } };
      return index === 0 ? statement(own) : reference(ids[index - 1] ?? '', own);
    });
    await service.store(batchOf(chain.toReversed()));
    await service.finishReferences();
    expect(await database.db.read(pendingRows)).toEqual([]);
    const found = await foundIds(service, { verb: `${verb.id}/200`, limit: 1000 });
    expect(found.length).toBeGreaterThan(20);
    expect(found).toContain(ids[215]);
    expect(found).not.toContain(ids[199]);
  });

  it('is left by a process that ends, and done by the next one', async () => {
    const first = serviceOn(database.db);
    const target = randomUUID();
    const ids = await first.store(batchOf(Array.from({ length: 50 }, () => reference(target))));
    await first.stop();
    await first.store(batchOf([statement({ id: target, verb })]));
    expect(await foundIds(first, byVerb)).toEqual([target]);
    const next = serviceOn(database.db);
    await next.finishReferences();
    expect(await foundIds(next, byVerb)).toEqual([...ids, target]);
    expect(await database.db.read(pendingRows)).toEqual([]);
  });

  it('is taken over by a process that writes, if nobody else does it', async () => {
    const first = serviceOn(database.db);
    const target = randomUUID();
    const ids = await first.store(batchOf([reference(target)]));
    await first.stop();
    await first.store(batchOf([statement({ id: target, verb })]));
    const next = serviceOn(database.db, { takeOverAfter: 1 });
    await next.store(batchOf([statement()]));
    await expect.poll(() => foundIds(next, byVerb)).toEqual([...ids, target]);
    await next.stop();
  });

  it('is finished before an actor is erased, whose keys would come back otherwise', async () => {
    const first = serviceOn(database.db);
    const target = randomUUID();
    const ids = await first.store(batchOf(Array.from({ length: 5 }, () => reference(target))));
    await first.stop();
    const gone = agent('gone');
    await first.store(batchOf([statement({ id: target, actor: gone })]));
    await createErasureService(database.db, createLogger('OFF')).erase('mbox::mailto:gone@example.org');
    const next = serviceOn(database.db);
    await next.finishReferences();
    expect(await foundIds(next, { agent: gone })).toEqual([]);
    expect((await foundIds(next)).toSorted()).toEqual(ids.toSorted());
    const [row] = await database.db.read((session) =>
      session.select<{ longest: number }>(
        'SELECT MAX(OCTET_LENGTH(search_keys)) AS longest FROM statement_reference',
      ),
    );
    expect(Number(row?.longest)).toBeLessThan(16 * 40);
  });

  it('refuses a request that needs more of the index than the limit, and voids one by one what is too much together', async () => {
    const limits = { ...unlimitedWrites, stmtMaxIndexEntries: 500 };
    const service = serviceOn(database.db, { limits });
    const many = Array.from({ length: 10 }, () => statement({ context: manyKeys }));
    await expect(service.store(batchOf(many))).rejects.toThrow(/LRS_STMT_MAX_INDEX_ENTRIES/);
    const ids: string[] = [];
    for (const each of many) ids.push(...(await service.store(batchOf([each]))));
    const together = batchOf(ids.map((id) => voiding(id)));
    await expect(service.store(together)).rejects.toThrow(TooLargeError);
    expect(await foundIds(service)).toHaveLength(ids.length);
    const voiders = await Promise.all(ids.map((id) => service.store(batchOf([voiding(id)]))));
    expect((await foundIds(service)).toSorted()).toEqual(voiders.flat().toSorted());
  });

  it('refuses a request that refers to more bytes of statements than the limit, but not to a single one', async () => {
    const limits = { ...unlimitedWrites, stmtMaxTargetBytes: 10_000 };
    const service = serviceOn(database.db, { limits });
    const large = () => statement({ result: { response: 'x'.repeat(20_000) } });
    const ids = await service.store(batchOf([large(), large()]));
    const referring = ids.map((id) => reference(id));
    await expect(service.store(batchOf(referring))).rejects.toThrow(/LRS_STMT_MAX_TARGET_BYTES/);
    for (const each of referring) await service.store(batchOf([each]));
    expect(await foundIds(service)).toHaveLength(4);
  });

  it('reads repeated statements a few at a time, and not many that are far longer than what is sent', async () => {
    const definition = { name: { en: 'x'.repeat(400_000) } };
    const object = { objectType: 'Activity', id: 'https://example.org/activities/defined' } as const;
    const long = Array.from({ length: 6 }, () =>
      statement({ id: randomUUID(), object: { ...object, definition } }),
    );
    const short = long.map((each) => ({ ...each, object }));
    const { db } = database;
    let reads = 0;
    const noting: Database = {
      dialect: db.dialect,
      batches: undefined,
      tryLockRead: (sql) => db.tryLockRead(sql),
      read: (work, options) => db.read(work, options),
      write: (work, options) =>
        db.write((session) => {
          const select: typeof session.select = (sql, replacements) => {
            if (sql.startsWith('SELECT id, payload')) reads += 1;
            return session.select(sql, replacements);
          };
          return work(Object.assign(Object.create(session), { select }));
        }, options),
      close: () => db.close(),
    };
    const limits = { ...unlimitedWrites, stmtMaxTargetBytes: 1_000_000 };
    const service = serviceOn(noting, { limits });
    const ids = await service.store(batchOf(long));
    expect(await service.store(batchOf(long))).toEqual(ids);
    expect(reads).toBe(3);
    await expect(service.store(batchOf(short))).rejects.toThrow(/LRS_STMT_MAX_TARGET_BYTES/);
    expect(reads).toBe(3);
    const [first, ...others] = short;
    if (first === undefined) throw new Error('There is none.');
    expect(await service.store(batchOf([first]))).toEqual(ids.slice(0, 1));
    const changed = others.map((each) => ({ ...each, verb }));
    const outcomes = await Promise.allSettled(changed.map((each) => service.store(batchOf([each]))));
    expect(outcomes.map(({ status }) => status)).toEqual(others.map(() => 'rejected'));
    expect(await foundIds(service)).toHaveLength(6);
  });
});

describe.each(sharedEngines)('several processes that hand on keys in slices on $name', (engine) => {
  it('do it together without harm', async () => {
    const database = await engine.create();
    const dbs: Database[] = [database.db, await database.openAgain(), await database.openAgain()];
    const services = dbs.map((db) => serviceOn(db));
    const [service] = services;
    if (service === undefined) throw new Error('There is no service.');
    const targets = Array.from({ length: 3 }, () => randomUUID());
    const ids = await service.store(
      batchOf(targets.flatMap((target) => Array.from({ length: 100 }, () => reference(target)))),
    );
    await Promise.all(
      services.map((each, index) =>
        each.store(batchOf([statement({ id: targets[index] ?? '', verb, context: manyKeys })])),
      ),
    );
    await Promise.all(services.map((each) => each.finishReferences()));
    expect((await foundIds(service, byVerb)).toSorted()).toEqual([...ids, ...targets].toSorted());
    await database.remove();
  });
});

/** Numbers that look random, the same in each run. */
function randomNumbers(): () => number {
  let seed = 20_261_123;
  return () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed >> 8;
  };
}
