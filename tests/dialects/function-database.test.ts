import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import { factsOf } from '../../lib/db/dialects/facts.ts';
import { type FunctionDatabase, openFunctionDatabase } from '../../lib/db/function-database.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { serverSecret as serverSecretTable } from '../../lib/db/tables/administration.ts';
import type { Database } from '../../lib/db/types.ts';
import { UnavailableError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import { migrations } from '../../migrations/index.ts';
import { firstMigration, latestMigration } from '../../migrations/latest.ts';
import { openCountingProxy } from '../emulator/counting-proxy.ts';
import { administer, type Engine, serverEngines, sharedEngines, type TestPlace } from '../support/engines.ts';
import { batchOf, read, serviceOn, statement } from '../support/statements.ts';
import { conditionLimit } from '../support/time-limits.ts';

const logger = createLogger('OFF');

it('knows the oldest and the newest step of the schema without loading the steps', () => {
  expect(firstMigration).toBe(migrations[0]?.name);
  expect(latestMigration).toBe(migrations.at(-1)?.name);
});

/** Runs the work on an empty database, as functions find it before the first deployment. */
function emptyPlace(engine: Engine) {
  let place: TestPlace;
  const opened = new Set<Pick<Database, 'close'>>();
  beforeEach(async () => {
    place = await engine.reserve();
  });
  afterEach(async () => {
    await Promise.all(Array.from(opened, (db) => db.close()));
    opened.clear();
    await place.remove();
  });
  return {
    options: () => place.options,
    async open(): Promise<FunctionDatabase> {
      const database = await openFunctionDatabase(place.options, logger);
      opened.add(database.db);
      return database;
    },
    async migrate() {
      const db = await openDatabase(place.options, logger);
      opened.add(db);
      await serverSecret(db);
      return db;
    },
  };
}

describe.each(sharedEngines)('the database of a function on $name', (engine) => {
  const { open, migrate } = emptyPlace(engine);

  it('is not migrated by the function, whose error names the command that does it', async () => {
    await expect(open()).rejects.toThrow(/schema .* older .* run `npm run migrate`/);
    await expect(open()).rejects.toThrow(UnavailableError);
    await migrate();
    const { db, secret } = await open();
    expect(secret).toHaveLength(32);
    const service = serviceOn(db, { upkeep: false });
    const [id = ''] = await service.store(batchOf([statement()]));
    expect((await read(service, id)).id).toBe(id);
  });

  it('is refused when a newer release has migrated it', async () => {
    const db = await migrate();
    await db.write((session) =>
      session.execute("INSERT INTO schema_migration (name) VALUES ('9999-future')"),
    );
    await expect(open()).rejects.toThrow(/9999-future\) is newer than this release.*npm run migrate/);
  });

  it('is refused, with what to do about it, when a development build has made it', async () => {
    const db = await migrate();
    for (const name of ['0001-initial', '0029-feed-events']) {
      await db.write(async (session) => {
        await session.execute('DELETE FROM schema_migration');
        await session.execute('INSERT INTO schema_migration (name) VALUES (:name)', { name });
      });
      await expect(open()).rejects.toThrow(/development build.*Export its statements.*empty database/);
      await expect(open()).rejects.toThrow(UnavailableError);
    }
  });
});

describe.each(serverEngines)('the one connection of a function on $name', (engine) => {
  const { open, migrate, options } = emptyPlace(engine);

  it('serves reading and writing at once, models included', async () => {
    await (await migrate()).close();
    const { db } = await open();
    const service = serviceOn(db, { upkeep: false });
    const stored = await Promise.all([1, 2, 3, 4, 5].map(() => service.store(batchOf([statement()]))));
    const ids = stored.flat();
    const found = await Promise.all(ids.map((id) => read(service, id)));
    expect(found.map(({ id }) => id)).toEqual(ids);
    const secrets = await db.write(async (session) => {
      const ServerSecret = await session.model(serverSecretTable);
      await ServerSecret.create({ name: 'other', content: Buffer.alloc(1) }, session.options);
      return ServerSecret.findAll({ ...session.options, raw: true });
    });
    expect(secrets).toHaveLength(2);
    // Those of the migration end a moment after they have been closed.
    await expect.poll(() => connectionsTo(options())).toBe(1);
  });

  it('is closed when a request leaves a transaction behind, so that the next writer need not wait', async () => {
    const other = await migrate();
    const { db, abandonUnfinished } = await open();
    let begun = () => {};
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const hanging = db.write(async (session) => {
      await session.select('SELECT 1 AS one');
      begun();
      await held;
      await session.select('SELECT 2 AS two');
    });
    await started;
    abandonUnfinished();
    await other.write((session) => session.select('SELECT 1 AS one'));
    release();
    await expect(hanging).rejects.toThrow();
  });

  it('is left open when everything is done, and replaced when the server has closed it meanwhile', async () => {
    const other = await migrate();
    const { db, abandonUnfinished } = await open();
    const service = serviceOn(db, { upkeep: false });
    await service.store(batchOf([statement()]));
    const before = await connectionId(db);
    abandonUnfinished();
    expect(await connectionId(db)).toBe(before);
    await endConnection(other, before);
    const [id = ''] = await service.store(batchOf([statement()]));
    expect((await read(service, id)).id).toBe(id);
    expect(await connectionId(db)).not.toBe(before);
  });

  it('is refused with an answer to try again while the server has none free, and is there as soon as one is', async () => {
    const limited = await limitedTo(1, options());
    await migrate();
    await limited.begin();
    const first = await openFunctionDatabase(limited.options, logger);
    await expect(openFunctionDatabase(limited.options, logger)).rejects.toThrow(UnavailableError);
    await first.db.close();
    const second = await vi.waitFor(() => openFunctionDatabase(limited.options, logger), conditionLimit);
    await second.db.close();
    await limited.end();
  });

  if (engine.family === 'postgres')
    it('needs at most six round trips until the first statement is stored and found, the opening included', async () => {
      await migrate();
      const measured = [await roundTripsToFirst(), await roundTripsToFirst(), await roundTripsToFirst()];
      // What is sent without waiting counts as another round trip where an answer overtakes it by chance.
      expect(Math.min(...measured)).toBeLessThanOrEqual(6);
    });

  async function roundTripsToFirst(): Promise<number> {
    const direct = options();
    if (direct.dbType === 'sqlite') throw new Error('There is no server.');
    const proxy = await openCountingProxy({ host: direct.dbHost, port: direct.dbPort ?? 5432 });
    const { db } = await openFunctionDatabase({ ...direct, dbHost: '127.0.0.1', dbPort: proxy.port }, logger);
    const service = serviceOn(db, { upkeep: false });
    const [id = ''] = await service.store(batchOf([statement()]));
    expect((await read(service, id)).id).toBe(id);
    await db.close();
    await proxy.close();
    return proxy.roundTrips();
  }

  async function connectionId(db: Database): Promise<number> {
    const sql =
      engine.family === 'postgres' ? 'SELECT pg_backend_pid() AS id' : 'SELECT CONNECTION_ID() AS id';
    const [row] = await db.read((session) => session.select<{ id: number }>(sql));
    return Number(row?.id);
  }

  async function endConnection(db: Database, id: number): Promise<void> {
    const sql = engine.family === 'postgres' ? `SELECT pg_terminate_backend(${id}, 10000)` : `KILL ${id}`;
    if (engine.family === 'postgres') await db.read((session) => session.select(sql));
    else await db.write((session) => session.execute(sql));
  }
});

/** A user of a server who may open so many connections. */
async function limitedTo(connections: number, options: TestPlace['options']) {
  if (options.dbType === 'sqlite') throw new Error('There is no server.');
  const name = `limited_${randomUUID().slice(0, 8)}`;
  const { dbName } = options;
  const begin =
    factsOf(options.dbType).family === 'postgres'
      ? [
          `CREATE ROLE ${name} LOGIN CONNECTION LIMIT ${connections}`,
          `GRANT pg_read_all_data, pg_write_all_data TO ${name}`,
        ]
      : [
          `CREATE USER ${name}@'%' WITH MAX_USER_CONNECTIONS ${connections}`,
          `GRANT ALL ON ${dbName}.* TO ${name}@'%'`,
        ];
  const drop = factsOf(options.dbType).family === 'postgres' ? `DROP ROLE ${name}` : `DROP USER ${name}@'%'`;
  return {
    options: { ...options, dbUser: name, dbPassword: undefined },
    begin: async () => {
      for (const sql of begin) await administer(options, sql);
    },
    end: () => administer(options, drop),
  };
}

async function connectionsTo(options: TestPlace['options']): Promise<number> {
  if (options.dbType === 'sqlite') throw new Error('There is no server.');
  const sql =
    factsOf(options.dbType).family === 'postgres'
      ? `SELECT COUNT(*)::int AS count FROM pg_stat_activity WHERE datname = '${options.dbName}' AND backend_type = 'client backend'`
      : `SELECT COUNT(*) AS count FROM information_schema.processlist WHERE db = '${options.dbName}'`;
  const [row] = (await administer(options, sql)) as { count: number }[];
  return row?.count ?? 0;
}
