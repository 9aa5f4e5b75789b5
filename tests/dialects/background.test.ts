import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BackgroundTask, runBackground } from '../../lib/background/background.ts';
import { backgroundTasks } from '../../lib/background/tasks.ts';
import { createLogger } from '../../lib/logger.ts';
import { sharedEngines, type TestDatabase } from '../support/engines.ts';
import { batchOf, read, reference, serviceOn, statement } from '../support/statements.ts';

const logger = createLogger('OFF');
const later = (): number => Date.now() + 60_000;

describe.each(sharedEngines)('background tasks on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  const run = (tasks: readonly BackgroundTask[], db = database.db) =>
    runBackground({ db, logger, tasks }, later());

  it('are done by one process at a time, and by the next one when that has ended', async () => {
    const other = await database.openAgain();
    const quick: BackgroundTask = { name: 'a', run: async () => true };
    let elsewhere: unknown;
    const outer: BackgroundTask = {
      name: 'a',
      run: async () => {
        elsewhere = await run([quick], other);
        return true;
      },
    };
    expect(await run([outer])).toEqual({ a: 'done' });
    expect(elsewhere).toEqual({ a: 'elsewhere' });
    expect(await run([quick], other)).toEqual({ a: 'done' });
  });

  it('are done again only after the time that lies between two runs', async () => {
    const hourly: BackgroundTask = { name: 'hourly', every: 3600, run: async () => true };
    expect(await run([hourly])).toEqual({ hourly: 'done' });
    expect(await run([hourly])).toEqual({ hourly: 'not due' });
  });

  it('go on with the next one when one fails, and try that again in the next run', async () => {
    let fails = true;
    const failing: BackgroundTask = {
      name: 'failing',
      run: async () => {
        if (fails) throw new Error('once');
        return true;
      },
    };
    const next: BackgroundTask = { name: 'next', run: async () => false };
    expect(await run([failing, next])).toEqual({ failing: 'failed', next: 'unfinished' });
    fails = false;
    expect(await run([failing])).toEqual({ failing: 'done' });
  });

  it('begin nothing after the deadline', async () => {
    const task: BackgroundTask = { name: 'late', run: () => Promise.reject(new Error('it must not run')) };
    expect(await runBackground({ db: database.db, logger, tasks: [task] }, Date.now())).toEqual({
      late: 'unfinished',
    });
  });

  it('add up counts, collect the index and hand on references that functions have left', async () => {
    const { db } = database;
    const service = serviceOn(db, { upkeep: false });
    const [target = ''] = await service.store(batchOf([statement()]));
    await service.store(batchOf([reference(target), statement()]));
    const tasks = backgroundTasks(db, {
      erasure: { resumeUntil: async () => true },
      feed: { runUntil: async () => true },
      attachments: { removeUnused: async () => true },
    });
    const outcomes = await run(tasks);
    expect(new Set(Object.values(outcomes))).toEqual(new Set(['done']));
    const left = await db.read(async (session) => [
      ...(await session.select('SELECT id FROM tally_change')),
      ...(await session.select('SELECT target FROM reference_pending')),
      ...(db.dialect.collectsIndexEntries
        ? await session.select('SELECT position FROM statement_key_buffer')
        : []),
    ]);
    expect(left).toEqual([]);
    expect((await read(service, target)).id).toBe(target);
  });
});
