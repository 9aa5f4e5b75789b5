import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { PoolOptions, ServerOptions } from '../../lib/db/dialects/server/options.ts';
import type { Database } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { administer, serverEngines, type TestDatabase, timeouts } from '../support/engines.ts';

const pool: PoolOptions = {
  maximumSize: 4,
  minimumIdle: 0,
  idleTimeout: 600_000,
  connectionTimeout: 60_000,
  ...timeouts,
};

describe.each(serverEngines)('the connections to $name', (engine) => {
  let database: TestDatabase;
  let options: ServerOptions;
  const opened: Database[] = [];

  beforeEach(async () => {
    database = await engine.createAlone();
    if (database.options.dbType === 'sqlite') throw new Error('There is no server.');
    options = database.options;
    await database.db.close();
  });

  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(opened.splice(0).map((db) => db.close()));
    await database.remove();
  });

  async function open(change: Partial<PoolOptions>): Promise<Database> {
    const db = await openDatabase({ ...options, pool: { ...pool, ...change } }, createLogger('OFF'));
    opened.push(db);
    return db;
  }

  const isPostgres = engine.family === 'postgres';
  const idSql = `SELECT ${isPostgres ? 'pg_backend_pid()' : 'CONNECTION_ID()'} AS id`;
  const idOf = async (db: Database): Promise<number> => {
    const [row] = await db.read((session) => session.select<{ id: number }>(idSql));
    return Number(row?.id);
  };

  /** The ids of all connections to the database, as the server sees them. */
  async function connected(): Promise<number[]> {
    const sql = isPostgres
      ? `SELECT pid AS id FROM pg_stat_activity WHERE datname = '${options.dbName}' AND backend_type = 'client backend'`
      : `SELECT id FROM information_schema.processlist WHERE db = '${options.dbName}'`;
    const rows = await administer(options, sql);
    return (rows as { id: number }[]).map(({ id }) => id);
  }

  const write = (db: Database, position: number) =>
    db.write(({ execute }) =>
      execute(`INSERT INTO task_progress (task, position) VALUES ('task ${position}', ${position})`),
    );
  const count = async (db: Database) => {
    const sql = 'SELECT COUNT(*) AS amount FROM task_progress';
    const [row] = await db.read((session) => session.select<{ amount: number }>(sql));
    return Number(row?.amount);
  };

  it('are one where the pool may have one, which reads and writes in turns', async () => {
    const db = await open({ maximumSize: 1 });
    const each = Array.from({ length: 20 }, (_, position) => position);
    await Promise.all(each.flatMap((position) => [write(db, position), count(db)]));
    expect(await count(db)).toBe(20);
    expect(await connected()).toEqual([await idOf(db)]);
  });

  it('are replaced where the pool has one and the server has ended it', async () => {
    const db = await open({ maximumSize: 1 });
    const first = await idOf(db);
    await administer(options, isPostgres ? `SELECT pg_terminate_backend(${first})` : `KILL ${first}`);
    await expect.poll(connected).toEqual([]);
    await write(db, 1);
    expect(await count(db)).toBe(1);
    expect(await idOf(db)).not.toBe(first);
  });

  it.each([1, 4])('are replaced after their lifetime in a pool of %i', async (maximumSize) => {
    const db = await open({ maximumSize, maximumLifetime: 1 });
    const first = await idOf(db);
    await expect.poll(() => idOf(db)).not.toBe(first);
    const each = Array.from({ length: 20 }, (_, position) => position);
    await Promise.all(each.flatMap((position) => [write(db, position), count(db)]));
    expect(await count(db)).toBe(20);
  });

  it.each([1, 4])('are kept at any age in a pool of %i where there is no lifetime', async (maximumSize) => {
    const db = await open({ maximumSize, maximumLifetime: 0 });
    const first = await idOf(db);
    await write(db, 1);
    expect(await idOf(db)).toBe(first);
  });

  it('are shared by reads by key that begin together, and also serve other reads where there is only one for reading', async () => {
    const db = await open({ maximumSize: 2 });
    const byKey = () => db.read((session) => session.select<{ id: number }>(idSql), { byKey: true });
    const before = await idOf(db);
    const each = Array.from({ length: 20 }, (_, position) => position);
    const found = await Promise.all(each.flatMap(() => [byKey(), byKey(), idOf(db)]));
    const ids = found.map((row) => (typeof row === 'number' ? row : Number(row[0]?.id)));
    expect(new Set(ids)).toEqual(new Set([before]));
  });

  it('of a pool are not taken one each by reads by key that begin together', async () => {
    const db = await open({ maximumSize: 10 });
    // It is shared for some milliseconds, in which a slow machine may not send all of them.
    vi.useFakeTimers({ toFake: ['performance'] });
    const byKey = () => db.read((session) => session.select<{ id: number }>(idSql), { byKey: true });
    const found = await Promise.all(Array.from({ length: 20 }, byKey));
    expect(new Set(found.map(([row]) => row?.id)).size).toBe(1);
  });

  it('are kept however long they idle where no time is set for that', async () => {
    const kept = await open({ idleTimeout: 0, maximumLifetime: 0 });
    const id = await idOf(kept);
    const closed = await open({ idleTimeout: 600_000, maximumLifetime: 0 });
    const other = await idOf(closed);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60 * 1000 });
    await expect.poll(connected, { timeout: 60_000 }).not.toContain(other);
    expect(await connected()).toContain(id);
  });
});
