import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/db/connect.ts';
import type { DatabaseOptions } from '../../lib/db/dialects/engine.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import type { Replacements, WriteSession } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { PositionClock } from '../../lib/position.ts';
import { MentionRecorder } from '../../lib/statements/commit/mentions.ts';
import { type WriteContext, writeRequests } from '../../lib/statements/commit/writer.ts';
import { SearchIndex } from '../../lib/statements/search/search-index.ts';
import type { Position, StatementService } from '../../lib/statements/types.ts';
import { unlimitedWrites } from '../../lib/statements/write-limits.ts';
import { engines, serverEngines, sharedEngines, type TestDatabase } from '../support/engines.ts';
import { holdWrite } from '../support/held-write.ts';
import { batchOf, everything, exact, read, serviceOn, statement } from '../support/statements.ts';

/** Reads what is new up to the position that is complete, again and again, until that has reached the one to stop at. */
async function readIncrementally(
  service: StatementService,
  stopAt: () => Position | undefined,
): Promise<string[]> {
  const seen: string[] = [];
  let since: Position = 0;
  while (since < (stopAt() ?? Number.POSITIVE_INFINITY)) {
    const until = await service.consistentThrough();
    const query = { ...everything, ascending: true, since, until, limit: 10_000 };
    const page = await service.query(query, exact);
    seen.push(...page.statements.map(({ text }) => JSON.parse(text).id));
    since = until;
  }
  return seen;
}

describe.each(engines)('the position up to which $name is complete', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  it('lets an incremental reader see everything once, while several write', async () => {
    const writers = [serviceOn(database.db)];
    if (engine.shared) writers.push(serviceOn(await database.openAgain()));
    const reading = engine.shared ? serviceOn(await database.openAgain()) : writers[0];
    if (reading === undefined) throw new Error('There is no service.');
    let newest: Position | undefined;
    const readers = [reading, ...writers].map((service) => readIncrementally(service, () => newest));
    const stored = await Promise.all(
      Array.from({ length: 12 }, async (_, client) => {
        const ids: string[] = [];
        for (let round = 0; round < 15; round += 1) {
          const size = 1 + ((client + round) % 7);
          const batch = batchOf(Array.from({ length: size }, () => statement()));
          ids.push(...((await writers[client % writers.length]?.store(batch)) ?? []));
        }
        return ids;
      }),
    );
    newest = (await reading.query(everything, exact)).statements[0]?.position;
    const sent = stored.flat().toSorted();
    for (const seen of await Promise.all(readers)) expect(seen.toSorted()).toEqual(sent);
  });

  it('has reached what this process has answered for', async () => {
    const service = serviceOn(database.db);
    await service.consistentThrough();
    await service.store(batchOf([statement()]));
    const page = await service.query(everything, exact);
    expect(await service.consistentThrough()).toBeGreaterThanOrEqual(page.statements[0]?.position ?? 0);
  });

  it('is not later than a time at which the lock was certainly held, however late the response is read', async () => {
    let now = 1_800_000_000_000_000;
    const { consistentThrough } = await database.db.write((session) => {
      const context: WriteContext = {
        clock: new PositionClock(() => now),
        index: new SearchIndex(),
        mentions: new MentionRecorder(),
        limits: unlimitedWrites,
        inheritedEntries: 1000,
      };
      const late: WriteSession = {
        ...session,
        async select<Row extends object>(sql: string, replacements?: Replacements) {
          const rows = await session.select<Row>(sql, replacements);
          now += 1_000_000;
          return rows;
        },
      };
      return writeRequests(late, [], context);
    });
    expect(consistentThrough).toBe(1_799_999_999_999_999);
  });

  it('moves on with time when nothing is stored', async () => {
    const service = serviceOn(database.db);
    const before = await service.consistentThrough();
    await expect.poll(() => service.consistentThrough()).toBeGreaterThan(before);
  });

  it('is never passed by a later statement, even if the clock steps back', async () => {
    let now = Date.now() * 1000;
    const service = serviceOn(database.db, { now: () => now });
    const watermark = await service.consistentThrough();
    now -= 60_000_000;
    await service.store(batchOf([statement()]));
    const page = await service.query(everything, exact);
    expect(page.statements[0]?.position).toBeGreaterThan(watermark);
  });
});

describe.each(sharedEngines)('while another process writes for long, that position on $name', (engine) => {
  it('is an earlier one, and readers do not wait until the other is done', async () => {
    const database = await engine.create();
    const [other, service] = [await database.openAgain(), serviceOn(database.db)];
    try {
      const before = await service.consistentThrough();
      await new Promise((resolve) => setTimeout(resolve, 100));
      const held = await holdWrite(other);
      for (let reader = 0; reader < 3; reader += 1) expect(await service.consistentThrough()).toBe(before);
      held.release();
      await held.done;
      await service.store(batchOf([statement()]));
      const page = await service.query(everything, exact);
      expect(page.statements[0]?.position).toBeGreaterThan(before);
      expect(await service.consistentThrough()).toBeGreaterThanOrEqual(page.statements[0]?.position ?? 0);
    } finally {
      await database.remove();
    }
  });
});

/** The same server twice stands for two servers that replicate each other, and the `now` of each service for their clocks. */
function onSeveralHosts(options: DatabaseOptions): ServerOptions {
  if (options.dbType === 'sqlite') throw new Error('There is no server.');
  const { dbHost, dbPort } = options;
  return { ...options, dbHost: `${dbHost}:${dbPort},${dbHost}:${dbPort}` };
}

describe.each(serverEngines)(
  'on several hosts with $name, the position up to which the store is complete',
  (engine) => {
    let database: TestDatabase;
    const opened: MonitoredDatabase[] = [];

    beforeEach(async () => {
      database = await engine.create();
    });

    afterEach(async () => {
      await Promise.all(opened.splice(0).map((db) => db.close()));
      await database.remove();
    });

    async function processWith(now: () => number): Promise<StatementService> {
      const db = await openDatabase(onSeveralHosts(database.options), createLogger('OFF'));
      opened.push(db);
      return serviceOn(db, { now });
    }

    it('is never passed by a statement of another process after a failover to a server whose clock is behind', async () => {
      const start = 1_800_000_000_000_000;
      const late = await processWith(() => start - 3_600_000_000);
      const early = await processWith(() => start);
      for (const round of [0, 1, 2]) {
        const watermark = await early.consistentThrough();
        expect(watermark).toBeGreaterThanOrEqual(start + round);
        await late.store(batchOf([statement()]));
        const page = await early.query(everything, exact);
        expect(page.statements).toHaveLength(round + 1);
        expect(page.statements[0]?.position).toBeGreaterThan(watermark);
        await expect.poll(() => early.consistentThrough()).toBe(page.statements[0]?.position);
      }
    });

    it('moves on with time when nothing is stored, by at most a small transaction a second', async () => {
      const start = 1_800_000_000_000_000;
      let now = start;
      const service = await processWith(() => now);
      expect(await service.consistentThrough()).toBe(start);
      now += 1_000_000;
      await expect.poll(() => service.consistentThrough()).toBe(start);
      now += 1;
      await expect.poll(() => service.consistentThrough()).toBe(now);
    });

    it('does not depend on a clock after a write that found everything stored', async () => {
      const start = 1_800_000_000_000_000;
      const service = await processWith(() => start + 5_000_000);
      const [id = ''] = await service.store(batchOf([statement()]));
      await service.store(batchOf([await read(service, id)]));
      const watermark = await service.consistentThrough();
      const late = await processWith(() => start);
      await late.store(batchOf([statement()]));
      expect((await late.query(everything, exact)).statements[0]?.position).toBeGreaterThan(watermark);
    });
  },
);
