import { copyFileSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../../lib/db/connect.ts';
import type { MonitoredDatabase } from '../../../../../lib/db/monitored-database.ts';
import { createReadiness } from '../../../../../lib/db/readiness.ts';
import type { Database } from '../../../../../lib/db/types.ts';
import { UnavailableError } from '../../../../../lib/errors.ts';
import { createLogger } from '../../../../../lib/logger.ts';

describe('a SQLite database whose files are touched while it is open', () => {
  let folder: string;
  let dbName: string;
  let db: MonitoredDatabase;

  const open = (file: string) => openDatabase({ dbType: 'sqlite', dbName: file }, createLogger('OFF'));
  const write = (task: string) =>
    db.write((session) =>
      session.execute('INSERT INTO task_progress (task, position) VALUES (:task, 1)', { task }),
    );
  const stored = (from: Database) =>
    from.read(async (session) => {
      const rows = await session.select<{ task: string }>('SELECT task FROM task_progress ORDER BY task');
      return rows.map(({ task }) => task);
    });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lrs-displaced-'));
    dbName = join(folder, 'lrs.sqlite');
    db = await open(dbName);
    await write('before');
  });
  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  async function expectRefusal(file: string): Promise<void> {
    const first = await write('late').catch((error: unknown) => error);
    expect(first).toBeInstanceOf(UnavailableError);
    expect(String(first)).toMatch(/may or may not be stored/);
    expect(String(first)).not.toContain(folder);
    const second = await write('later').catch((error: unknown) => error);
    expect(second).toBeInstanceOf(UnavailableError);
    expect(second).toMatchObject({ cause: { message: expect.stringContaining(`The file ${file} of`) } });
    await expect(createReadiness(db).check()).rejects.toThrow(UnavailableError);
  }

  describe.each(['', '-wal', '-shm'])('the file with the ending "%s"', (ending) => {
    it('moved away: nobody says up to when the store is complete, also before the first write', async () => {
      const file = dbName + ending;
      // What SQLite makes when it is first needed is there from here on.
      await write('again');
      renameSync(file, `${file}.aside`);
      await expect(db.tryLockRead('SELECT 1 AS one')).rejects.toThrow(UnavailableError);
      renameSync(`${file}.aside`, file);
      expect(await db.tryLockRead('SELECT 1 AS one')).toEqual({ row: { one: 1 }, unlocked: true });
    });

    it('moved away: writes are refused, and accepted again when it is back', async () => {
      const file = dbName + ending;
      renameSync(file, `${file}.aside`);
      await expectRefusal(file);
      renameSync(`${file}.aside`, file);
      await createReadiness(db).check();
      await write('again');
      // What was refused before the transaction began has left no trace.
      expect(await stored(db)).toEqual(['again', 'before', 'late']);
    });

    it('deleted: writes are refused', async () => {
      rmSync(dbName + ending);
      await expectRefusal(dbName + ending);
    });

    it('replaced by a copy: writes are refused', async () => {
      const file = dbName + ending;
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
      await expectRefusal(file);
    });
  });

  it('all moved: nothing that was acknowledged is missing where they are now', async () => {
    for (const ending of ['', '-wal', '-shm']) renameSync(dbName + ending, join(folder, `moved${ending}`));
    await expectRefusal(dbName);
    const moved = await open(join(folder, 'moved'));
    expect(await stored(moved)).toContain('before');
    await moved.close();
  });

  it('moved away: the log has the beginning and the end once, and a check of readiness says that the database is out of reach', async () => {
    const lines: { readonly level: number; readonly msg: string; readonly err?: object }[] = [];
    const logger = createLogger('INFO', { write: (line) => void lines.push(JSON.parse(line)) });
    const logged = await openDatabase({ dbType: 'sqlite', dbName }, logger);
    const { check } = createReadiness(logged);
    await check();
    renameSync(dbName, `${dbName}.aside`);
    for (let times = 0; times < 3; times++) await expect(check()).rejects.toThrow(/is out of reach\.$/);
    renameSync(`${dbName}.aside`, dbName);
    for (let times = 0; times < 3; times++) await check();
    await logged.close();
    expect(lines).toMatchObject([
      {
        level: 50,
        msg: expect.stringMatching(/^the database is out of reach/),
        err: { message: expect.stringContaining(dbName) },
      },
      { level: 30, msg: 'the database is within reach again' },
    ]);
  });

  it('unrelated files come and go: writes go on', async () => {
    writeFileSync(`${dbName}.other`, 'x');
    rmSync(`${dbName}.other`);
    await write('other');
    expect(await stored(db)).toEqual(['before', 'other']);
  });

  it('opened through a symbolic link: writes are accepted until the link leads elsewhere', async () => {
    const link = join(folder, 'link.sqlite');
    symlinkSync(dbName, link);
    const linked = await open(link);
    const writeLinked = () =>
      linked.write((session) => session.execute("DELETE FROM task_progress WHERE task = 'x'"));
    await writeLinked();
    await writeLinked();
    rmSync(link);
    symlinkSync(`${dbName}.other`, link);
    await expect(writeLinked()).rejects.toThrow(UnavailableError);
    await linked.close();
  });
});
