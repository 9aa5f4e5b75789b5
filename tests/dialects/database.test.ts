import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import { serverSecret } from '../../lib/db/tables/administration.ts';
import type { ColumnKind, TableShape } from '../../lib/db/types.ts';
import { UnavailableError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import { engines, serverEngines, sharedEngines, type TestDatabase } from '../support/engines.ts';
import { holdWrite } from '../support/held-write.ts';
import { changeSchema } from '../support/schema-change.ts';

const kinds: Record<string, ColumnKind> = {
  number: 'integer',
  word: 'text',
  code: 'hex',
  lengthy: 'document',
  bytes: 'content',
};
const sample: TableShape = { name: 'sample', columns: kinds };
const entryTable: TableShape = {
  name: 'entry',
  columns: { code: 'key', number: 'integer', mask: 'integer' },
};

/** Some drivers give bytes, others the text of a UUID. */
const hexOf = (key: Buffer | string): string =>
  typeof key === 'string' ? key.replaceAll('-', '') : key.toString('hex');

describe.each(engines)('a database: $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
    await database.db.write(async (session) => {
      const { dialect } = session;
      const types = dialect.columnTypes;
      await changeSchema(
        session,
        `CREATE TABLE sample (number ${types.position} PRIMARY KEY, word ${types.text}, code ${types.bytes}, lengthy ${types.text}, bytes ${types.bytes})`,
      );
      await changeSchema(
        session,
        `CREATE TABLE entry (code ${types.indexKey}, number ${types.position}, mask ${types.position}, ${dialect.coveringKey(['code', 'number'], ['mask'])})`,
      );
    });
  });

  afterEach(() => database.remove());

  const count = () =>
    database.db.read(async (session) => {
      const [row] = await session.select<{ amount: number }>('SELECT COUNT(*) AS amount FROM sample');
      return row?.amount;
    });

  it('gives back long texts of any column, beside short ones and none', async () => {
    const words = ['é😀'.repeat(20_000), null, 'short', '', 'y'.repeat(30_000)];
    const rows = words.map((word, number) => [number, word, 'a0', 'lengthy', Buffer.of(number)] as const);
    await database.db.write((session) => session.insert(sample, rows));
    const stored = await database.db.read((session) =>
      session.select<{ word: string | null }>('SELECT word FROM sample ORDER BY number'),
    );
    expect(stored.map(({ word }) => word)).toEqual(words);
  });

  it('gives back what was inserted, of every kind of column', async () => {
    const rows = [
      [2 ** 53 - 1, `it's "quoted"; \\ 😀`, '00ff', 'x'.repeat(100_000), Buffer.from([0, 1, 255])],
      [1, null, 'a0', '', Buffer.alloc(0)],
      [0, 'PRAGMA INDEX_LIST', '', '€', Buffer.alloc(10_000, 9)],
    ] as const;
    await database.db.write((session) => session.insert(sample, rows));
    const read = await database.db.read((session) =>
      session.select<Record<string, unknown>>('SELECT * FROM sample ORDER BY number DESC'),
    );
    expect(read).toEqual(
      rows.map(([number, word, code, lengthy, bytes]) => ({
        number,
        word,
        code: Buffer.from(code, 'hex'),
        lengthy,
        bytes,
      })),
    );
  });

  it('inserts nothing when there is nothing to insert', async () => {
    await database.db.write(async (session) => {
      await session.insert(sample, []);
      await session.insertByKey(entryTable, { keys: [], numbers: [], masks: [] });
    });
    expect(await count()).toBe(0);
  });

  it('leaves rows out whose key is taken when asked to, and fails otherwise', async () => {
    const row = [1, 'first', '00', '', Buffer.alloc(0)] as const;
    const again = [1, 'second', '00', '', Buffer.alloc(0)] as const;
    await database.db.write((session) => session.insert(sample, [row]));
    await database.db.write((session) => session.insert(sample, [again], { skipTaken: true }));
    expect(await count()).toBe(1);
    const failing = database.db.write((session) => session.insert(sample, [again]));
    const error = await failing.catch((caught: unknown) => caught);
    expect(database.db.dialect.isUniqueViolation(error)).toBe(true);
    expect(database.db.dialect.isTransient(error)).toBe(false);
  });

  it('inserts numbers and masks by key, however far apart the numbers lie', async () => {
    const [low, high] = ['01'.repeat(16), 'ff'.repeat(16)] as const;
    const widest = 2 ** 52 - 1;
    const rows = [
      [low, 1_800_000_000_000_002, widest],
      [low, 1_800_000_000_002_049, 0],
      [low, 1_800_000_000_002_050, widest - 1],
      [high, 1, -1],
      [high, 1_800_000_000_000_003, 5],
      [high, 2 ** 53 - 1, -1],
    ] as const;
    const shuffled = [3, 1, 0, 5, 2, 4].flatMap((at) => rows.slice(at, at + 1));
    const entries = {
      keys: shuffled.map(([key]) => key),
      numbers: shuffled.map(([, number]) => number),
      masks: shuffled.map(([, , mask]) => mask),
    };
    await database.db.write((session) => session.insertByKey(entryTable, entries));
    const read = await database.db.read((session) =>
      session.select<{ code: Buffer | string; number: number; mask: number }>(
        'SELECT code, number, mask FROM entry ORDER BY code, number',
      ),
    );
    expect(read.map(({ code, number, mask }) => [hexOf(code), number, mask])).toEqual(rows);
  });

  it('begins a transaction right behind a commit, which sees what that has written, and takes back nothing of it', async () => {
    const row = (number: number) => [number, 'word', '00', '', Buffer.alloc(0)] as const;
    const events: string[] = [];
    const behind: Promise<void>[] = [];
    const onCommitting = () => {
      const failing = database.db.write(
        async (session) => {
          const [seen] = await session.select<{ amount: number }>('SELECT COUNT(*) AS amount FROM sample');
          events.push(`sees ${seen?.amount}`);
          await session.insert(sample, [row(2)]);
          throw new Error('on purpose');
        },
        { readsFirst: true },
      );
      behind.push(failing.catch((error: Error) => void events.push(error.message)));
      behind.push(database.db.write((session) => session.insert(sample, [row(3)])));
    };
    await database.db.write((session) => {
      session.onCommitting(onCommitting);
      return session.insert(sample, [row(1)]);
    });
    // On an engine without a server nothing is begun behind a commit.
    if (behind.length === 0) onCommitting();
    await Promise.all(behind);
    expect(events).toEqual(['sees 1', 'on purpose']);
    const rows = await database.db.read((session) =>
      session.select<{ number: number }>('SELECT number FROM sample ORDER BY number'),
    );
    expect(rows.map(({ number }) => number)).toEqual([1, 3]);
  });

  it('commits writes that are left to the commit', async () => {
    const row = (number: number) => [number, 'word', '00', '', Buffer.alloc(0)] as const;
    await database.db.write(async (session) => {
      session.send(session.insert(sample, [row(1)]));
      session.send(session.insert(sample, [row(2), row(3)]));
    });
    expect(await count()).toBe(3);
  });

  it.each([{ readsFirst: false }, { readsFirst: true }])(
    'commits nothing when a write fails that was left to the commit, says why, and harms no transaction behind it ($readsFirst)',
    async (options) => {
      const row = (number: number) => [number, 'word', '00', '', Buffer.alloc(0)] as const;
      await database.db.write((session) => session.insert(sample, [row(1)]));
      let behind: Promise<void> | undefined;
      const failing = database.db.write(async (session) => {
        session.onCommitting(() => {
          behind = database.db.write((next) => next.insert(sample, [row(4)]));
        });
        session.send(session.insert(sample, [row(2)]));
        session.send(session.insert(sample, [row(1)]));
        session.send(session.insert(sample, [row(3)]));
      }, options);
      const error = await failing.catch((caught: unknown) => caught);
      expect(database.db.dialect.isUniqueViolation(error)).toBe(true);
      await (behind ?? database.db.write((session) => session.insert(sample, [row(4)])));
      const rows = await database.db.read((session) =>
        session.select<{ number: number }>('SELECT number FROM sample ORDER BY number'),
      );
      expect(rows.map(({ number }) => number)).toEqual([1, 4]);
    },
  );

  it('calls back after the commit, in order, and neither before it nor when the transaction is rolled back', async () => {
    const row = (number: number) => [number, 'word', '00', '', Buffer.alloc(0)] as const;
    const events: string[] = [];
    await database.db.write(async (session) => {
      session.afterCommit(() => events.push('first'));
      await session.insert(sample, [row(1)]);
      session.afterCommit(() => events.push('second'));
      events.push('work done');
    });
    expect(events).toEqual(['work done', 'first', 'second']);
    const failing = database.db.write(async (session) => {
      session.afterCommit(() => events.push('rolled back'));
      session.send(session.insert(sample, [row(1)]));
    });
    await expect(failing).rejects.toThrow();
    expect(events).toHaveLength(3);
  });

  it('undoes writes that were left to a commit that does not come', async () => {
    const failing = database.db.write(async (session) => {
      session.send(session.insert(sample, [[1, 'word', '00', '', Buffer.alloc(0)]]));
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await count()).toBe(0);
  });

  it('finds by lists of numbers, texts and bytes, empty ones too', async () => {
    const rows = [1, 2, 3].map(
      (number) => [number, `w${number}`, `0${number}`, '', Buffer.alloc(0)] as const,
    );
    await database.db.write((session) => session.insert(sample, rows));
    const find = async (
      column: string,
      values: readonly string[] | readonly number[] | readonly Buffer[],
    ) => {
      const found = await database.db.read((session) =>
        session.select<{ number: number }>(
          `SELECT number FROM sample WHERE ${column} IN (:values) ORDER BY number`,
          { values },
        ),
      );
      return found.map(({ number }) => number);
    };
    expect(await find('number', [3, 1])).toEqual([1, 3]);
    expect(await find('word', ['w2', `w3'`])).toEqual([2]);
    expect(await find('code', [Buffer.from([1]), Buffer.from([2])])).toEqual([1, 2]);
    expect(await find('number', [])).toEqual([]);
  });

  it('runs what could not be prepared before as soon as it can be', async () => {
    const sql = 'SELECT number FROM later';
    const select = () => database.db.read((session) => session.select<{ number: number }>(sql));
    await expect(select()).rejects.toThrow(/later/);
    await expect(select()).rejects.toThrow(/later/);
    await database.db.write((session) => changeSchema(session, 'CREATE TABLE later (number INTEGER)'));
    expect(await select()).toEqual([]);
    await database.db.write((session) => changeSchema(session, 'DROP TABLE later'));
  });

  it('runs more different statements than it keeps prepared', async () => {
    const numbers = Array.from({ length: 520 }, (_, index) => index);
    const rows = await database.db.read(async (session) => {
      const found: number[] = [];
      for (const number of [...numbers, ...numbers]) {
        const [row] = await session.select<{ number: number }>(`SELECT ${number} AS number`);
        found.push(row?.number ?? -1);
      }
      return found;
    });
    expect(rows).toEqual([...numbers, ...numbers]);
  });

  it('undoes a transaction that fails, and goes on', async () => {
    const failing = database.db.write(async (session) => {
      await session.execute('INSERT INTO sample (number) VALUES (:number)', { number: 1 });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await expect(database.db.write((session) => session.execute('nonsense'))).rejects.toThrow('nonsense');
    expect(await count()).toBe(0);
    await database.db.write((session) => session.execute('INSERT INTO sample (number) VALUES (2)'));
    expect(await count()).toBe(1);
  });

  it('runs 200 transactions that are asked for at once one after another', async () => {
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 200 }, (_, number) =>
        database.db.write(async (session) => {
          running += 1;
          most = Math.max(most, running);
          await session.execute('INSERT INTO sample (number) VALUES (:number)', { number });
          running -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
    expect(await count()).toBe(200);
  });

  it('shows a reader nothing of a transaction that may still be undone', async () => {
    const held = await holdWrite(database.db, (session) =>
      session.execute('INSERT INTO sample (number) VALUES (1)'),
    );
    const counted = count();
    if (engine.shared) expect(await counted).toBe(0);
    held.fail(new Error('undone'));
    await expect(held.done).rejects.toThrow('undone');
    expect(await counted).toBe(0);
  });

  it('has models of its own for readers and for writers', async () => {
    const content = Buffer.from('secret');
    await database.db.write(async ({ model, options }) =>
      (await model(serverSecret)).create({ name: 'n', content }, options),
    );
    const rows = await database.db.read(async ({ model, options }) =>
      (await model(serverSecret)).findAll({ ...options, raw: true }),
    );
    expect(rows).toMatchObject([{ name: 'n', content }]);
  });
});

describe.each(sharedEngines)('a database that others use too: $name', (engine) => {
  it('refuses reads and writes from the moment it is closed, as something that passes', async () => {
    const place = await engine.reserve();
    const db = await openDatabase(place.options, createLogger('OFF'));
    const closing = db.close();
    const asked = [
      () => db.read(({ select }) => select('SELECT 1 AS one')),
      () => db.write(({ select }) => select('SELECT 1 AS one')),
      () => db.tryLockRead('SELECT 1 AS one'),
      ...(db.batches === undefined
        ? []
        : [() => db.batches?.send(() => Promise.reject(new Error('It is filled.')))]),
    ];
    for (const ask of asked) await expect(ask()).rejects.toThrow(UnavailableError);
    await closing;
    await place.remove();
  });

  it('waits for another process’ transaction', async () => {
    const { db, openAgain, remove } = await engine.create();
    const other = await openAgain();
    const order: string[] = [];
    const held = await holdWrite(other, async (session) => {
      const content = Buffer.alloc(1);
      await session.execute("INSERT INTO server_secret (name, content) VALUES ('a', :content)", { content });
    });
    const own = db.write(async () => {
      order.push('own');
    });
    // Time enough for the second one to begin, if it did not wait.
    await sleep(100);
    order.push('other');
    held.release();
    await Promise.all([held.done, own]);
    expect(order).toEqual(['other', 'own']);
    await remove();
  });

  it('sees what that has committed, also where it asks at once', async () => {
    const { db, openAgain, remove } = await engine.create();
    const other = await openAgain();
    const content = Buffer.alloc(1);
    const held = await holdWrite(other, (session) =>
      session.execute("INSERT INTO server_secret (name, content) VALUES ('a', :content)", { content }),
    );
    const sql = "SELECT name FROM server_secret WHERE name = 'a'";
    const seen = db.write((session) => session.select<{ name: string }>(sql), { readsFirst: true });
    await sleep(100);
    held.release();
    expect(await seen).toEqual([{ name: 'a' }]);
    await held.done;
    await remove();
  });

  it('writes through the writing connection only', async () => {
    const { db, remove } = await engine.create();
    const writing = db.read(async ({ model, options }) =>
      (await model(serverSecret)).create({ name: 'n', content: Buffer.alloc(1) }, options),
    );
    await expect(writing).rejects.toThrow();
    await remove();
  });
});

describe.each(serverEngines)('the connection that writes to $name', (engine) => {
  /** Seconds, or milliseconds where the server says so; each is shorter than others wait for the write lock (lib/db/retry.ts). */
  const expected: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    postgres: {
      idle_in_transaction_session_timeout: '10s',
      tcp_keepalives_idle: '5',
      tcp_keepalives_interval: '2',
      tcp_keepalives_count: '3',
    },
    mariadb: { idle_transaction_timeout: 10, net_read_timeout: 10 },
  };

  it('is soon given up by the server when this process stops', async () => {
    const { db, remove } = await engine.create();
    const settings = expected[engine.family] ?? {};
    const found: Record<string, unknown> = {};
    for (const name of Object.keys(settings)) {
      const sql = engine.family === 'postgres' ? `current_setting('${name}')` : `@@SESSION.${name}`;
      const [row] = await db.write((session) => session.select<{ value: unknown }>(`SELECT ${sql} AS value`));
      found[name] = row?.value;
    }
    expect(found).toEqual(settings);
    await remove();
  });
});

describe('a SQLite file', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lrs-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('waits for the disk at every commit', async () => {
    const dbName = join(folder, 'lrs.sqlite');
    const db = await openDatabase({ dbType: 'sqlite', dbName }, createLogger('OFF'));
    const settings = await db.write(async (session) => ({
      synchronous: await session.select('PRAGMA synchronous'),
      journal: await session.select('PRAGMA journal_mode'),
      keys: await session.select('PRAGMA foreign_keys'),
    }));
    expect(settings).toEqual({
      synchronous: [{ synchronous: 2 }],
      journal: [{ journal_mode: 'wal' }],
      keys: [{ foreign_keys: 1 }],
    });
    await db.close();
  });

  it('that can’t be opened is reported as unavailable, with the reason in the cause', async () => {
    const opening = openDatabase({ dbType: 'sqlite', dbName: folder }, createLogger('OFF'));
    const error = await opening.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toHaveProperty('cause');
  });
});

describe.each(engines.filter(({ family }) => family === 'postgres'))(
  'the prepared statements of $name',
  (engine) => {
    it('do not stay on a connection when their first use fails', async () => {
      const { db, remove } = await engine.create();
      for (let count = 0; count < 5; count += 1) {
        const failing = `SELECT 1 / :zero::int AS failed${count}`;
        await expect(db.write((session) => session.select(failing, { zero: '0' }))).rejects.toThrow(/zero/);
      }
      const left = "SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'SELECT 1 /%'";
      expect(await db.write((session) => session.select(left))).toEqual([]);
      await remove();
    });
  },
);
