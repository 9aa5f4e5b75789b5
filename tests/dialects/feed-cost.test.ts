import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusyTime } from '../../lib/busy-time.ts';
import { createFeed, type FeedOptions } from '../../lib/feed/feed.ts';
import { readBatch } from '../../lib/feed/item-reader.ts';
import { RecentStatements } from '../../lib/feed/recent-statements.ts';
import type { Feed, FeedHandler, FeedItem, StatementHead } from '../../lib/feed/types.ts';
import { unlimited } from '../../lib/json/limits.ts';
import { createLogger } from '../../lib/logger.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { authority, batchOf, serviceOn, statement } from '../support/statements.ts';

describe.each(engines)('the feed of $name costs little:', (engine) => {
  let database: TestDatabase;
  let db: CountingDatabase;
  let clock: ManualClock;
  let feed: Feed;
  const handed: FeedItem[] = [];
  const handler: FeedHandler = {
    async handle(items) {
      handed.push(...items);
      return { through: items.at(-1)?.position ?? 0 };
    },
  };

  beforeEach(async () => {
    database = await engine.create();
    db = new CountingDatabase(database.db);
    clock = new ManualClock();
    handed.length = 0;
    feed = feedWith({ leaseSeconds: 5 });
  });

  const feedWith = (options: Pick<FeedOptions, 'leaseSeconds'> & Partial<FeedOptions>): Feed =>
    createFeed(db, {
      logger: createLogger('OFF'),
      limits: { statements: 500, bytes: 1_048_576 },
      clock,
      ...options,
    });

  afterEach(async () => {
    await feed.stop();
    await database.remove();
  });

  const store = (count = 1, options = {}) =>
    serviceOn(database.db, options).store(batchOf(Array.from({ length: count }, () => statement())));

  async function pass(milliseconds: number): Promise<void> {
    clock.pass(milliseconds);
    await db.quiet();
  }

  /** What is asked of the database meanwhile. */
  async function asked(work: () => Promise<unknown>): Promise<{ reads: number; writes: number }> {
    await db.quiet();
    const { reads, writes } = db;
    await work();
    await db.quiet();
    return { reads: db.reads - reads, writes: db.writes - writes };
  }

  it('without a handler nothing is asked of the database', async () => {
    expect(
      await asked(async () => {
        feed.start();
        feed.wake();
        await pass(10_000);
        expect(await feed.runUntil(clock.date() + 1000)).toBe(true);
      }),
    ).toEqual({ reads: 0, writes: 0 });
    expect(clock.pending).toBe(0);
  });

  it('while nothing happens there is one query a second, however many consumers there are', async () => {
    feed.register('test', handler);
    await store();
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await feed.ensureConsumer({ name, kind: 'test', cursor: 0 });
    feed.start();
    for (let second = 0; second < 10; second += 1) await pass(1000);
    expect(handed).toHaveLength(5);
    expect(
      await asked(async () => {
        for (let second = 0; second < 10; second += 1) await pass(1000);
      }),
    ).toEqual({ reads: 10, writes: 0 });
  });

  it('what this process stores is handed over at once, without a look for what others store', async () => {
    feed.register('test', handler);
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    feed.start();
    await pass(0);
    await asked(() => store(1, { onCommitted: () => feed.wake() }));
    expect(handed).toHaveLength(1);
  });

  it('many small commits are looked at together', async () => {
    feed.register('test', handler);
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    feed.start();
    await pass(0);
    const onCommitted = () => feed.wake();
    await asked(() => store(1, { onCommitted }));
    const some = async () => {
      for (let count = 0; count < 20; count += 1) await store(1, { onCommitted });
    };
    expect(await asked(some)).toEqual({ reads: 0, writes: 0 });
    expect(await asked(() => pass(400))).toEqual({ reads: 2, writes: 0 });
    expect(handed).toHaveLength(21);
  });

  it('what others store is handed over with the next look, and how far a consumer has come is stored once a second', async () => {
    feed.register('test', handler);
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    feed.start();
    await pass(0);
    await asked(() => store(1, { onCommitted: () => feed.wake() }));
    await store();
    expect(await asked(() => pass(900))).toEqual({ reads: 0, writes: 0 });
    expect(await asked(() => pass(100))).toEqual({ reads: 3, writes: 1 });
    expect(handed).toHaveLength(2);
    expect(await asked(() => pass(1000))).toMatchObject({ writes: 0 });
    expect(await feed.list()).toMatchObject([{ lag: { statements: 0 } }]);
  });

  it('how far a consumer has come is stored at once where its lease may end before the next look', async () => {
    feed = feedWith({ leaseSeconds: 1 });
    feed.register('test', handler);
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    feed.start();
    await pass(0);
    await asked(() => store(1, { onCommitted: () => feed.wake() }));
    for (let second = 0; second < 3; second += 1) await pass(1000);
    expect(handed).toHaveLength(1);
    expect(await feed.list()).toMatchObject([{ lag: { statements: 0 } }]);
  });

  it('statements that nobody wants are neither read nor written about', async () => {
    const asking: StatementHead[] = [];
    const wanted = { id: 'https://example.org/verbs/wanted' };
    feed.register('test', {
      ...handler,
      wants(head) {
        asking.push(head);
        return head.verb === wanted.id;
      },
    });
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    feed.start();
    await pass(0);
    const service = serviceOn(database.db, { onCommitted: () => feed.wake() });
    await asked(() => service.store(batchOf([statement({ verb: wanted })])));
    clock.pass(400);
    expect(await asked(() => service.store(batchOf([statement(), statement()])))).toEqual({
      reads: 1,
      writes: 0,
    });
    expect(asking).toMatchObject([
      { verb: wanted.id, actor: 'mbox::mailto:someone@example.org', registration: null },
      { verb: 'https://example.org/verbs/did', object: 'https://example.org/activities/something' },
      { voided: false },
    ]);
    expect(handed).toHaveLength(1);
  });

  it('of what this process stores only that is read which somebody wants', async () => {
    const wanted = { id: 'https://example.org/verbs/wanted' };
    feed.register('test', { ...handler, wants: (head) => head.verb === wanted.id });
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    feed.start();
    await pass(0);
    const service = serviceOn(database.db, { onCommitted: (committed) => feed.wake(committed) });
    // The first one is looked for in the database, because nobody knows what was there before.
    await asked(() => service.store(batchOf([statement()])));
    clock.pass(400);
    expect(await asked(() => service.store(batchOf([statement(), statement()])))).toEqual({
      reads: 0,
      writes: 0,
    });
    clock.pass(400);
    const [first] = await service.store(batchOf([statement({ verb: wanted })]));
    await db.quiet();
    expect(handed).toMatchObject([{ id: first, voided: false }]);
    // What another process stores in between is seen all the same.
    const [second] = await serviceOn(database.db).store(batchOf([statement({ verb: wanted })]));
    const [third] = await service.store(batchOf([statement({ verb: wanted })]));
    await pass(1000);
    expect(handed).toMatchObject([{ id: first }, { id: second }, { id: third }]);
    expect(await feed.list()).toMatchObject([{ lag: { statements: 0 } }]);
  });

  describe('while clients wait for their statements to be stored', () => {
    let storing: BusyTime;
    const turn = 100;

    /** A consumer of which each turn takes as long. @param statements of a batch. */
    async function serve(statements: number): Promise<void> {
      storing = new BusyTime(() => clock.monotonic());
      feed = feedWith({ leaseSeconds: 60, limits: { statements, bytes: 1_048_576 }, storing });
      feed.register('test', {
        async handle(items, told) {
          clock.pass(turn);
          return handler.handle(items, told);
        },
      });
      await store(20);
      await feed.ensureConsumer({ name: 'one', kind: 'test', cursor: 0 });
      feed.start();
    }

    /** @returns what answers it. */
    function clientThatWaits(): () => Promise<void> {
      let answer = (): void => {};
      const answered = storing.during(
        () =>
          new Promise<void>((resolve) => {
            answer = resolve;
          }),
      );
      return () => {
        answer();
        return answered;
      };
    }

    /** How many turns are taken in so many milliseconds. */
    async function turns(milliseconds: number): Promise<number> {
      const { length } = handed;
      for (const end = clock.monotonic() + milliseconds; clock.monotonic() < end; ) await pass(20);
      return handed.length - length;
    }

    it('a consumer works for a twentieth of the time', async () => {
      await serve(1);
      const answer = clientThatWaits();
      await turns(4000);
      expect(await turns(20 * turn * 5)).toBeGreaterThanOrEqual(4);
      expect(handed.length).toBeLessThan(12);
      await answer();
    });

    it('several consumers share that twentieth', async () => {
      await serve(1);
      const others = ['two', 'three'];
      for (const name of others) await feed.ensureConsumer({ name, kind: 'test', cursor: 0 });
      const answer = clientThatWaits();
      await turns(12_000);
      const taken = await turns(20 * turn * 10);
      expect(taken).toBeGreaterThanOrEqual(4);
      expect(taken).toBeLessThan(15);
      await answer();
    });

    it('also where each turn comes to the end', async () => {
      await serve(100);
      await pass(0);
      expect(handed).toHaveLength(20);
      const answer = clientThatWaits();
      let taken = 0;
      for (let stored = 0; stored < 25; stored += 1) {
        await store(1, { onCommitted: () => feed.wake() });
        if ((await turns(400)) > 0) taken += 1;
      }
      expect(taken).toBeGreaterThanOrEqual(4);
      expect(taken).toBeLessThan(8);
      await answer();
    });

    it('which begins with the arrival of a body and ends with its answer', async () => {
      let now = 0;
      storing = new BusyTime(() => now);
      await serviceOn(database.db, { storing }).receive({
        json: Buffer.from(JSON.stringify(statement())),
        parts: [],
        authority,
        version: '1.0.3',
        limits: unlimited,
        onValid: () => {
          now = 5;
        },
      });
      now = 10;
      expect(storing.milliseconds).toBe(5);
    });

    it('and without a rest when nobody waits', async () => {
      await serve(1);
      await pass(0);
      expect(handed).toHaveLength(20);
      expect(clock.monotonic()).toBeLessThan(20 * turn + 1000);
    });
  });

  it('what is handed over at once is bounded by bytes, but for a single statement', async () => {
    const sizes: number[] = [];
    feed.register('test', {
      async handle(items) {
        sizes.push(items.length);
        return handler.handle(items, {
          consumer: '',
          signal: new AbortController().signal,
          deadline: 0,
        });
      },
    });
    const long = (kilobytes: number) => statement({ result: { response: 'x'.repeat(kilobytes * 1024) } });
    await serviceOn(database.db).store(batchOf([400, 400, 400, 1500, 10, 10].map(long)));
    await feed.ensureConsumer({ name: 'one', kind: 'test', cursor: 0 });
    await feed.runUntil(clock.date() + 60_000);
    expect(sizes).toEqual([2, 1, 1, 2]);
    expect(handed.map((item) => item.kind === 'statement' && Math.round(item.text.length / 102_400))).toEqual(
      [4, 4, 4, 15, 0, 0],
    );
  });

  it('few rows are looked at where texts are long, and more again where they are short', async () => {
    const long = (kilobytes: number) => statement({ result: { response: 'x'.repeat(kilobytes * 1024) } });
    await serviceOn(database.db).store(batchOf([400, 400, 400, 1500, 10, 10].map(long)));
    const limits = { statements: 5, bytes: 1_048_576 };
    const looks: { readonly rows: number; readonly items: number }[] = [];
    for (let [after, rows, more] = [0, limits.statements, true]; more; ) {
      const query = { after, limits, rows, recent: new RecentStatements(0), handler: {}, consumer: 'one' };
      const batch = await readBatch(database.db, query);
      looks.push({ rows, items: batch.items.length });
      [after, rows, more] = [batch.through, batch.nextRows, batch.more];
    }
    expect(looks).toEqual([
      { rows: 5, items: 2 },
      { rows: 4, items: 1 },
      { rows: 2, items: 1 },
      { rows: 2, items: 2 },
      { rows: 4, items: 0 },
    ]);
  });
});
