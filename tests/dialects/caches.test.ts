import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivityService } from '../../lib/activities/service.ts';
import { createBrowseService } from '../../lib/browse/service.ts';
import type { KnownActivity, KnownAgent } from '../../lib/browse/types.ts';
import type { Database } from '../../lib/db/types.ts';
import { createDocumentService } from '../../lib/documents/service.ts';
import type { DocumentAddress } from '../../lib/documents/types.ts';
import { createErasureService } from '../../lib/erasure/service.ts';
import { createLogger } from '../../lib/logger.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import { createStatusService } from '../../lib/status/service.ts';
import type { ActivityDefinition, Statement } from '../../lib/xapi/types.ts';
import { sharedEngines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, foundIds, serviceOn, statement } from '../support/statements.ts';

const identifier = 'mbox::mailto:ann@example.org';
const activity = 'https://example.org/activities/something';
const everyRow = { limit: 100, search: undefined, after: undefined, isCounted: false };

const named = (): Statement => statement({ actor: { ...agent('ann'), name: 'Ann' } });
const defined = (definition: ActivityDefinition): Statement =>
  statement({ object: { objectType: 'Activity', id: activity, definition } });

const address = (id: string): DocumentAddress => ({
  kind: 'agents/profile',
  activity: undefined,
  agent: identifier,
  registration: undefined,
  id,
});

describe.each(sharedEngines)('what a process has cached of $name', (engine) => {
  let database: TestDatabase;
  /** The statements of two processes on one database. Where a process may write speculatively, it does. */
  let here: StatementService;
  let elsewhere: StatementService;
  let dbElsewhere: Database;

  beforeEach(async () => {
    database = await engine.create();
    dbElsewhere = await database.openAgain();
    here = serviceOn(database.db);
    elsewhere = serviceOn(dbElsewhere);
  });
  afterEach(() => database.remove());

  const store = (service: StatementService, ...statements: Statement[]) => service.store(batchOf(statements));
  const erase = (db: Database) => createErasureService(db, createLogger('OFF')).erase(identifier);
  const known = async (): Promise<KnownAgent | undefined> => {
    const { entries } = await createBrowseService(database.db).agents(everyRow);
    return entries.find((each) => each.identifier === identifier);
  };
  const knownActivity = async (): Promise<KnownActivity | undefined> =>
    (await createBrowseService(database.db).activities(everyRow)).entries.find(({ id }) => id === activity);
  const definition = async (): Promise<ActivityDefinition> =>
    JSON.parse(await createActivityService(database.db).activity(activity)).definition;

  it.each(['here', 'elsewhere'])(
    'does not keep an actor that was erased %s from being listed with its name when it returns',
    async (place) => {
      for (const service of [elsewhere, here])
        for (let time = 0; time < 3; time += 1) await store(service, named());
      await erase(place === 'here' ? database.db : dbElsewhere);
      expect(await known()).toBeUndefined();
      for (const [index, service] of [here, elsewhere].entries()) {
        await store(service, named());
        expect(await known()).toEqual({ identifier, names: ['Ann'], statements: 1 });
        if (index === 0) await erase(dbElsewhere);
      }
    },
  );

  it('does not keep the counts of verbs and activities from being right when an erased actor returns', async () => {
    for (const service of [elsewhere, here]) await store(service, named(), named());
    await erase(dbElsewhere);
    await store(here, named());
    const status = await createStatusService(database.db).status({
      members: ['statement-count', 'actor-count', 'activity-count', 'verb-frequency', 'activity-frequency'],
      unit: 'day',
    });
    expect(status).toMatchObject({ 'statement-count': 1, 'actor-count': 1, 'activity-count': 1 });
    expect(status['verb-frequency']).toEqual([expect.objectContaining({ count: 1 })]);
    expect(status['activity-frequency']).toEqual([expect.objectContaining({ count: 1 })]);
    expect((await knownActivity())?.statements).toBe(1);
  });

  it.each([
    ['that look at what is stored', {}],
    ['that need not look', { blind: true }],
  ])(
    'does not keep the owner of documents %s from being listed after an erasure elsewhere',
    async (_, rest) => {
      const documents = createDocumentService(database.db);
      const put = (id: string) => {
        const document = { contentType: 'text/plain', content: Buffer.from('x') };
        if (!('blind' in rest))
          return documents.merge(address(id), document, { version: '1.0.3', conditions: {} });
        const state = { ...address(id), kind: 'activities/state', activity } as const;
        return documents.put(state, document, { version: '1.0.3', conditions: {} });
      };
      await put('one');
      await put('two');
      await erase(dbElsewhere);
      expect(await known()).toBeUndefined();
      await put('three');
      expect(await known()).toMatchObject({ identifier });
    },
  );

  it('does not keep a definition from counting that comes again after another one came elsewhere', async () => {
    const [one, other] = [{ name: { en: 'One' } }, { name: { en: 'Other' } }];
    for (let round = 0; round < 3; round += 1) {
      for (let time = 0; time < 2; time += 1) await store(here, defined(one));
      expect(await definition()).toEqual(one);
      await store(elsewhere, defined(other));
      expect(await definition()).toEqual(other);
    }
  });

  it('stays when this process changes a definition itself', async () => {
    let reads = 0;
    const counting: Database = {
      dialect: database.db.dialect,
      batches: undefined,
      tryLockRead: (sql) => database.db.tryLockRead(sql),
      read: (work) => database.db.read(work),
      write: (work, options) =>
        database.db.write(
          (session) =>
            work({
              ...session,
              select: (sql, replacements) => {
                if (sql.includes('JOIN activity ')) reads += 1;
                return session.select(sql, replacements);
              },
            }),
          options,
        ),
      close: () => database.db.close(),
    };
    const service = serviceOn(counting);
    const other = statement({
      object: { objectType: 'Activity', id: `${activity}/other`, definition: { name: { en: 'Other' } } },
    });
    await store(service, other);
    for (let round = 0; round < 3; round += 1) {
      reads = 0;
      await store(service, defined({ name: { en: `Name ${round}` } }));
      expect(reads).toBe(1);
      reads = 0;
      await store(service, other);
      expect(reads).toBe(0);
    }
  });

  describe('while an actor is erased', () => {
    /** Erases, and does something else before each transaction of the erasure. */
    const eraseDuring = async (before: (transaction: number) => Promise<unknown>): Promise<void> => {
      let transactions = 0;
      const db: Database = {
        dialect: dbElsewhere.dialect,
        batches: undefined,
        tryLockRead: (sql) => dbElsewhere.tryLockRead(sql),
        read: (work) => dbElsewhere.read(work),
        async write(work, options) {
          await before(transactions++);
          return dbElsewhere.write(work, options);
        },
        close: () => dbElsewhere.close(),
      };
      await erase(db);
    };

    it('does not keep what arrives before any of its steps from being listed', async () => {
      await store(here, named());
      let steps = 0;
      await eraseDuring((transaction) => {
        steps = transaction + 1;
        return Promise.resolve();
      });
      expect(steps).toBeGreaterThan(5);
      for (let step = 0; step < steps; step += 1) {
        for (let time = 0; time < 2; time += 1) await store(here, named());
        await eraseDuring(async (transaction) => {
          if (transaction === step) await store(here, named());
        });
        const left = (await foundIds(here, { agent: agent('ann') })).length;
        const expected = left === 0 ? undefined : { identifier, names: ['Ann'], statements: left };
        expect([step, await known()]).toEqual([step, expected]);
      }
    });

    it('does not keep the owner of a document that arrives before any of its steps from being listed', async () => {
      const documents = createDocumentService(database.db);
      const put = () =>
        documents.merge(
          address('one'),
          { contentType: 'text/plain', content: Buffer.from('x') },
          { version: '1.0.3', conditions: {} },
        );
      for (let step = 0; step < 9; step += 1) {
        await store(here, named());
        await eraseDuring(async (transaction) => {
          if (transaction === step) await put();
        });
        const { ids } = await documents.list(address(''));
        expect([step, (await known()) !== undefined]).toEqual([step, ids.length > 0]);
        await erase(dbElsewhere);
      }
    });
  });
});
