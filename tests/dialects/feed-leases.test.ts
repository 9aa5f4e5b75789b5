import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommitOutcomeUnknownError } from '../../lib/db/commit-outcome.ts';
import type { Database } from '../../lib/db/types.ts';
import { StatementTimeoutError, UnavailableError } from '../../lib/errors.ts';
import { cursorOf } from '../../lib/feed/consumer-store.ts';
import { createFeed } from '../../lib/feed/feed.ts';
import {
  ConsumerFailure,
  type Feed,
  type FeedEffect,
  type FeedHandler,
  type FeedItem,
  FeedTurnAborted,
} from '../../lib/feed/types.ts';
import { createLogger, type Logger } from '../../lib/logger.ts';
import {
  addEffects,
  addingEffects,
  createEffects,
  effectsIn,
  statementPositions,
} from '../support/effects.ts';
import { engines, sharedEngines, type TestDatabase } from '../support/engines.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { batchOf, serviceOn, statement } from '../support/statements.ts';

const second = 1_000_000;
const minute = 60_000;

/** Keeps the handler waiting until it is told to go on. */
function held(handler: FeedHandler): FeedHandler & { readonly began: Promise<void>; release(): void } {
  let begin = (): void => {};
  let release = (): void => {};
  const began = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    began,
    release: () => release(),
    async handle(items, turn): Promise<FeedEffect> {
      begin();
      await released;
      return handler.handle(items, turn);
    },
  };
}

interface FeedParts {
  readonly clock?: ManualClock;
  readonly db?: Database;
  readonly logger?: Logger;
}

/** One consumer, `one`, of the kind `test`, and the time by which leases and pauses count. */
class Stage {
  readonly db: Database;
  /** Microseconds since the epoch. */
  time = 1000 * second;
  readonly #feeds: Feed[] = [];

  constructor(db: Database) {
    this.db = db;
  }

  async feed(
    handler: FeedHandler,
    { clock = new ManualClock(), db = this.db, logger = createLogger('OFF') }: FeedParts = {},
  ): Promise<Feed> {
    const feed = createFeed(db, {
      logger,
      limits: { statements: 500, bytes: 1_048_576 },
      leaseSeconds: 5,
      clock,
      now: () => this.time,
    });
    this.#feeds.push(feed);
    feed.register('test', handler);
    await feed.ensureConsumer({ name: 'one', kind: 'test', cursor: 0 });
    return feed;
  }

  async store(count = 1): Promise<string[]> {
    return serviceOn(this.db).store(batchOf(Array.from({ length: count }, () => statement())));
  }

  async workers(): Promise<string[]> {
    return (await effectsIn(this.db)).map(({ worker }) => worker);
  }

  async close(): Promise<void> {
    await Promise.all(this.#feeds.map((feed) => feed.stop()));
  }
}

describe.each(engines)('a consumer of the feed of $name', (engine) => {
  let database: TestDatabase;
  let stage: Stage;

  beforeEach(async () => {
    database = await engine.create();
    stage = new Stage(database.db);
    await createEffects(database.db);
  });

  afterEach(async () => {
    await stage.close();
    await database.remove();
  });

  it('is taken over when its process has been silent for the time of its lease, and that one can commit nothing any more', async () => {
    await stage.store();
    const silent = held(addingEffects('silent'));
    const lost = (await stage.feed(silent)).runUntil(minute);
    await silent.began;
    const other = await stage.feed(addingEffects('other'));
    stage.time += 4.9 * second;
    expect(await other.runUntil(minute)).toBe(true);
    expect(await stage.workers()).toEqual([]);
    stage.time += 0.2 * second;
    await other.runUntil(minute);
    expect(await stage.workers()).toEqual(['other']);
    silent.release();
    expect(await lost).toBe(false);
    expect(await stage.workers()).toEqual(['other']);
  });

  it('can be worked for by nobody whose lease has ended, also where nobody else has taken it', async () => {
    await stage.store();
    const late = held(addingEffects('late'));
    const lost = (await stage.feed(late)).runUntil(minute);
    await late.began;
    stage.time += 5 * second;
    late.release();
    expect(await lost).toBe(false);
    expect(await stage.workers()).toEqual([]);
    expect((await (await stage.feed(addingEffects('next'))).list())[0]).toMatchObject({ attempts: 0 });
  });

  it('stays with a process whose handler works for longer than the lease', async () => {
    await stage.store();
    const clock = new ManualClock();
    const slow = held(addingEffects('slow'));
    const working = (await stage.feed(slow, { clock })).runUntil(60_000);
    await slow.began;
    const other = await stage.feed(addingEffects('other'));
    const until = () =>
      stage.db.read((session) =>
        session.select<{ lease_until: number }>('SELECT lease_until FROM feed_consumer'),
      );
    for (let seconds = 0; seconds < 12; seconds += 2) {
      // The end of the turn and the next renewal: the row is lengthened a moment before the next one is set.
      await expect.poll(() => clock.pending).toBe(2);
      stage.time += 2 * second;
      clock.pass(2000);
      await expect.poll(until).toEqual([{ lease_until: stage.time + 5 * second }]);
      await other.runUntil(minute);
    }
    slow.release();
    expect(await working).toBe(true);
    expect(await stage.workers()).toEqual(['slow']);
  });

  it('is waited for by a process that is told to, as long as another one has it and there is something left', async () => {
    await stage.store(2);
    const clock = new ManualClock();
    const slow = held(addingEffects('first'));
    const working = (await stage.feed(slow, { clock })).runUntil(10_000);
    await slow.began;
    const other = await stage.feed(addingEffects('second'));
    expect(await other.runUntil(minute)).toBe(true);
    let isDone = false;
    const waiting = other.runUntil(minute, { waits: true }).then((finished) => {
      isDone = true;
      return finished;
    });
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    clock.pass(10_000);
    // The time in which the handler must end after it was aborted.
    clock.pass(1000);
    expect(await working).toBe(false);
    expect(await waiting).toBe(true);
    expect(await stage.workers()).toEqual(['second', 'second']);
    slow.release();
  });

  it('is free for others at once when its process has ended in good order', async () => {
    await stage.store();
    await (await stage.feed(addingEffects('first'))).runUntil(minute);
    await stage.store();
    await (await stage.feed(addingEffects('second'))).runUntil(minute);
    expect(await stage.workers()).toEqual(['first', 'second']);
  });

  it('commits nothing once it is paused, and goes on when it is resumed', async () => {
    await stage.store();
    const working = held(addingEffects('one'));
    const feed = await stage.feed(working);
    const ended = feed.runUntil(minute);
    await working.began;
    await feed.pause('one');
    working.release();
    expect(await ended).toBe(false);
    await feed.runUntil(minute);
    expect(await stage.workers()).toEqual([]);
    expect(await feed.list()).toMatchObject([{ state: 'paused', lag: { statements: 1 } }]);
    await feed.resume('one');
    await feed.runUntil(minute);
    expect(await stage.workers()).toEqual(['one']);
  });

  it('commits nothing once it is removed', async () => {
    await stage.store();
    const working = held(addingEffects('one'));
    const feed = await stage.feed(working);
    const ended = feed.runUntil(minute);
    await working.began;
    await feed.removeConsumer('one');
    working.release();
    expect(await ended).toBe(false);
    expect(await stage.workers()).toEqual([]);
    expect(await feed.list()).toEqual([]);
  });

  it('waits longer and longer after failures, tells why, and does not hold up others', async () => {
    await stage.store();
    let reason: string | undefined = 'no luck';
    let attempts = 0;
    const feed = await stage.feed({
      async handle(items) {
        attempts += 1;
        if (reason !== undefined) throw new ConsumerFailure(reason);
        return { through: items.at(-1)?.position ?? 0 };
      },
    });
    feed.register('other', addingEffects('other'));
    await feed.ensureConsumer({ name: 'other', kind: 'other', cursor: 0 });
    for (const [index, pause] of [1, 2, 4, 8, 16].entries()) {
      expect(await feed.runUntil(minute)).toBe(false);
      expect(attempts).toBe(index + 1);
      await feed.runUntil(minute);
      expect(attempts).toBe(index + 1);
      const state = index < 4 ? 'running' : 'failed';
      const nextAttempt = new Date((stage.time + pause * second) / 1000).toISOString().replace('Z', '000Z');
      expect((await feed.list())[0]).toMatchObject({
        name: 'one',
        state,
        error: 'no luck',
        attempts,
        nextAttempt,
      });
      stage.time += pause * second;
    }
    expect(await stage.workers()).toEqual(['other']);
    reason = undefined;
    expect(await feed.runUntil(minute)).toBe(true);
    const healthy = { state: 'running', error: null, attempts: 0, nextAttempt: null, lag: { statements: 0 } };
    expect((await feed.list())[0]).toMatchObject({ name: 'one', ...healthy });
  });

  it('is tried at once when it is resumed after a failure', async () => {
    await stage.store();
    let fails = true;
    const feed = await stage.feed({
      async handle(items, turn) {
        if (fails) throw new Error('no luck');
        return addingEffects('one').handle(items, turn);
      },
    });
    await feed.runUntil(minute);
    fails = false;
    await feed.resume('one');
    await feed.runUntil(minute);
    expect(await stage.workers()).toEqual(['one']);
  });

  it('has a turn without items where it asks for one, whose effect is written, and not while another process has the lease', async () => {
    await stage.store();
    let asks = false;
    const written: number[] = [];
    const feed = await stage.feed({
      wantsIdleTurn: () => asks,
      async handle(items) {
        asks = false;
        return { through: items.at(-1)?.position ?? 0, write: async () => void written.push(items.length) };
      },
    });
    await feed.runUntil(minute);
    await feed.runUntil(minute);
    expect(written).toEqual([1]);
    asks = true;
    const until = stage.time + second;
    await stage.db.write((session) =>
      session.execute('UPDATE feed_consumer SET lease_owner = :owner, lease_until = :until', {
        owner: randomUUID(),
        until,
      }),
    );
    await feed.runUntil(minute);
    expect(written).toEqual([1]);
    stage.time = until;
    const [before] = await feed.list();
    expect(await feed.runUntil(minute)).toBe(true);
    expect(written).toEqual([1, 0]);
    expect((await feed.list())[0]?.cursor).toBe(before?.cursor);
  });

  it('counts no failure while the database is out of reach', async () => {
    await stage.store();
    const feed = await stage.feed({
      handle: async () => {
        throw new UnavailableError('The database is out of reach.');
      },
    });
    expect(await feed.runUntil(minute)).toBe(false);
    expect(await feed.list()).toMatchObject([{ attempts: 0, error: null }]);
  });

  it('has no message of the database in its status after a failure; the log has it', async () => {
    await stage.store();
    const logged: string[] = [];
    const error = new Error('duplicate key: ann@example.org');
    const feed = await stage.feed(
      {
        handle: async () => {
          throw error;
        },
      },
      { logger: createLogger('WARN', { write: (line) => logged.push(line) }) },
    );
    expect(await feed.runUntil(minute)).toBe(false);
    const [{ error: shown, attempts } = { error: null, attempts: 0 }] = await feed.list();
    expect(attempts).toBe(1);
    expect(shown).not.toContain('duplicate key');
    expect(shown).toContain('The log of the server has the details.');
    expect(logged.join('')).toContain('duplicate key: ann@example.org');
  });

  it('counts a failure, with the reason, where the database ends what takes too long', async () => {
    await stage.store();
    const feed = await stage.feed({
      handle: async () => {
        throw new StatementTimeoutError('It took too long.');
      },
    });
    expect(await feed.runUntil(minute)).toBe(false);
    expect(await feed.list()).toMatchObject([{ attempts: 1, error: 'It took too long.' }]);
  });

  it('writes less at once where a transaction seems to find the database out of reach', async () => {
    await stage.store(5);
    const sizes: number[] = [];
    const feed = await stage.feed({
      async handle(items) {
        sizes.push(items.length);
        return {
          through: items.at(-1)?.position ?? 0,
          async write(session) {
            if (items.length > 1) throw new UnavailableError('The transaction took too long.');
            await addEffects(session, items, 'one');
          },
        };
      },
    });
    await expect.poll(() => feed.runUntil(minute)).toBe(true);
    expect(await stage.workers()).toEqual(Array(5).fill('one'));
    expect(sizes.slice(0, 4)).toEqual([5, 3, 2, 1]);
  });

  it('counts a failure, which the status shows, where nothing can be written again and again', async () => {
    await stage.store();
    const feed = await stage.feed({
      handle: async (items) => ({
        through: items.at(-1)?.position ?? 0,
        write: () => Promise.reject(new UnavailableError('The transaction took too long.')),
      }),
    });
    await expect
      .poll(async () => {
        await feed.runUntil(minute);
        return feed.list();
      })
      .toMatchObject([{ attempts: 1, error: expect.stringContaining('11 times in a row') }]);
  });

  it('leaves nothing of an effect that fails, and hands the same items over again', async () => {
    await stage.store(3);
    let fails = true;
    const feed = await stage.feed({
      async handle(items) {
        const through = items.at(-1)?.position ?? 0;
        return {
          through,
          async write(session) {
            await addEffects(session, items, 'one');
            if (fails) throw new Error('no luck');
          },
        };
      },
    });
    await feed.runUntil(minute);
    expect(await stage.workers()).toEqual([]);
    fails = false;
    stage.time += second;
    await feed.runUntil(minute);
    expect(await stage.workers()).toEqual(['one', 'one', 'one']);
  });

  it('takes a turn again at once, without a failure, when what it has read is out of date', async () => {
    await stage.store();
    let turns = 0;
    const feed = await stage.feed({
      async handle(items) {
        turns += 1;
        return {
          through: items.at(-1)?.position ?? 0,
          async write(session) {
            await addEffects(session, items, 'one');
            if (turns < 3) throw new FeedTurnAborted('read again');
          },
        };
      },
    });
    expect(await feed.runUntil(minute)).toBe(true);
    expect(turns).toBe(3);
    expect(await stage.workers()).toEqual(['one']);
    expect(await feed.list()).toMatchObject([{ attempts: 0 }]);
  });

  it.each([
    [true, null],
    [false, 'read again'],
  ])(
    'takes a turn again any number of times only where it may recur that it is out of date: %s',
    async (mayRecur, error) => {
      await stage.store();
      let turns = 0;
      const feed = await stage.feed({
        async handle(items) {
          turns += 1;
          if (turns < 20) throw new FeedTurnAborted('read again', { mayRecur });
          return {
            through: items.at(-1)?.position ?? 0,
            write: (session) => addEffects(session, items, 'one'),
          };
        },
      });
      await feed.runUntil(minute);
      expect(await feed.list()).toMatchObject([{ attempts: error === null ? 0 : 1, error }]);
      expect(await stage.workers()).toEqual(error === null ? ['one'] : []);
    },
  );

  it('gets fewer items in each turn that is repeated, and more again when one was not', async () => {
    await stage.store(32);
    const sizes: number[] = [];
    const feed = await stage.feed({
      async handle(items) {
        sizes.push(items.length);
        if (items.length > 4) throw new FeedTurnAborted('too many');
        return {
          through: items.at(-1)?.position ?? 0,
          write: (session) => addEffects(session, items, 'one'),
        };
      },
    });
    expect(await feed.runUntil(minute)).toBe(true);
    expect(sizes.slice(0, 4)).toEqual([32, 16, 8, 4]);
    expect(Math.max(...sizes.slice(4))).toBeGreaterThan(4);
    expect(await stage.workers()).toHaveLength(32);
    expect(await feed.list()).toMatchObject([{ attempts: 0 }]);
  });

  it('gets fewer items where a turn has taken too long', async () => {
    await stage.store(8);
    const clock = new ManualClock();
    const sizes: number[] = [];
    const handler: FeedHandler = {
      async handle(items, { signal }) {
        sizes.push(items.length);
        if (items.length > 2) {
          clock.pass(31_000);
          signal.throwIfAborted();
        }
        return {
          through: items.at(-1)?.position ?? 0,
          write: (session) => addEffects(session, items, 'one'),
        };
      },
    };
    const feed = await stage.feed(handler, { clock });
    for (const expected of [[8], [8, 4], [8, 4, 2]]) {
      await feed.runUntil(10 * minute);
      expect(sizes.slice(0, expected.length)).toEqual(expected);
      stage.time += 600 * second;
    }
    expect((await stage.workers()).length).toBeGreaterThanOrEqual(2);
  });

  it('begins no transaction when the time is over, and is not done by then', async () => {
    await stage.store();
    const clock = new ManualClock();
    const written: number[] = [];
    const part = (index: number) => async () => {
      written.push(index);
      clock.pass(300);
    };
    const feed = await stage.feed(
      {
        handle: async (items) => ({
          through: items.at(-1)?.position ?? 0,
          parts: [1, 2, 3].map(part),
          write: (session) => addEffects(session, items, 'one'),
        }),
      },
      { clock },
    );
    expect(await feed.runUntil(500)).toBe(false);
    expect(written).toEqual([1, 2]);
    expect(await stage.workers()).toEqual([]);
    expect(await feed.list()).toMatchObject([{ attempts: 0, error: null }]);
  });

  it('tells its handler when an effect is written, has failed or comes too late', async () => {
    await stage.store();
    const released: string[] = [];
    let turns = 0;
    const feed = await stage.feed({
      async handle(items) {
        turns += 1;
        const name = `turn ${turns}`;
        return {
          through: items.at(-1)?.position ?? 0,
          async write() {
            if (name === 'turn 1') throw new FeedTurnAborted('read again');
          },
          release: () => void released.push(name),
        };
      },
    });
    expect(await feed.runUntil(minute)).toBe(true);
    expect(released).toEqual(['turn 1', 'turn 2']);
  });

  it('may take fewer items than it is given', async () => {
    await stage.store(5);
    const feed = await stage.feed({
      async handle(items) {
        const some = items.slice(0, 2);
        return { through: some.at(-1)?.position ?? 0, write: (session) => addEffects(session, some, 'one') };
      },
    });
    expect(await feed.runUntil(minute)).toBe(true);
    expect((await effectsIn(stage.db)).map(({ position }) => position)).toEqual(
      await statementPositions(stage.db),
    );
  });

  it('is handed what its own effects have stored, before a call ends', async () => {
    await stage.store();
    const id = randomUUID();
    const feed = await stage.feed({
      async handle(items) {
        const [{ position }] = items as [FeedItem];
        return {
          through: position,
          async write(session) {
            const first = (await session.select('SELECT position FROM effect')).length === 0;
            await addEffects(session, items, 'one');
            if (!first) return;
            const rest = 'voided, verb, actor, object, registration, timestamp, payload';
            await session.execute(
              `INSERT INTO statement (position, id, ${rest})
               SELECT position + 1, :id, ${rest} FROM statement WHERE position = :position`,
              { id, position },
            );
          },
        };
      },
    });
    expect(await feed.runUntil(minute)).toBe(true);
    expect(await stage.workers()).toEqual(['one', 'one']);
  });

  it.each([
    ['did take place is not handed the same items again', true],
    ['did not take place is handed the same items again', false],
  ])('whose commit %s, where its outcome is not known', async (_, tookPlace) => {
    await stage.store();
    const { db } = stage;
    let isLost = false;
    const losing: Database = {
      dialect: db.dialect,
      batches: undefined,
      tryLockRead: (sql) => db.tryLockRead(sql),
      read: (work, options) => db.read(work, options),
      async write(work, options) {
        let hasWritten = false;
        const noting: typeof work = async (session) => {
          const result = await work(session);
          hasWritten = (await session.select('SELECT position FROM effect')).length > 0;
          if (hasWritten && !isLost && !tookPlace) throw new Error('rolled back');
          return result;
        };
        const done = db.write(noting, options);
        const [outcome] = await Promise.allSettled([done]);
        if (!hasWritten || isLost) return done;
        isLost = true;
        expect(outcome.status).toBe(tookPlace ? 'fulfilled' : 'rejected');
        throw new CommitOutcomeUnknownError({});
      },
      close: () => db.close(),
    };
    const committed = vi.fn();
    const handler = addingEffects('one');
    const counting: FeedHandler = {
      async handle(items, turn) {
        const effect = await handler.handle(items, turn);
        return {
          ...effect,
          async write(session) {
            await effect.write?.(session);
            session.afterCommit(committed);
          },
        };
      },
    };
    const feed = await stage.feed(counting, { db: losing });
    expect(await feed.runUntil(minute)).toBe(tookPlace);
    expect(await feed.runUntil(minute)).toBe(true);
    expect(await stage.workers()).toEqual(['one']);
    expect(committed).toHaveBeenCalledOnce();
    expect(await feed.list()).toMatchObject([{ attempts: 0, error: null }]);
  });

  it('lags by the statements that are not done, and by the time for which the oldest of them is stored', async () => {
    const service = serviceOn(stage.db, { now: () => stage.time });
    const feed = await stage.feed(addingEffects('one'));
    for (let count = 0; count < 3; count += 1) {
      await service.store(batchOf([statement(), statement()]));
      stage.time += 2.5 * second;
    }
    expect(await feed.list()).toMatchObject([{ lag: { statements: 6, seconds: 7.5 } }]);
    const positions = await statementPositions(stage.db);
    await feed.removeConsumer('one');
    await feed.ensureConsumer({ name: 'one', kind: 'test', cursor: positions[2] ?? 0 });
    expect(await feed.list()).toMatchObject([{ lag: { statements: 3 } }]);
    await feed.runUntil(minute);
    expect(await feed.list()).toMatchObject([{ lag: { statements: 0, seconds: 0 } }]);
  });

  it('is removed in the transaction of its last effect', async () => {
    await stage.store(2);
    const feed = await stage.feed({
      async handle(items) {
        const through = items.at(-1)?.position ?? 0;
        return { through, done: true, write: (session) => addEffects(session, items, 'one') };
      },
    });
    expect(await feed.runUntil(minute)).toBe(true);
    expect(await stage.workers()).toEqual(['one', 'one']);
    expect(await feed.list()).toEqual([]);
  });

  it('is told when the time is over, and leaves nothing pending', async () => {
    await stage.store();
    const clock = new ManualClock();
    let begun = (): void => {};
    const began = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const feed = await stage.feed(
      {
        handle: (_, { signal, deadline }) =>
          new Promise((_, reject) => {
            expect(deadline).toBeLessThan(500);
            signal.addEventListener('abort', () => reject(new Error('interrupted')));
            begun();
          }),
      },
      { clock },
    );
    const turn = feed.runUntil(500);
    await began;
    clock.pass(500);
    expect(await turn).toBe(false);
    expect(clock.pending).toBe(0);
    const lease = 'SELECT lease_owner FROM feed_consumer';
    expect(await stage.db.read((session) => session.select(lease))).toEqual([{ lease_owner: null }]);
    expect(await feed.list()).toMatchObject([{ attempts: 0, error: null }]);
  });

  it.each([
    ['half a minute', 30, false],
    ['ten minutes in the background', 600, true],
  ])(
    'fails when its handler works on a batch for more than %s, even if that one never ends',
    async (_, longest, inBackground) => {
      await stage.store();
      const clock = new ManualClock();
      const endless = { ...held(addingEffects('one')), inBackground };
      let isOver = false;
      const turn = (await stage.feed(endless, { clock })).runUntil(20 * minute);
      void turn.then(() => {
        isOver = true;
      });
      await endless.began;
      const passSecond = async (): Promise<void> => {
        clock.pass(1000);
        await new Promise((resolve) => setImmediate(resolve));
      };
      for (let seconds = 0; seconds < longest; seconds += 1) {
        expect(isOver).toBe(false);
        await passSecond();
      }
      // The handler has a second to end.
      while (!isOver) await passSecond();
      expect(await turn).toBe(false);
      const feed = await stage.feed(addingEffects('two'));
      expect((await feed.list())[0]?.error).toContain(`more than ${longest} s`);
    },
  );

  it.each([
    ['one after the other in the background', true, 1],
    ['side by side otherwise', false, 2],
  ])('is served with another one %s', async (_, inBackground, most) => {
    await stage.store();
    let [atWork, mostAtWork] = [0, 0];
    const feed = await stage.feed({
      inBackground,
      async handle(items) {
        atWork += 1;
        mostAtWork = Math.max(mostAtWork, atWork);
        // Another one that may begin does so meanwhile.
        if (inBackground) await new Promise((resolve) => setTimeout(resolve, 200));
        else await expect.poll(() => mostAtWork).toBe(2);
        atWork -= 1;
        return { through: items.at(-1)?.position ?? 0 };
      },
    });
    await feed.ensureConsumer({ name: 'two', kind: 'test', cursor: 0 });
    expect(await feed.runUntil(minute)).toBe(true);
    expect(mostAtWork).toBe(most);
  });

  it('keeps what it has come to in the background, also where its lease ends while another one is at work', async () => {
    await stage.store(2);
    const clock = new ManualClock();
    const given: string[] = [];
    const other = held({ handle: async (items) => ({ through: items.at(-1)?.position ?? 0 }) });
    const feed = await stage.feed(
      {
        inBackground: true,
        async handle(items, turn) {
          const [first] = items;
          if (turn.consumer === 'two') return other.handle(items, turn);
          if (first?.kind === 'statement') given.push(first.id);
          return { through: first?.position ?? 0 };
        },
      },
      { clock },
    );
    await feed.ensureConsumer({ name: 'two', kind: 'test', cursor: 0 });
    const turns = feed.runUntil(minute);
    await other.began;
    const [stored] = await statementPositions(stage.db);
    await expect.poll(() => stage.db.read((session) => cursorOf(session, 'one'))).toBe(stored);
    stage.time += 6 * second;
    clock.pass(6000);
    other.release();
    await turns;
    expect(await feed.runUntil(minute)).toBe(true);
    expect(given).toHaveLength(2);
    expect(new Set(given).size).toBe(2);
  });
});

describe.each(sharedEngines)('two processes that serve one consumer of the feed of $name', (engine) => {
  let database: TestDatabase;
  const feeds: Feed[] = [];

  beforeEach(async () => {
    database = await engine.create();
    await createEffects(database.db);
  });

  afterEach(async () => {
    await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
    await database.remove();
  });

  it('hand it each statement once, in order, while both store statements', async () => {
    const sides = await Promise.all(
      ['one', 'other'].map(async (worker) => {
        const db = await database.openAgain();
        const feed = createFeed(db, {
          logger: createLogger('OFF'),
          limits: { statements: 7, bytes: 1_048_576 },
          leaseSeconds: 1,
        });
        feeds.push(feed);
        feed.register('test', addingEffects(worker));
        await feed.ensureConsumer({ name: 'one', kind: 'test', cursor: 0 });
        feed.start();
        return serviceOn(db, { onCommitted: () => feed.wake() });
      }),
    );
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        sides[index % 2]?.store(batchOf(Array.from({ length: 1 + (index % 9) }, () => statement()))),
      ),
    );
    const stored = await statementPositions(database.db);
    const effects = async () => (await effectsIn(database.db)).map(({ position }) => position);
    await expect.poll(effects, { interval: 100 }).toEqual(stored);
  });
});
