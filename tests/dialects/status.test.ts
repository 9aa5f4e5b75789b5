import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertChange } from '../../lib/counts/tally-store.ts';
import type { Database, Replacements } from '../../lib/db/types.ts';
import { createStatusService } from '../../lib/status/service.ts';
import { type Status, type StatusQuery, statusMembers } from '../../lib/status/types.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, serviceOn, statement, voiding } from '../support/statements.ts';

const microseconds = (text: string): number => Date.parse(text) * 1000;
const noon = microseconds('2026-03-02T12:00:00Z');
const second = 1_000_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe.each(engines)('the status of a store on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });
  afterEach(() => database.remove());

  async function storeAt(position: number, ...statements: Statement[]): Promise<string[]> {
    return serviceOn(database.db, { now: () => position }).store(batchOf(statements));
  }

  function status(query: Partial<StatusQuery> = {}): Promise<Status> {
    const service = createStatusService(database.db, { now: () => noon / 1000 });
    return service.status({ members: statusMembers, unit: 'day', ...query });
  }

  const timeline = async (query: Partial<StatusQuery>): Promise<unknown> =>
    (await status({ members: ['timeline'], ...query })).timeline;

  it('is empty while the store is', async () => {
    expect(await status()).toEqual({
      'statement-count': 0,
      'voided-count': 0,
      'actor-count': 0,
      'platform-frequency': {},
      'last-statement-stored': null,
      timeline: [],
      'activity-count': 0,
      'verb-frequency': [],
      'activity-frequency': [],
      consumers: [],
      'database-server': database.options.dbType === 'sqlite' ? null : expect.stringMatching(/^[^:]+:\d+$/),
      replicas: [],
    });
  });

  it('counts all stored statements, voided and voiding included, once each', async () => {
    const id = randomUUID();
    const [stored = ''] = await storeAt(noon - hour, statement({ id }), statement());
    await storeAt(noon - hour, statement({ id }));
    await storeAt(noon - minute, voiding(stored));
    expect(await status()).toMatchObject({
      'statement-count': 3,
      'last-statement-stored': '2026-03-02T11:59:00.000000000Z',
    });
  });

  it('counts different identifiers of Actors, members of Groups included, and nobody else', async () => {
    const member = [agent('one'), agent('two')];
    await storeAt(noon, statement({ actor: agent('one') }), statement({ actor: agent('one') }));
    await storeAt(noon, statement({ actor: { objectType: 'Group', member } }));
    await storeAt(noon, statement({ actor: agent('three'), object: agent('four') }));
    expect(await status({ members: ['actor-count'] })).toEqual({ 'actor-count': 3 });
  });

  it('counts statements by platform, those without one as none', async () => {
    const on = (platform: string): Statement => statement({ context: { platform } });
    await storeAt(noon, statement(), statement(), on('Moodle'), on('__proto__'));
    await storeAt(noon, on('Moodle'), on('Moodle'));
    const counts = Object.entries((await status())['platform-frequency'] ?? {});
    expect(counts).toEqual([
      ['Moodle', 3],
      ['none', 2],
      ['__proto__', 1],
    ]);
  });

  it('tells the most frequent platforms only, and none with a long name', async () => {
    const on = (platform: string): Statement => statement({ context: { platform } });
    const many = Array.from({ length: 1100 }, (_, index) => on(`platform ${index}`));
    await storeAt(noon, ...many, on('Moodle'), on('Moodle'), on('x'.repeat(2000)));
    const counts = Object.entries((await status())['platform-frequency'] ?? {});
    expect(counts).toHaveLength(1000);
    expect(counts[0]).toEqual(['Moodle', 2]);
    expect(counts.filter(([name]) => name.length > 1000)).toEqual([]);
  });

  it('adds up changes with long ids a few at a time', async () => {
    let writes = 0;
    const { db } = database;
    const counting: Database = {
      dialect: db.dialect,
      batches: undefined,
      tryLockRead: (sql) => db.tryLockRead(sql),
      read: (work, options) => db.read(work, options),
      write: (work, options) => {
        writes += 1;
        return db.write(work, options);
      },
      close: () => db.close(),
    };
    for (let count = 0; count < 3; count += 1) {
      const verb = `https://example.org/${count}/${'v'.repeat(1_500_000)}`;
      const changes = JSON.stringify([[['none', 1]], [], [[verb, 1]], []]);
      await db.write((session) => insertChange(session, changes, noon + count));
    }
    const query = { members: ['statement-count'], unit: 'day' } as const;
    expect(await createStatusService(counting).status(query)).toEqual({ 'statement-count': 3 });
    expect(writes).toBe(3);
  });

  it('adds up changes with long ids before there are many', async () => {
    const service = serviceOn(database.db);
    for (let count = 0; count < 4; count += 1) {
      const verb = { id: `https://example.org/${count}/${'v'.repeat(1_500_000)}` };
      await service.store(batchOf([statement({ verb })]));
    }
    const left = await database.db.read((session) => session.select('SELECT id FROM tally_change'));
    expect(left.length).toBeLessThan(2);
  });

  it.each([
    ['year', '2025-01-01', '2026-01-01', '2026-01-01', '2026-01-01'],
    ['month', '2025-12-01', '2026-02-01', '2026-03-01', '2026-03-01'],
    ['day', '2025-12-31', '2026-02-28', '2026-03-02', '2026-03-02'],
    ['hour', '2025-12-31T23', '2026-02-28T10', '2026-03-02T11', '2026-03-02T12'],
    ['minute', '2025-12-31T23:59', '2026-02-28T10:20', '2026-03-02T11:59', '2026-03-02T12:00'],
    ['second', '2025-12-31T23:59:59', '2026-02-28T10:20:30', '2026-03-02T11:59:59', '2026-03-02T12:00:00'],
  ] as const)('tells by %s when statements were stored', async (unit, ...starts) => {
    await storeAt(microseconds('2025-12-31T23:59:59.999Z'), statement());
    await storeAt(microseconds('2026-02-28T10:20:30Z'), statement(), statement());
    await storeAt(noon - 1, statement());
    await storeAt(noon, statement());
    const counts: Record<string, number> = {};
    for (const [index, start] of starts.entries()) {
      const stored = start + '0000-01-01T00:00:00.000000000Z'.slice(start.length);
      counts[stored] = (counts[stored] ?? 0) + (index === 1 ? 2 : 1);
    }
    const expected = Object.entries(counts).map(([stored, count]) => ({ stored, count }));
    expect(await timeline({ unit, since: 0 })).toEqual(expected);
  });

  it('counts exactly what lies after since and at or before until', async () => {
    const times = [
      -40 * day,
      -day - hour,
      -hour,
      -minute - 1,
      -minute,
      -minute + 1,
      -second,
      -2,
      -1,
      0,
      1,
      second,
      minute + 2,
    ].map((distance) => noon - 2 * day + distance);
    for (const time of times) await storeAt(time, statement());
    for (const since of times) {
      for (const until of times.filter((time) => time >= since)) {
        for (const unit of ['second', 'hour', 'month'] as const) {
          const entries = (await timeline({ unit, since, until })) as { count: number }[];
          const sum = entries.reduce((total, { count }) => total + count, 0);
          expect({ since, until, unit, sum }).toEqual({
            since,
            until,
            unit,
            sum: times.filter((time) => time > since && time <= until).length,
          });
        }
      }
    }
  });

  it('looks back 14 days unless it is asked otherwise', async () => {
    await storeAt(noon - 14 * day, statement());
    await storeAt(noon - 14 * day + 1, statement());
    expect(await timeline({})).toEqual([{ stored: '2026-02-16T00:00:00.000000000Z', count: 1 }]);
  });

  it('stays right over thousands of transactions', async () => {
    const service = serviceOn(database.db, { now: () => noon });
    for (let round = 0; round < 25; round += 1) {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          service.store(batchOf([statement({ actor: agent(`a${index}`) })])),
        ),
      );
      await service.store(batchOf(Array.from({ length: 200 }, () => statement())));
    }
    expect(await status()).toMatchObject({ 'statement-count': 5500, 'actor-count': 21 });
  });

  it('reads no statement, however many there are', async () => {
    for (const age of [0, 1, 30]) await storeAt(noon - age * hour, statement());
    await status();
    const asked: [string, Replacements][] = [];
    const noting: Database = {
      ...everythingOf(database.db),
      read: (work) =>
        database.db.read((session) =>
          work({
            ...session,
            select: (sql, replacements = {}) => {
              asked.push([sql, replacements]);
              return session.select(sql, replacements);
            },
          }),
        ),
    };
    await createStatusService(noting, { now: () => noon / 1000 }).status({
      members: statusMembers,
      unit: 'hour',
    });
    const ofStatements = asked.filter(([sql]) => /FROM statement\b/.test(sql));
    expect(asked.length).toBeGreaterThan(5);
    for (const [sql, { from = 0, before = 0 }] of ofStatements) {
      // The newest one alone, which the end of the primary key tells, or those of less than a second.
      if (!sql.includes('MAX(position)')) expect(Number(before) - Number(from)).toBeLessThan(second);
    }
  });

  it('refuses a timeline with more than 100,000 entries, and says how to get a shorter one', async () => {
    const rows = Array.from({ length: 100_002 }, (_, index) => [index * 60, 1] as const);
    await database.db.write((session) =>
      session.insert({ name: 'statement_time', columns: { slot: 'integer', statements: 'integer' } }, rows),
    );
    await expect(timeline({ unit: 'second', since: 0 })).rejects.toThrow('timeline-unit');
  });
});

function everythingOf(db: Database): Database {
  return {
    dialect: db.dialect,
    batches: undefined,
    tryLockRead: (sql) => db.tryLockRead(sql),
    read: (work) => db.read(work),
    write: (work) => db.write(work),
    close: () => db.close(),
  };
}
