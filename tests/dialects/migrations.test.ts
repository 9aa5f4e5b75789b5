import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, openDatabase } from '../../lib/db/connect.ts';
import { ForeignSchemaError } from '../../lib/db/foreign-tables.ts';
import { createMigrator, DevelopmentSchemaError, NewerSchemaError } from '../../lib/db/migrate.ts';
import type { MigratableDatabase } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { firstRelease } from '../../migrations/0001-first-release.ts';
import { migrations } from '../../migrations/index.ts';
import type { Migration, MigrationContext } from '../../migrations/migration.ts';
import { sharedEngines, type TestPlace } from '../support/engines.ts';

const logger = createLogger('OFF');

function step(name: string, up: (context: MigrationContext) => Promise<void>): Migration {
  return { name, tables: [], up, down: async () => undefined };
}

const interrupted = step('9999-interrupted', async ({ execute }) => {
  await execute('CREATE TABLE half_done (id INTEGER)');
  await execute('nonsense half_done');
});
const mended = step('9999-interrupted', async ({ execute }) => {
  await execute('CREATE TABLE half_done (id INTEGER)');
  await execute('CREATE INDEX half_done_id ON half_done (id)');
  await execute('ALTER TABLE half_done ADD COLUMN other INTEGER');
});

describe.each(sharedEngines)('the schema of $name', (engine) => {
  let place: TestPlace;
  let database: MigratableDatabase;

  beforeEach(async () => {
    place = await engine.reserve();
    database = await connect(place.options);
  });

  afterEach(async () => {
    await database.close();
    await place.remove();
  });

  function migrate(steps: readonly Migration[], direction: 'up' | 'down'): Promise<string[]> {
    return database.migrate((session) => createMigrator(session, steps)[direction]());
  }

  async function tables(): Promise<string[]> {
    const rows = await database.read((session) =>
      session.select<{ name: string }>(session.dialect.tablesSql),
    );
    return rows.map(({ name }) => name).toSorted();
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

  it('takes a step that was interrupted half way again, from its beginning', async () => {
    const start = migrations.slice(0, 1);
    await expect(migrate([...start, interrupted], 'up')).rejects.toThrow('nonsense');
    const { supportsTransactionalDdl } = database.dialect;
    expect((await tables()).includes('half_done')).toBe(!supportsTransactionalDdl);
    expect(await migrate([...start, mended], 'up')).toContain('9999-interrupted');
    const columns = await database.read((session) => session.select('SELECT id, other FROM half_done'));
    expect(columns).toEqual([]);
  });

  it('is completed when its first step was interrupted', async () => {
    const halfWay: Migration = {
      ...firstRelease,
      up: ({ dialect, execute }) =>
        firstRelease.up({
          dialect,
          execute: (sql) => execute(sql.startsWith('CREATE TABLE document') ? 'nonsense' : sql),
        }),
    };
    await expect(migrate([halfWay], 'up')).rejects.toThrow('nonsense');
    expect((await tables()).includes('statement')).toBe(!database.dialect.supportsTransactionalDdl);
    expect(await migrate(migrations, 'up')).toEqual(migrations.map(({ name }) => name));
    const made = migrations.flatMap(({ tables: each }) => each);
    const renamed = made.map((table) => (table === 'statement_recent' ? 'statement_key_buffer' : table));
    expect(await tables()).toEqual([...renamed, 'schema_migration'].toSorted());
  });

  it('is brought up to date once by ten that open it at the same time', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => openDatabase(place.options, logger)));
    const rows = await opened[0]?.read((session) =>
      session.select<{ name: string }>('SELECT name FROM schema_migration ORDER BY name'),
    );
    expect(rows).toEqual(migrations.map(({ name }) => ({ name })));
    await Promise.all(opened.map((each) => each.close()));
  });

  it('is refused, with what to do about it, when a development build has made it, and stays as it is', async () => {
    const former = ['0001-initial', '0002-administration'].map((name) =>
      step(name, ({ execute }) => execute(`CREATE TABLE made_by_${name.slice(0, 4)} (id INTEGER)`)),
    );
    for (const steps of [former.slice(0, 1), former]) {
      await migrate(steps, 'up');
      const before = await tables();
      const opening = openDatabase(place.options, logger);
      await expect(opening).rejects.toThrow(DevelopmentSchemaError);
      await expect(opening).rejects.toThrow(/development build.*Export its statements.*empty database/);
      expect(await tables()).toEqual(before);
    }
  });

  it('is left alone, with a sentence that says why, when a newer release has changed it', async () => {
    const later = step('9998-from-the-future', async () => undefined);
    await migrate([...migrations, later], 'up');
    const opening = openDatabase(place.options, logger);
    await expect(opening).rejects.toThrow(NewerSchemaError);
    await expect(opening).rejects.toThrow(/newer release.*9998-from-the-future/);
  });

  it.each(['xapi_statement', 'schema_migration'])(
    'is left alone, with a sentence that says why, when another program has made %s in it',
    async (table) => {
      await database.migrate(async (session) => {
        await session.execute(`CREATE TABLE ${table} (version INTEGER)`);
        await session.execute(`INSERT INTO ${table} (version) VALUES (1)`);
      });
      const opening = openDatabase(place.options, logger);
      await expect(opening).rejects.toThrow(ForeignSchemaError);
      await expect(opening).rejects.toThrow(table);
      const advice = /of lrsql.*set dbName.*npm run import -- --from/;
      if (table === 'xapi_statement') await expect(opening).rejects.toThrow(advice);
      else await expect(opening).rejects.not.toThrow(advice);
      expect(await tables()).toEqual([table]);
    },
  );
});

describe('the steps of the schema', () => {
  it('are numbered in order, each with a name of its own', () => {
    const names = migrations.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].toSorted());
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z-]+$/);
  });
});
