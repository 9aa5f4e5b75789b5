import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../lib/db/connect.ts';
import { createLogger } from '../../../lib/logger.ts';

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

  it('is named when it cannot be made', async () => {
    await expect(openDatabase({ dbType: 'sqlite', dbName: folder }, createLogger('OFF'))).rejects.toThrow(
      folder,
    );
  });
});
