import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { UnavailableError } from '../../lib/errors.ts';
import { createStatusService } from '../../lib/status/service.ts';
import { administer, type Engine, serverEngines, type TestDatabase } from '../support/engines.ts';
import { changeSchema } from '../support/schema-change.ts';
import { batchOf, foundIds, serviceOn, statement } from '../support/statements.ts';

const interruptions = ['statement', 'connection'] as const;
type Interruption = (typeof interruptions)[number];

/** The ids of the connections to a database, and whether what they run sleeps. */
async function connectionsTo({ family }: Engine, options: ServerOptions) {
  const sql =
    family === 'postgres'
      ? `SELECT pid AS id, CASE WHEN wait_event = 'PgSleep' THEN 1 ELSE 0 END AS sleeps FROM pg_stat_activity
         WHERE datname = '${options.dbName}' AND backend_type = 'client backend'`
      : `SELECT id, CASE WHEN state = 'User sleep' THEN 1 ELSE 0 END AS sleeps FROM information_schema.processlist
         WHERE db = '${options.dbName}'`;
  return (await administer(options, sql)) as { id: number; sleeps: number }[];
}

/** Ends a connection, or what it runs, as an administrator would. It may be gone already. */
async function interrupt({ family }: Engine, options: ServerOptions, what: Interruption, id: number) {
  const [statementSql, connectionSql] =
    family === 'postgres'
      ? [`SELECT pg_cancel_backend(${id})`, `SELECT pg_terminate_backend(${id})`]
      : [`KILL QUERY ${id}`, `KILL ${id}`];
  await administer(options, what === 'statement' ? statementSql : connectionSql).catch(() => undefined);
}

describe.each(serverEngines)('a batch on $name that an administrator interrupts', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  function server(): ServerOptions {
    const { options } = database;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    return options;
  }

  const places = interruptions.flatMap((what) => [
    { what, where: 'look' },
    { what, where: 'row' },
  ]);

  it.each(places)('leaves nothing behind when its $what ends in a $where', async ({ what, where }) => {
    const wait = engine.family === 'postgres' ? 'CAST(pg_sleep(600) AS TEXT)' : 'SLEEP(600)';
    const table = { name: 'agent', columns: { agent_key: 'hex', identifier: 'text' } } as const;
    const triggers =
      engine.family === 'postgres'
        ? [
            `CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS
               $$ BEGIN IF NEW.identifier = 'waits' THEN PERFORM ${wait}; END IF; RETURN NEW; END $$`,
            'CREATE TRIGGER agent_waits BEFORE INSERT ON agent FOR EACH ROW EXECUTE FUNCTION waits()',
          ]
        : [
            `CREATE TRIGGER agent_waits BEFORE INSERT ON agent FOR EACH ROW
               BEGIN IF NEW.identifier = 'waits' THEN DO ${wait}; END IF; END`,
          ];
    await database.db.write(async (session) => {
      for (const trigger of triggers) await changeSchema(session, trigger);
    });
    const sent = database.db.batches?.send(async (session) => {
      await session.insert(table, [['ab'.repeat(16), 'before']]);
      if (where === 'row') await session.insert(table, [['cd'.repeat(16), 'waits']]);
      await session.insert(table, [['ef'.repeat(16), 'behind']]);
      return {
        sql: `SELECT ${where === 'look' ? wait : '1'} AS one`,
        fits: 'one IS NOT NULL',
        first: '1',
        replacements: () => ({}),
      };
    });
    const outcome = expect(sent).rejects.toThrow(UnavailableError);
    let waiting: number | undefined;
    await expect
      .poll(async () => {
        const connections = await connectionsTo(engine, server());
        waiting = connections.find(({ sleeps }) => Number(sleeps) === 1)?.id;
        return waiting;
      })
      .toBeDefined();
    await interrupt(engine, server(), what, waiting ?? 0);
    await outcome;
    expect(await database.db.read((session) => session.select('SELECT identifier FROM agent'))).toEqual([]);
    await database.db.write(async (session) => {
      await changeSchema(
        session,
        `DROP TRIGGER agent_waits${engine.family === 'postgres' ? ' ON agent' : ''}`,
      );
      if (engine.family === 'postgres') await session.execute('DROP FUNCTION waits');
    });
    const ids = await serviceOn(database.db).store(batchOf([statement()]));
    expect(await foundIds(serviceOn(database.db))).toEqual(ids);
  });

  it('again and again, at any moment, is stored whole or not at all, and once when it is acknowledged', async () => {
    const interrupted = 60;
    const services = [serviceOn(database.db), serviceOn(await database.openAgain())];
    const acknowledged: string[] = [];
    const sizes = new Map<string, number>();
    let done = false;
    const client = async (number: number): Promise<void> => {
      for (let round = 0; !done; round += 1) {
        const registration = randomUUID();
        const actor = { mbox: `mailto:round-${round}@example.org` };
        const size = 1 + ((number + round) % 5);
        sizes.set(registration, size);
        const statements = Array.from({ length: size }, (_, index) =>
          statement({ ...(index % 2 === 0 && { id: randomUUID() }), actor, context: { registration } }),
        );
        try {
          const ids = await services[number % 2]?.store(batchOf(statements));
          acknowledged.push(...(ids ?? []));
        } catch (error) {
          if (!(error instanceof UnavailableError)) throw error;
        }
      }
    };
    const clients = Array.from({ length: 8 }, (_, number) => client(number));
    for (let turn = 0; turn < interrupted; turn += 1) {
      const connections = await connectionsTo(engine, server());
      const { id } = connections[Math.floor(Math.random() * connections.length)] ?? {};
      const what = interruptions[turn % 2] ?? 'statement';
      if (id !== undefined) await interrupt(engine, server(), what, id);
      // A random pause, so that the next one is interrupted somewhere else.
      await sleep(Math.random() * 20);
    }
    done = true;
    await Promise.all(clients);
    expect(acknowledged.length).toBeGreaterThan(0);
    // A server may still commit for a connection that was lost: what reads behind the write lock reads behind that commit.
    await database.db.write(async () => {});

    const rows = await database.db.read((session) =>
      session.select<{ id: string; registration: string }>('SELECT id, registration FROM statement'),
    );
    const stored = new Set(rows.map(({ id }) => id));
    expect(stored.size).toBe(rows.length);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    const amounts = new Map<string, number>();
    for (const { registration } of rows) amounts.set(registration, (amounts.get(registration) ?? 0) + 1);
    for (const [registration, amount] of amounts) expect(amount).toBe(sizes.get(registration));
    const [counted] = await database.db.read((session) =>
      session.select<{ unindexed: number; orphans: number }>(
        `SELECT (SELECT COUNT(*) FROM statement WHERE position NOT IN (SELECT position FROM statement_key)) AS unindexed,
           (SELECT COUNT(*) FROM statement_key WHERE position NOT IN (SELECT position FROM statement)) AS orphans`,
      ),
    );
    expect(counted).toEqual({ unindexed: 0, orphans: 0 });
    const status = createStatusService(database.db);
    const uncounted = async (): Promise<number> => {
      const { 'statement-count': count = 0 } = await status.status({
        members: ['statement-count'],
        unit: 'day',
      });
      const [now] = await database.db.read((session) =>
        session.select<{ amount: number }>('SELECT COUNT(*) AS amount FROM statement'),
      );
      return Number(now?.amount) - count;
    };
    // What a server still commits for a connection that was lost may come between the two.
    await expect.poll(uncounted).toBe(0);
  });
});
