import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import { SqliteDatabase } from '../../lib/db/dialects/sqlite-database.ts';
import { createMigrator, type Migration, NewerSchemaError } from '../../lib/db/migrate.ts';
import { createLogger } from '../../lib/logger.ts';
import { migrations } from '../../migrations/index.ts';

const logger = createLogger('OFF');
const broken: Migration = {
  name: '9999-broken',
  async up({ execute }) {
    await execute('CREATE TABLE half_done (id INTEGER)');
    await execute('CREATE TABLE half_done (id INTEGER)');
  },
  async down() {},
};

describe('the schema of a SQLite file', () => {
  let folder: string;
  let database: SqliteDatabase;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lrs-'));
    database = new SqliteDatabase(join(folder, 'lrs.sqlite'));
    await database.connect();
  });

  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  function migrate(steps: readonly Migration[], direction: 'up' | 'down'): Promise<string[]> {
    return database.write(({ dialect }) => createMigrator(database.sequelize, dialect, steps)[direction]());
  }

  async function tables(): Promise<string[]> {
    const rows = await database.read((session) =>
      session.select<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      ),
    );
    return rows.map(({ name }) => name);
  }

  it('goes all the way up, back down to nothing, and up again', async () => {
    expect(await migrate(migrations, 'up')).toEqual(migrations.map(({ name }) => name));
    const complete = await tables();
    expect(complete).toContain('statement_key');
    expect(await migrate(migrations, 'down')).toEqual(migrations.map(({ name }) => name).toReversed());
    expect(await tables()).toEqual(['schema_migration']);
    await migrate(migrations, 'up');
    expect(await tables()).toEqual(complete);
  });

  it('takes each step once', async () => {
    await migrate(migrations, 'up');
    expect(await migrate(migrations, 'up')).toEqual([]);
  });

  it('takes no step at all when one of them fails', async () => {
    await expect(migrate([...migrations, broken], 'up')).rejects.toThrow('half_done');
    expect(await tables()).toEqual([]);
  });

  it('is brought up to date once by many that open it at the same time', async () => {
    const dbName = join(folder, 'deeper', 'still', 'new.sqlite');
    const opened = await Promise.all(
      Array.from({ length: 10 }, () => openDatabase({ dbType: 'sqlite', dbName }, logger)),
    );
    const rows = await opened[0]?.read((session) => session.select('SELECT name FROM schema_migration'));
    expect(rows).toEqual(migrations.map(({ name }) => ({ name })));
    await Promise.all(opened.map((each) => each.close()));
  });

  it('is left alone, with a sentence that says why, when a newer release has changed it', async () => {
    const later: Migration = { ...broken, name: '9998-from-the-future', up: async () => undefined };
    await migrate([...migrations, later], 'up');
    const opening = openDatabase({ dbType: 'sqlite', dbName: join(folder, 'lrs.sqlite') }, logger);
    await expect(opening).rejects.toThrow(NewerSchemaError);
    await expect(opening).rejects.toThrow('newer release');
    await expect(opening).rejects.toThrow('9998-from-the-future');
  });

  it('has numbered steps in order, each with a name of its own', () => {
    const names = migrations.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].toSorted());
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z-]+$/);
  });
});
