import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  DriverDatabase,
  DriverValues,
  SqliteDriverName,
} from '../../../../../lib/db/dialects/sqlite/driver/driver.ts';
import { loadSqliteDriver } from '../../../../../lib/db/dialects/sqlite/driver/load.ts';
import { nodeSqliteDriver } from '../../../../../lib/db/dialects/sqlite/driver/node-driver.ts';

/** Node.js 20 has no SQLite; `.ci/run` runs this file on a newer one, too. */
const drivers: readonly SqliteDriverName[] =
  process.getBuiltinModule('node:sqlite') === undefined ? ['sqlite3'] : ['sqlite3', 'node'];

describe.each(drivers)('the SQLite driver %s', (name) => {
  let folder: string;
  let database: DriverDatabase;

  const open = async (file: string, access: 'OPEN_READONLY' | 'OPEN_READWRITE'): Promise<DriverDatabase> => {
    const driver = await loadSqliteDriver(name);
    const mode =
      access === 'OPEN_READONLY' ? driver.OPEN_READONLY : driver.OPEN_READWRITE | driver.OPEN_CREATE;
    return new Promise((resolve, reject) => {
      const opened = new driver.Database(file, mode, (error) => (error ? reject(error) : resolve(opened)));
    });
  };
  const all = (sql: string, values: DriverValues = []): Promise<unknown[]> =>
    new Promise((resolve, reject) => {
      database.all(sql, values, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => database.close((error) => (error ? reject(error) : resolve())));

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lrs-driver-'));
    database = await open(join(folder, 'a.sqlite'), 'OPEN_READWRITE');
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });

  it('binds every kind of value by name and by place, and returns it as it was', async () => {
    const bytes = Buffer.from('a view of a larger buffer').subarray(2, 6);
    const values = {
      ':text': 'ä\u{1F600}',
      ':number': 1.5,
      ':large': 2 ** 52,
      ':flag': true,
      ':none': null,
      ':bytes': bytes,
    };
    const sql =
      'SELECT :text AS text, :number AS number, :large AS large, :flag AS flag, :none AS none, :bytes AS bytes';
    const expected = { text: 'ä\u{1F600}', number: 1.5, large: 2 ** 52, flag: 1, none: null, bytes };
    expect(await all(sql, values)).toEqual([expected]);
    expect(await all('SELECT ? AS a, ? AS b', ['x', bytes])).toEqual([{ a: 'x', b: bytes }]);
  });

  it('keeps a statement prepared, whose values can be replaced without running it', async () => {
    await all('CREATE TABLE kept (value)');
    const statement = database.prepare('INSERT INTO kept VALUES (:value)');
    const insert = (value: string): Promise<void> =>
      new Promise((resolve, reject) => {
        statement.all({ ':value': value }, (error) => (error ? reject(error) : resolve()));
      });
    await insert('one');
    statement.bind([null]);
    await insert('two');
    await new Promise<void>((resolve) => statement.finalize(() => resolve()));
    expect(await all('SELECT value FROM kept ORDER BY value')).toEqual([{ value: 'one' }, { value: 'two' }]);
  });

  it('names the kind of an error in its code and at the beginning of its message', async () => {
    await expect(all('SELECT * FROM missing')).rejects.toMatchObject({
      code: 'SQLITE_ERROR',
      message: 'SQLITE_ERROR: no such table: missing',
    });
    await all('CREATE TABLE one (value PRIMARY KEY)');
    await all('INSERT INTO one VALUES (1)');
    await expect(all('INSERT INTO one VALUES (1)')).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT',
      message: expect.stringMatching(/^SQLITE_CONSTRAINT: UNIQUE/),
    });
    writeFileSync(join(folder, 'text'), 'This is no database. '.repeat(100));
    const other = await open(join(folder, 'text'), 'OPEN_READWRITE');
    const failure = await new Promise((resolve) => other.exec('SELECT * FROM sqlite_schema', resolve));
    expect(failure).toMatchObject({ code: 'SQLITE_NOTADB' });
    await new Promise((resolve) => other.close(resolve));
  });

  it('reports a lock that another connection holds, and a write to a database that is only read', async () => {
    const file = join(folder, 'a.sqlite');
    const [writer, reader] = [await open(file, 'OPEN_READWRITE'), await open(file, 'OPEN_READONLY')];
    const outcome = (of: DriverDatabase, sql: string) => new Promise((resolve) => of.exec(sql, resolve));
    await all('BEGIN IMMEDIATE');
    writer.configure('busyTimeout', 1);
    expect(await outcome(writer, 'BEGIN IMMEDIATE')).toMatchObject({ code: 'SQLITE_BUSY' });
    await all('ROLLBACK');
    expect(await outcome(reader, 'CREATE TABLE no (value)')).toMatchObject({ code: 'SQLITE_READONLY' });
    for (const each of [writer, reader]) await new Promise((resolve) => each.close(resolve));
  });
});

describe('the choice of a SQLite driver', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.doUnmock('sqlite3');
  });

  const withoutPackage = () =>
    vi.doMock('sqlite3', () => {
      throw new Error('The native part is missing.');
    });
  const nodeHasSqlite = (has: boolean) =>
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(has ? {} : undefined);

  it('is the package where its native part is installed, also on a Node.js that contains SQLite', async () => {
    nodeHasSqlite(true);
    expect(await loadSqliteDriver()).not.toBe(nodeSqliteDriver);
    expect(await loadSqliteDriver('node')).toBe(nodeSqliteDriver);
  });

  it('is the one of Node.js where the package is not installed, unless the package is demanded', async () => {
    withoutPackage();
    nodeHasSqlite(true);
    expect(await loadSqliteDriver()).toBe(nodeSqliteDriver);
    await expect(loadSqliteDriver('sqlite3')).rejects.toThrow(/npm start/);
  });

  it('fails with what to do where there is none', async () => {
    withoutPackage();
    nodeHasSqlite(false);
    await expect(loadSqliteDriver()).rejects.toThrow(/Node\.js 22\.13/);
    await expect(loadSqliteDriver('node')).rejects.toThrow(/Node\.js 22\.13 or newer/);
  });
});
