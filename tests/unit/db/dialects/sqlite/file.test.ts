import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../../lib/db/connect.ts';
import { DatabaseUnusableError } from '../../../../../lib/db/unusable.ts';
import { createLogger } from '../../../../../lib/logger.ts';

describe('the file of a SQLite database', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lrs-file-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made in its folder, readable by its owner only, with the files beside it', async () => {
    const dbName = join(folder, 'some', 'where', 'lrs.sqlite');
    const db = await openDatabase({ dbType: 'sqlite', dbName }, createLogger('OFF'));
    for (const file of [dbName, `${dbName}-wal`, `${dbName}-shm`]) {
      expect([file, statSync(file).mode & 0o077]).toEqual([file, 0]);
    }
    await db.close();
  });

  it.runIf(process.platform === 'linux')(
    'stays locked while it is open, whether it was there before or not: else another program removes the log',
    async () => {
      const dbName = join(folder, 'lrs.sqlite');
      for (const time of ['first', 'second']) {
        const db = await openDatabase({ dbType: 'sqlite', dbName }, createLogger('OFF'));
        const place = new RegExp(`:${statSync(dbName).ino} `);
        const locks = readFileSync('/proc/locks', 'utf8').split('\n');
        expect([time, locks.filter((line) => place.test(line))]).not.toEqual([time, []]);
        await db.close();
      }
    },
  );

  it('is named when it is something else, which is left as it is', async () => {
    const dbName = join(folder, 'notes.txt');
    const text = 'not a database, '.repeat(100);
    writeFileSync(dbName, text);
    const opening = openDatabase({ dbType: 'sqlite', dbName }, createLogger('OFF'));
    await expect(opening).rejects.toThrow(`The file ${dbName} is not a SQLite database: set dbName`);
    await expect(opening).rejects.toBeInstanceOf(DatabaseUnusableError);
    expect(readFileSync(dbName, 'utf8')).toBe(text);
  });

  it('is named when it cannot be made', async () => {
    await expect(openDatabase({ dbType: 'sqlite', dbName: folder }, createLogger('OFF'))).rejects.toThrow(
      folder,
    );
  });
});
