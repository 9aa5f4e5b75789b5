import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engineFacts, factsOf } from '../../lib/db/dialects/facts.ts';
import { loadEngine } from '../../lib/db/dialects/registry.ts';
import { patternOf } from '../../lib/db/like-pattern.ts';
import { sql } from '../../lib/db/sql.ts';
import type { Database, ReadSession, TableShape } from '../../lib/db/types.ts';
import { engines, serverEngines, sharedEngines, type TestDatabase } from '../support/engines.ts';
import { holdWrite } from '../support/held-write.ts';
import { changeSchema } from '../support/schema-change.ts';

/*
 * What everything outside of lib/db/dialects relies on, whatever the engine. An engine that is added has to pass these tests;
 * those of a database (database.test.ts), of texts (exact-texts.test.ts), of migrations and of faults go into detail.
 */

const sample: TableShape = {
  name: 'sample',
  columns: { number: 'integer', word: 'text', payload: 'document', content: 'content' },
};

const row = (number: number, word: string | null, payload = '{}') =>
  [number, word, payload, Buffer.alloc(0)] as const;

async function one<Row extends object>(db: Database, query: (session: ReadSession) => Promise<Row[]>) {
  const rows = await db.read(query);
  expect(rows).toHaveLength(1);
  return rows[0] as Row;
}

describe.each(engines)('the contract of an engine: $name', (engine) => {
  let database: TestDatabase;
  let db: Database;

  beforeEach(async () => {
    database = await engine.create();
    db = database.db;
    await db.write(async (session) => {
      const { dialect } = session;
      const { position, text, bytes, ascii } = dialect.columnTypes;
      await changeSchema(
        session,
        `CREATE TABLE sample (number ${position} PRIMARY KEY, word ${text}, payload ${text}, content ${bytes}, code ${ascii(10)} UNIQUE)`,
      );
      await changeSchema(session, `CREATE INDEX sample_word ON sample ${dialect.textIndex('word')}`);
    });
  });

  afterEach(() => database.remove());

  it('is in the registry under the name that its dialect has', async () => {
    expect(db.dialect.name).toBe(engine.dialect);
    expect(factsOf(db.dialect.name).name).toBe(engine.dialect);
    const { isPrivate } = await loadEngine(database.options);
    expect(isPrivate).toBe(!engine.shared);
  });

  it('commits all that a transaction writes, or nothing, and tells what is wrong', async () => {
    await db.write((session) => session.insert(sample, [row(1, 'a'), row(2, 'b')]));
    const failing = db.write(async (session) => {
      await session.insert(sample, [row(3, 'c')]);
      await session.insert(sample, [row(1, 'taken')]);
    });
    const taken: unknown = await failing.catch((error: unknown) => error);
    expect(db.dialect.isUniqueViolation(taken)).toBe(true);
    const missing: unknown = await db
      .read((session) => session.select('SELECT * FROM no_such_table'))
      .catch((error: unknown) => error);
    expect(db.dialect.isMissingTable(missing)).toBe(true);
    for (const error of [taken, missing]) {
      expect(db.dialect.isTransient(error)).toBe(false);
      expect(db.dialect.isUnavailable(error)).toBe(false);
    }
    const { amount } = await one(db, (session) =>
      session.select<{ amount: number }>('SELECT COUNT(*) AS amount FROM sample'),
    );
    expect(amount).toBe(2);
  });

  it('runs transactions that write one after another, each of which sees what those before have written', async () => {
    await db.write((session) => session.insert(sample, [row(0, 'first')]));
    const increment = () =>
      db.write(async (session) => {
        const [last] = await session.select<{ number: number }>('SELECT MAX(number) AS number FROM sample');
        await session.insert(sample, [row((last?.number ?? 0) + 1, null)]);
      });
    await Promise.all(Array.from({ length: 20 }, increment));
    const { number } = await one(db, (session) =>
      session.select<{ number: number }>('SELECT MAX(number) AS number FROM sample'),
    );
    expect(number).toBe(20);
  });

  it('compares texts character by character', async () => {
    const words = ['a', 'A', 'a ', 'á', 'a\u0301', '', 'ａ', '😀'];
    await db.write((session) =>
      session.insert(
        sample,
        words.map((word, number) => row(number, word)),
      ),
    );
    for (const [number, word] of words.entries()) {
      const found = await db.read((session) =>
        session.select<{ number: number }>('SELECT number FROM sample WHERE word = :word', { word }),
      );
      expect(found).toEqual([{ number }]);
    }
  });

  it('finds texts by a part of them, ASCII letters in any case, and takes no character for a placeholder', async () => {
    const words = ['Ann_50%!', 'ann', 'BANN', 'é', 'An n'];
    await db.write((session) =>
      session.insert(
        sample,
        words.map((word, number) => row(number, word)),
      ),
    );
    const found = (part: string) =>
      db.read(async (session) => {
        const condition = db.dialect.like(sql`word`, sql`${patternOf(part)}`);
        const { text, values } = sql`SELECT word FROM sample WHERE ${condition} ORDER BY number`;
        const rows = await session.select<{ word: string }>(text, values);
        return rows.map(({ word }) => word);
      });
    expect(await found('aNN')).toEqual(['Ann_50%!', 'ann', 'BANN']);
    expect(await found('_50%!')).toEqual(['Ann_50%!']);
    expect(await found('%')).toEqual(['Ann_50%!']);
    expect(await found('é')).toEqual(['é']);
  });

  it('reads text, numbers and flags at a path of JSON text, and null where there is nothing', async () => {
    const { text, number, flag } = db.dialect.jsonAt;
    const payloads = ['{"a":{"b":"x","n":0.25,"yes":true,"no":false}}', '{"a":{}}'];
    await db.write((session) =>
      session.insert(
        sample,
        payloads.map((payload, index) => row(index, null, payload)),
      ),
    );
    const read = await db.read((session) =>
      session.select(
        `SELECT ${text('payload', 'a', 'b')} AS b, ${number('payload', 'a', 'n')} AS n,
           ${flag('payload', 'a', 'yes')} AS yes, ${flag('payload', 'a', 'no')} AS no FROM sample ORDER BY number`,
      ),
    );
    expect(read).toEqual([
      { b: 'x', n: 0.25, yes: 1, no: 0 },
      { b: null, n: null, yes: null, no: null },
    ]);
  });

  it('orders the moments of positions by time, and tells the time', async () => {
    const moment = Date.UTC(2024, 1, 29, 12, 30, 15);
    await db.write((session) => session.insert(sample, [row(moment * 1000, null)]));
    const { same } = await one(db, (session) =>
      session.select<{ same: number | boolean }>(
        `SELECT ${db.dialect.timeOf('number')} < ${db.dialect.timeOf('(number + 1000000)')} AS same FROM sample`,
      ),
    );
    expect(Boolean(same)).toBe(true);
    const { now } = await one(db, (session) =>
      session.select<{ now: number }>(`SELECT ${db.dialect.nowSql} AS now`),
    );
    expect(Number.isSafeInteger(now)).toBe(true);
    expect(now).toBeGreaterThan(moment * 1000);
  });

  it('lists the tables of the database, its version and its size', async () => {
    const tables = await db.read((session) => session.select<{ name: string }>(db.dialect.tablesSql));
    const names = tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['sample', 'statement', 'schema_migration']));
    const { version, size } = await one(db, (session) =>
      session.select<{ version: string; size: number }>(db.dialect.serverSql),
    );
    expect(version).toMatch(/^\d+\.\d+/);
    expect(size).toBeGreaterThan(0);
  });

  it('writes a batch as it looks, all of it or nothing, where it has batches', async () => {
    const { batches } = db;
    if (batches === undefined) return;
    const send = (fits: string) => {
      const events: string[] = [];
      const sent = batches.send<{ amount: number }>(async (session) => {
        session.afterCommit(() => events.push('committed'));
        await session.insert(counted, [
          [0, 'x'],
          [1, 'y'],
        ]);
        return {
          sql: 'SELECT COUNT(*) AS amount FROM sample',
          fits,
          first: 'amount + 7',
          replacements: () => ({}),
        };
      });
      return sent.then(({ first, row: { amount } }) => ({ first, amount: Number(amount), events }));
    };
    expect(await send('amount = 1')).toEqual({ first: undefined, amount: 0, events: [] });
    expect(await send('amount = 0')).toEqual({ first: 7, amount: 0, events: ['committed'] });
    const rows = await db.read((session) =>
      session.select('SELECT number, word FROM sample ORDER BY number'),
    );
    expect(rows).toEqual([
      { number: 7, word: 'x' },
      { number: 8, word: 'y' },
    ]);
  });
});

const agentTable: TableShape = { name: 'agent', columns: { agent_key: 'hex', identifier: 'text' } };

/** Rows whose numbers are positions. */
const counted: TableShape = { name: 'sample', columns: { number: 'position', word: 'text' } };

describe.each(sharedEngines)('the contract of an engine with several processes: $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  it('looks at what is committed without waiting while another process writes, and tells that', async () => {
    const other = await database.openAgain();
    const held = await holdWrite(other);
    const sql = 'SELECT COUNT(*) AS amount FROM statement';
    const meanwhile = await database.db.tryLockRead<{ amount: number }>(sql);
    held.release();
    await held.done;
    expect(meanwhile).toMatchObject({ unlocked: false, row: { amount: 0 } });
    await expect.poll(async () => (await database.db.tryLockRead(sql)).unlocked).toBe(true);
  });

  it('commits a batch and a transaction although an attempt to get the write lock has failed before', async () => {
    const { db } = database;
    const other = await database.openAgain();
    const held = await holdWrite(other);
    const sql = 'SELECT COUNT(*) AS amount FROM agent';
    expect(await db.tryLockRead<{ amount: number }>(sql)).toMatchObject({ unlocked: false });
    held.release();
    await held.done;
    await db.batches?.send(async (session) => {
      await session.insert(agentTable, [['ab'.repeat(16), 'somebody']]);
      return { sql: 'SELECT 1 AS one', fits: 'true', first: '1', replacements: () => ({}) };
    });
    expect(await one(other, (session) => session.select(sql))).toMatchObject({ amount: 1 });
    await db.write((session) => session.insert(agentTable, [['cd'.repeat(16), 'another']]));
    expect(await one(other, (session) => session.select(sql))).toMatchObject({ amount: 2 });
  });
});

describe.each(serverEngines)('the contract of an engine that is a server: $name', (engine) => {
  it('sends a look at the write lock on the connection of a read by key that begins in the same turn', async () => {
    const database = await engine.create();
    const sql = `SELECT ${engine.connectionId} AS id`;
    const [[read], { row }] = await Promise.all([
      database.db.read((session) => session.select<{ id: number }>(sql), { byKey: true }),
      database.db.tryLockRead<{ id: number }>(sql),
    ]);
    expect(Number(row?.id)).toBe(Number(read?.id));
    await database.remove();
  });
});

describe('the registry of engines', () => {
  it('holds every engine that is tested, each name once', () => {
    const names = engineFacts.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(engineFacts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(engines.map(({ dialect }) => dialect)),
    );
    expect(() => factsOf('oracle')).toThrow('There is no engine named oracle.');
  });
});
