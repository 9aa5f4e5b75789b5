import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, openDatabase } from '../../../../../lib/db/connect.ts';
import { ForeignSchemaError } from '../../../../../lib/db/foreign-tables.ts';
import { DatabaseUnusableError } from '../../../../../lib/db/unusable.ts';
import { createLogger } from '../../../../../lib/logger.ts';
import { sqliteDriver } from '../../../../support/engines.ts';
import { lrsqlInSqlite } from '../../../../support/lrsql-database.ts';

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

  it('is refused when it is one of lrsql, and not changed: what to do is said', async () => {
    const dbName = join(folder, 'lrsql.db');
    const lrsql = await lrsqlInSqlite(dbName);
    await lrsql.close();
    const content = readFileSync(dbName);
    const options = { dbType: 'sqlite', dbName, sqliteDriver } as const;
    for (const open of [() => openDatabase(options, createLogger('OFF')), () => connect(options)]) {
      const opening = open();
      await expect(opening).rejects.toThrow(ForeignSchemaError);
      await expect(opening).rejects.toThrow(/of lrsql.*set dbName.*npm run import -- --from/);
    }
    expect(readFileSync(dbName).equals(content)).toBe(true);
    expect(readdirSync(folder)).toEqual(['lrsql.db']);
  });

  it('is refused when another program has left a log beside it, and both are not changed', async () => {
    const running = join(folder, 'running.db');
    const lrsql = await lrsqlInSqlite(running);
    await lrsql.run('PRAGMA journal_mode = WAL');
    await lrsql.run('CREATE TABLE newer (id INTEGER)');
    const dbName = join(folder, 'killed.db');
    for (const end of ['', '-wal']) copyFileSync(running + end, dbName + end);
    await lrsql.close();
    const contents = () => ['', '-wal'].map((end) => readFileSync(dbName + end).toString('base64'));
    const before = contents();
    await expect(connect({ dbType: 'sqlite', dbName, sqliteDriver })).rejects.toThrow(ForeignSchemaError);
    expect(contents()).toEqual(before);
  });

  it('is refused when another program was killed inside a transaction, and its journal mode stays', async () => {
    const dbName = join(folder, 'killed.db');
    const running = join(folder, 'running.db');
    const lrsql = await lrsqlInSqlite(running);
    await lrsql.run('BEGIN');
    await lrsql.run('PRAGMA cache_size = 1');
    await lrsql.run('PRAGMA cache_spill = 1');
    const row = { username: '', passhash: 'x'.repeat(5000), oidc_issuer: null };
    for (const id of '0123456789') await lrsql.insert('admin_account', { ...row, id, username: id });
    for (const end of ['', '-journal']) copyFileSync(running + end, dbName + end);
    await lrsql.close();
    await expect(connect({ dbType: 'sqlite', dbName, sqliteDriver })).rejects.toThrow(ForeignSchemaError);
    expect(existsSync(`${dbName}-wal`)).toBe(false);
  });

  it('is named when it cannot be made', async () => {
    await expect(openDatabase({ dbType: 'sqlite', dbName: folder }, createLogger('OFF'))).rejects.toThrow(
      folder,
    );
  });
});
