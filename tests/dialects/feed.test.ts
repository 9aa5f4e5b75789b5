import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createErasureService } from '../../lib/erasure/service.ts';
import { createFeed, type FeedOptions } from '../../lib/feed/feed.ts';
import type { Feed, FeedHandler, FeedItem } from '../../lib/feed/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, serviceOn, statement, voiding } from '../support/statements.ts';

const minute = 60_000;

/** Collects what it is handed. */
function collecting(items: FeedItem[]): FeedHandler {
  return {
    async handle(given) {
      return {
        through: given.at(-1)?.position ?? 0,
        write: async (session) => session.afterCommit(() => void items.push(...given)),
      };
    },
  };
}

describe.each(engines)('the feed of $name', (engine) => {
  let database: TestDatabase;
  const feeds: Feed[] = [];

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(async () => {
    await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
    await database.remove();
  });

  function feedOf(options: Partial<FeedOptions> = {}): Feed {
    const feed = createFeed(database.db, {
      logger: createLogger('OFF'),
      limits: { statements: 500, bytes: 1_048_576 },
      leaseSeconds: 5,
      ...options,
    });
    feeds.push(feed);
    return feed;
  }

  it('hands statements over in the order in which they are stored, from the cursor on', async () => {
    const service = serviceOn(database.db);
    await service.store(batchOf([statement()]));
    const feed = feedOf({ limits: { statements: 3, bytes: 2000 } });
    const items: FeedItem[] = [];
    feed.register('test', collecting(items));
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    const ids = await service.store(batchOf(Array.from({ length: 10 }, () => statement())));
    expect(await feed.runUntil(Date.now() + minute)).toBe(true);
    expect(items.map((item) => item.kind === 'statement' && item.id)).toEqual(ids);
    expect(items.map((item) => item.kind === 'statement' && JSON.parse(item.text).id)).toEqual(ids);
    expect(await feed.list()).toMatchObject([
      { name: 'one', kind: 'test', state: 'running', lag: { statements: 0, seconds: 0 }, error: null },
    ]);
  });

  it('tells which statement a voiding one voids, also where that one arrives later', async () => {
    const service = serviceOn(database.db);
    const feed = feedOf();
    const items: FeedItem[] = [];
    feed.register('test', collecting(items));
    await feed.ensureConsumer({ name: 'one', kind: 'test', cursor: 0 });
    const id = randomUUID();
    await service.store(batchOf([voiding(id)]));
    await service.store(batchOf([statement({ id })]));
    await feed.runUntil(Date.now() + minute);
    expect(items).toMatchObject([
      { voids: id, voided: false },
      { id, voided: true },
    ]);
  });

  it('wakes consumers when this process has committed', async () => {
    const items: FeedItem[] = [];
    const feed = feedOf();
    feed.register('test', collecting(items));
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    feed.start();
    const service = serviceOn(database.db, { onCommitted: () => feed.wake() });
    const ids = await service.store(batchOf([statement()]));
    await expect.poll(() => items.map((item) => item.kind === 'statement' && item.id)).toEqual(ids);
  });

  it('tells which statements were erased, behind those statements', async () => {
    const service = serviceOn(database.db);
    const feed = feedOf();
    const items: FeedItem[] = [];
    feed.register('test', collecting(items));
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    const gone = await service.store(
      batchOf(Array.from({ length: 3 }, () => statement({ actor: agent('gone') }))),
    );
    await feed.runUntil(Date.now() + minute);
    await erase();
    const ids = await service.store(batchOf([statement()]));
    await feed.runUntil(Date.now() + minute);
    expect(items.slice(3)).toMatchObject([{ kind: 'erasure' }, { kind: 'statement', id: ids[0] }]);
    const [erasure] = items.slice(3);
    expect(erasure?.kind === 'erasure' && erasure.statements.toSorted()).toEqual(gone.toSorted());
    const positions = items.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  it('goes on where statements between the cursor and the newest have been erased', async () => {
    const service = serviceOn(database.db);
    const feed = feedOf({ limits: { statements: 2, bytes: 1_048_576 } });
    const items: FeedItem[] = [];
    feed.register('test', collecting(items));
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    await service.store(batchOf(Array.from({ length: 5 }, () => statement({ actor: agent('gone') }))));
    const ids = await service.store(batchOf([statement()]));
    await erase();
    await feed.runUntil(Date.now() + minute);
    expect(items).toMatchObject([{ kind: 'statement', id: ids[0] }, { kind: 'erasure' }]);
    expect(await feed.list()).toMatchObject([{ lag: { statements: 0 } }]);
  });

  it('keeps what tells of erasures until all consumers have passed it, and the newest', async () => {
    const service = serviceOn(database.db);
    const feed = feedOf();
    feed.register('test', collecting([]));
    const events = () => database.db.read((session) => session.select('SELECT position FROM feed_event'));
    const eraseSome = async (): Promise<void> => {
      await service.store(batchOf([statement({ actor: agent('gone') })]));
      await erase();
    };
    await eraseSome();
    expect(await events()).toHaveLength(0);
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    await feed.ensureConsumer({ name: 'other', kind: 'elsewhere' });
    await eraseSome();
    await eraseSome();
    await feed.runUntil(Date.now() + minute);
    await feed.runUntil(Date.now() + minute);
    expect(await events()).toHaveLength(2);
    await feed.removeConsumer('other');
    await feed.runUntil(Date.now() + minute);
    expect(await events()).toHaveLength(1);
  });

  it('keeps no ids for consumers that need statements only, whether anybody works for them or not', async () => {
    const feed = feedOf();
    await feed.ensureConsumer({ name: 'one', kind: 'nobody', takesEvents: false });
    const service = serviceOn(database.db);
    for (let time = 0; time < 3; time += 1) {
      await service.store(batchOf([statement({ actor: agent('gone') })]));
      await erase();
      const events = await database.db.read((session) => session.select('SELECT detail FROM feed_event'));
      expect(events).toEqual([{ detail: '{"statements":[]}' }]);
    }
  });

  it('hands over no more bytes of events at once than of statements', async () => {
    const feed = feedOf({ limits: { statements: 500, bytes: 100 } });
    const batches: number[] = [];
    feed.register('test', {
      async handle(items) {
        batches.push(items.length);
        return { through: items.at(-1)?.position ?? 0 };
      },
    });
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    const service = serviceOn(database.db);
    for (let time = 0; time < 3; time += 1) {
      await service.store(
        batchOf([statement({ actor: agent('gone') }), statement({ actor: agent('gone') })]),
      );
      await erase();
    }
    await feed.runUntil(Date.now() + minute);
    expect(batches).toEqual([1, 1, 1]);
  });

  it('gives later statements positions behind those of events, whatever the clock says', async () => {
    const feed = feedOf();
    const items: FeedItem[] = [];
    feed.register('test', collecting(items));
    await feed.ensureConsumer({ name: 'one', kind: 'test' });
    await serviceOn(database.db).store(batchOf([statement({ actor: agent('gone') })]));
    await erase();
    await feed.runUntil(Date.now() + minute);
    const [id] = await serviceOn(database.db, { now: () => 1000 }).store(batchOf([statement()]));
    await feed.runUntil(Date.now() + minute);
    expect(items.at(-1)).toMatchObject({ kind: 'statement', id });
  });

  async function erase(): Promise<void> {
    await createErasureService(database.db, createLogger('OFF')).erase('mbox::mailto:gone@example.org');
  }
});
