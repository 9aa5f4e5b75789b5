import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import { createReadiness } from '../../lib/db/readiness.ts';
import type { WriteSession } from '../../lib/db/types.ts';
import { UnavailableError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import {
  administer,
  type Engine,
  engines,
  serverEngines,
  type TestDatabase,
  timeouts,
} from '../support/engines.ts';
import { holdWrite } from '../support/held-write.ts';
import { changeSchema } from '../support/schema-change.ts';
import { agent, batchOf, foundIds, serviceOn, statement } from '../support/statements.ts';

const insert = "INSERT INTO task_progress (task, position) VALUES ('fault', 1)";

describe.each(serverEngines)('$name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  function server() {
    const { options } = database;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    return options;
  }

  async function connectionOf(session: Pick<WriteSession, 'select'>): Promise<number> {
    const own = engine.family === 'postgres' ? 'pg_backend_pid()' : 'CONNECTION_ID()';
    const [row] = await session.select<{ id: number }>(`SELECT ${own} AS id`);
    return Number(row?.id);
  }

  /** What the server runs on the connection at this moment, undefined when it has ended. */
  async function runningOn(id: number): Promise<string | undefined> {
    const sql =
      engine.family === 'postgres'
        ? `SELECT query FROM pg_stat_activity WHERE pid = ${id}`
        : `SELECT COALESCE(info, '') AS query FROM information_schema.processlist WHERE id = ${id}`;
    const [row] = (await administer(server(), sql)) as { query: string }[];
    return row?.query;
  }

  /** Ends a connection, as an administrator would; resolves when the server has closed it. */
  async function kill(id: number): Promise<void> {
    await administer(
      server(),
      engine.family === 'postgres' ? `SELECT pg_terminate_backend(${id})` : `KILL ${id}`,
    );
    await expect.poll(() => runningOn(id)).toBeUndefined();
  }

  const cut = async (session: Pick<WriteSession, 'select'>) => kill(await connectionOf(session));

  it('that loses the connection in the middle of a transaction has it run again, once', async () => {
    let attempts = 0;
    await database.db.write(async (session) => {
      attempts += 1;
      await session.execute(insert);
      if (attempts === 1) await cut(session);
      await session.select('SELECT 1 AS one');
    });
    expect(attempts).toBe(2);
    const rows = await database.db.read((session) => session.select('SELECT task FROM task_progress'));
    expect(rows).toEqual([{ task: 'fault' }]);
  });

  it('that loses the connection just before the commit leaves nothing half done and says that it is not known', async () => {
    const writing = database.db.write(async (session) => {
      await session.execute(insert);
      await cut(session);
    });
    const outcome = await writing.catch((error: unknown) => error);
    const rows = await database.db.read((session) => session.select('SELECT task FROM task_progress'));
    expect(outcome).toBeInstanceOf(UnavailableError);
    expect(rows).toEqual([]);
  });

  it('that loses the connection under writes that are left to the commit leaves nothing half done', async () => {
    let attempts = 0;
    let killed = Promise.resolve();
    const killWhileItWaits = async (id: number) => {
      await expect.poll(() => runningOn(id)).toMatch(/SLEEP/i);
      await kill(id);
    };
    const writing = database.db.write(async (session) => {
      attempts += 1;
      const id = await connectionOf(session);
      session.send(session.execute(insert));
      if (attempts > 1) return;
      const wait = engine.family === 'postgres' ? 'SELECT pg_sleep(600)' : 'DO SLEEP(600)';
      session.send(session.execute(wait));
      killed = killWhileItWaits(id);
    });
    const outcome = await writing.then(
      () => 'written',
      (error: unknown) => error,
    );
    await killed;
    const rows = await database.db.read((session) => session.select('SELECT task FROM task_progress'));
    // Where the commit is behind the writes already, nobody knows what became of it; else the transaction is run again.
    if (attempts === 1) expect(outcome).toBeInstanceOf(UnavailableError);
    else expect(outcome).toBe('written');
    expect(rows).toHaveLength(attempts - 1);
  });

  it('that loses the connection in a transaction behind a commit has only that one run again', async () => {
    let attempts = 0;
    let second: Promise<void> | undefined;
    const writeBehind = () => {
      second = database.db.write(async (session) => {
        attempts += 1;
        await session.execute(insert.replace('fault', `second ${attempts}`));
        if (attempts === 1) await cut(session);
        await session.select('SELECT 1 AS one');
      });
    };
    await database.db.write((session) => {
      session.onCommitting(writeBehind);
      return session.execute(insert);
    });
    await second;
    expect(attempts).toBe(2);
    const rows = await database.db.read((session) =>
      session.select('SELECT task FROM task_progress ORDER BY task'),
    );
    expect(rows).toEqual([{ task: 'fault' }, { task: 'second 2' }]);
  });

  it('whose database is taken away says that it is out of reach', async () => {
    if (engine.family !== 'postgres') return;
    const other = await engine.create();
    const { options } = other;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    const lost = await openDatabase(options, createLogger('OFF'));
    await administer(options, `ALTER DATABASE "${options.dbName}" ALLOW_CONNECTIONS false`);
    await expect(lost.read((session) => session.select('SELECT 1 AS one'))).rejects.toThrow(UnavailableError);
    await administer(options, `ALTER DATABASE "${options.dbName}" ALLOW_CONNECTIONS true`);
    expect(await lost.read((session) => session.select('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    await lost.close();
    await other.remove();
  });

  it('that refuses one of several statements sent together says why, whichever is asked', async () => {
    const failing = database.db.write(async (session) => {
      const taken = session.execute("INSERT INTO schema_migration (name) VALUES ('0001-first-release')");
      const later = session.select('SELECT 1 AS one');
      await taken.catch(() => undefined);
      await later;
      throw await taken.catch((error: unknown) => error);
    });
    const error = await failing.catch((caught: unknown) => caught);
    expect(database.db.dialect.isUniqueViolation(error)).toBe(true);
  });

  it('that loses an idle or a reading connection reads on', async () => {
    let attempts = 0;
    const rows = await database.db.read(async (session) => {
      attempts += 1;
      if (attempts === 1) await cut(session);
      return session.select('SELECT 1 AS one');
    });
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('without a free connection refuses after a moment as unavailable, and goes on', async () => {
    const pool = {
      maximumSize: 2,
      minimumIdle: 0,
      idleTimeout: 60_000,
      connectionTimeout: 5000,
      ...timeouts,
    };
    const db = await openDatabase({ ...server(), pool }, createLogger('OFF'));
    const events = new EventEmitter();
    const slow = db.read(async (session) => {
      await session.select('SELECT 1 AS one');
      const released = once(events, 'release');
      events.emit('holds the connection');
      await released;
    });
    await once(events, 'holds the connection');
    await expect(db.read((session) => session.select('SELECT 1 AS one'))).rejects.toThrow(UnavailableError);
    events.emit('release');
    await slow;
    expect(await db.read((session) => session.select('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    await db.close();
  });

  it('where another program holds a lock makes the write wait, says so when asked, and goes on', async () => {
    const service = serviceOn(database.db);
    const lock =
      engine.family === 'postgres'
        ? `LOCK TABLE statement IN EXCLUSIVE MODE`
        : `SELECT name FROM schema_migration WHERE name = '0001-first-release' FOR UPDATE`;
    const other = await openDatabase(server(), createLogger('OFF'));
    const held = await holdWrite(other, (session) => session.select(lock));
    const storing = service.store(batchOf([statement()]));
    await sleep(100);
    held.release();
    await held.done;
    const [id] = await storing;
    expect(await foundIds(service)).toEqual([id]);
    await other.close();
  });
});

describe.each(engines)('concurrent writers of the same names and Activities on $name', (engine) => {
  it('never meet a deadlock, and lose no name', async () => {
    const database = await engine.create();
    const services = [serviceOn(database.db)];
    if (engine.shared) services.push(serviceOn(await database.openAgain()));
    const names = Array.from({ length: 12 }, (_, index) => `Name ${index}`);
    await Promise.all(
      services.flatMap((service, turn) =>
        Array.from({ length: 10 }, (_, round) => {
          const order = (turn + round) % 2 === 0 ? names : names.toReversed();
          return service.store(
            batchOf(order.map((name) => statement({ actor: { ...agent('same'), name } }))),
          );
        }),
      ),
    );
    const rows = await database.db.read((session) =>
      session.select<{ name: string }>('SELECT name FROM agent_name ORDER BY name'),
    );
    expect(rows.map(({ name }) => name)).toEqual(names.toSorted());
    await database.remove();
  });
});

/** Triggers that make each insert into these tables fail as it does when the server has no space or is read-only. */
const failing = ['statement', 'attachment'] as const;

describe.each(serverEngines.flatMap((engine) => failures(engine)))('$name', ({ engine, raise }) => {
  it('refuses as unavailable, is not ready, and goes on when the server can store again', async () => {
    const { db, openAgain, remove } = await engine.create();
    const service = serviceOn(db);
    const readiness = createReadiness(db);
    await readiness.check();
    await db.write(async (session) => {
      for (const sql of failing.flatMap(raise)) await changeSchema(session, sql);
    });
    await readiness.check();
    const started = createReadiness(await openAgain());
    await expect(started.check()).rejects.toThrow('The database can store nothing at the moment.');
    await expect(service.store(batchOf([statement()]))).rejects.toThrow(UnavailableError);
    await expect(readiness.check()).rejects.toThrow('The database can store nothing at the moment.');
    await db.write(async (session) => {
      for (const table of failing) {
        const on = engine.family === 'postgres' ? ` ON ${table}` : '';
        await changeSchema(session, `DROP TRIGGER ${table}_fails${on}`);
      }
      if (engine.family === 'postgres') await session.execute('DROP FUNCTION fail');
    });
    await readiness.check();
    await started.check();
    const ids = await service.store(batchOf([statement()]));
    expect(await foundIds(service)).toEqual(ids);
    await remove();
  });
});

/** One case for each error that the server may give. */
function failures(engine: Engine) {
  const mariadb = ([reason, number]: readonly [string, number]) => ({
    name: `${engine.name} with ${reason}`,
    engine,
    raise: (table: string) => [
      `CREATE TRIGGER ${table}_fails BEFORE INSERT ON ${table} FOR EACH ROW
         SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${number}`,
    ],
  });
  const postgres = ([reason, code]: readonly [string, string]) => ({
    name: `${engine.name} with ${reason}`,
    engine,
    raise: (table: string) => [
      `CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
         AS $$ BEGIN RAISE EXCEPTION 'fails' USING ERRCODE = '${code}'; END $$`,
      `CREATE TRIGGER ${table}_fails BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`,
    ],
  });
  if (engine.family === 'mariadb') {
    return [mariadb(['a full disk', 1021]), mariadb(['the option --read-only', 1290])];
  }
  return [postgres(['a full disk', '53100']), postgres(['a read-only transaction', '25006'])];
}

describe.each(engines.filter(({ family }) => family === 'sqlite'))('$name on a full disk', (engine) => {
  it('refuses as unavailable, keeps what was acknowledged, and goes on when there is room again', async () => {
    const { db, remove } = await engine.create();
    const service = serviceOn(db);
    const small = await service.store(batchOf([statement()]));
    const limit = (pages: string) =>
      db.write((session) => session.select(`PRAGMA max_page_count = ${pages}`));
    const [pages] = await db.read((session) => session.select<{ page_count: number }>('PRAGMA page_count'));
    await limit(String(pages?.page_count));
    const large = statement({ result: { response: 'x'.repeat(1_000_000) } });
    const failing = service.store(batchOf([large]));
    await expect(failing).rejects.toThrow(UnavailableError);
    expect(await foundIds(service)).toEqual(small);
    const readiness = createReadiness(db);
    await expect(readiness.check()).rejects.toThrow(UnavailableError);
    await limit('4294967294');
    await readiness.check();
    const again = await service.store(batchOf([large]));
    expect(await foundIds(service)).toEqual([...again, ...small]);
    await remove();
  });

  it('is not ready, also where nothing has been refused since it was opened', async () => {
    const { db, remove } = await engine.create();
    const [pages] = await db.read((session) => session.select<{ page_count: number }>('PRAGMA page_count'));
    const limit = (count: string) =>
      db.write((session) => session.select(`PRAGMA max_page_count = ${count}`));
    await limit(String(pages?.page_count));
    const readiness = createReadiness(db);
    await expect(readiness.check()).rejects.toThrow(UnavailableError);
    await limit('4294967294');
    await readiness.check();
    await remove();
  });
});
