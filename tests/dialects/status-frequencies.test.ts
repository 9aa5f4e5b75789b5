import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, Replacements } from '../../lib/db/types.ts';
import { createErasureService } from '../../lib/erasure/service.ts';
import { createLogger } from '../../lib/logger.ts';
import { createStatusService } from '../../lib/status/service.ts';
import type { Status, StatusMember } from '../../lib/status/types.ts';
import type { Statement, Verb } from '../../lib/xapi/types.ts';
import { engines, sharedEngines, type TestDatabase } from '../support/engines.ts';
import { wholeTableReads } from '../support/query-plan.ts';
import {
  agent,
  batchOf,
  reference,
  serviceOn,
  statement,
  voidedVerb,
  voiding,
} from '../support/statements.ts';

const logger = createLogger('OFF');
const verbId = (name: string): string => `https://example.org/verbs/${name}`;
const activityId = (name: string | number): string => `https://example.org/activities/${name}`;
const done = (verb: Verb): Statement => statement({ verb });
const about = (name: string | number, parts: Partial<Statement> = {}): Statement =>
  statement({ object: { id: activityId(name) }, ...parts });
const times = (count: number, each: Statement): Statement[] => Array.from({ length: count }, () => each);

const frequencies = ['activity-count', 'verb-frequency', 'activity-frequency'] as const;

function statusOf(db: Database, members: readonly StatusMember[] = frequencies): Promise<Status> {
  return createStatusService(db).status({ members, unit: 'day' });
}

describe.each(engines)('the frequencies of a store on $name', (engine) => {
  let database: TestDatabase;
  let db: Database;

  beforeEach(async () => {
    database = await engine.create();
    db = database.db;
  });
  afterEach(() => database.remove());

  const store = (...statements: Statement[]) => serviceOn(db).store(batchOf(statements));
  const verbs = async () => (await statusOf(db))['verb-frequency'];
  const activities = async () => (await statusOf(db))['activity-frequency'];

  it('are empty while the store is', async () => {
    expect(await statusOf(db)).toEqual({
      'activity-count': 0,
      'verb-frequency': [],
      'activity-frequency': [],
    });
  });

  it('count the Activities that are Objects of statements, each once, and no others', async () => {
    const sub = { objectType: 'SubStatement', actor: agent('a'), verb: { id: verbId('sub') } } as const;
    await store(
      about('one'),
      about('one', { actor: agent('other') }),
      about('two', { context: { contextActivities: { parent: [{ id: activityId('parent') }] } } }),
      statement({ object: agent('object') }),
      statement({ object: { ...sub, object: { id: activityId('inner') } } }),
      reference(randomUUID()),
    );
    expect(await statusOf(db)).toEqual({
      'activity-count': 2,
      'verb-frequency': [{ id: verbId('did'), count: 6 }],
      'activity-frequency': [
        { id: activityId('one'), count: 2 },
        { id: activityId('two'), count: 1 },
      ],
    });
  });

  it('tell the ten that count most, in falling order, and in the order of the ids where counts are equal', async () => {
    const counts = [4, 2, 9, 7, 1, 3, 8, 2, 6, 5, 10, 11];
    const named = counts.map((count, index) => ({ name: `n${String(index).padStart(2, '0')}`, count }));
    await store(
      ...named.flatMap(({ name, count }) => times(count, about(name, { verb: { id: verbId(name) } }))),
    );
    const top = named.toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, 9);
    for (const [list = [], idOf] of [
      [await verbs(), verbId],
      [await activities(), activityId],
    ] as const) {
      expect(list).toHaveLength(10);
      expect(list.slice(0, 9)).toEqual(top.map(({ name, count }) => ({ id: idOf(name), count })));
      expect(list[9]?.count).toBe(2);
    }
  });

  it('count voided and voiding statements, like the other counts', async () => {
    const [id = ''] = await store(about('voided'));
    await store(voiding(id));
    expect(await statusOf(db)).toEqual({
      'activity-count': 1,
      'verb-frequency': [
        { id: voidedVerb, count: 1 },
        { id: verbId('did'), count: 1 },
      ],
      'activity-frequency': [{ id: activityId('voided'), count: 1 }],
    });
  });

  it('call a Verb what its newest statements do, in all their languages', async () => {
    const id = verbId('read');
    await store(done({ id, display: { en: 'reed', fr: 'a lu' } }));
    await store(done({ id, display: { en: 'read' } }), done({ id }));
    expect(await verbs()).toEqual([{ id, display: { en: 'read', fr: 'a lu' }, count: 3 }]);
  });

  it('call a Verb nothing that statements with another Verb say', async () => {
    const [id = ''] = await store(done({ id: verbId('read') }));
    const display = { en: 'commented' };
    await store(reference(id, { verb: { id: verbId('commented'), display } }));
    expect(await verbs()).toEqual([
      { id: verbId('commented'), display, count: 1 },
      { id: verbId('read'), count: 1 },
    ]);
  });

  it('look at few and short statements for what a Verb is called', async () => {
    const id = verbId('read');
    const display = { en: 'read' };
    await store(done({ id, display }), ...times(9, done({ id })));
    expect(await verbs()).toEqual([{ id, display, count: 10 }]);
    await store(done({ id }));
    expect(await verbs()).toEqual([{ id, count: 11 }]);
    await store(done({ id, display: { en: 'x'.repeat(20_000) } }));
    expect(await verbs()).toEqual([{ id, count: 12 }]);
  });

  it('call an Activity by the name in its merged definition', async () => {
    const id = activityId('course');
    const parent = { id, definition: { name: { de: 'Kurs' } } };
    await store(statement({ object: { id, definition: { name: { en: 'Course' } } } }));
    await store(about('other', { context: { contextActivities: { parent: [parent] } } }));
    await store(about('other', { object: { id: activityId('other'), definition: { type: id } } }));
    expect(await activities()).toEqual([
      { id: activityId('other'), count: 2 },
      { id, name: { en: 'Course', de: 'Kurs' }, count: 1 },
    ]);
  });

  it('keep long and odd ids apart and whole', async () => {
    const ids = ['y'.repeat(100_000), `${'y'.repeat(99_999)}z`, 'É', 'é', "');--", '%_', '😀'].map(
      activityId,
    );
    await store(...ids.flatMap((id, index) => times(9 - index, statement({ verb: { id }, object: { id } }))));
    const expected = ids.map((id, index) => ({ id, count: 9 - index }));
    expect(await statusOf(db)).toEqual({
      'activity-count': ids.length,
      'verb-frequency': expected,
      'activity-frequency': expected,
    });
  });

  it('pass over ids of more than 128 KiB, which hide none of the others', async () => {
    const long = Array.from({ length: 11 }, (_, index) => activityId(`${index}${'x'.repeat(131_072)}`));
    const counted = (id: string) => statement({ verb: { id }, object: { id } });
    await store(...long.flatMap((id) => times(2, counted(id))));
    await store(counted(activityId('a')), counted(activityId('b')));
    const expected = ['a', 'b'].map((name) => ({ id: activityId(name), count: 1 }));
    expect(await statusOf(db)).toEqual({
      'activity-count': 13,
      'verb-frequency': expected,
      'activity-frequency': expected,
    });
  });

  it('call an Activity nothing whose definition has more than 64 KiB', async () => {
    const named = (name: string, length: number) =>
      statement({ object: { id: activityId(name), definition: { name: { en: 'n'.repeat(length) } } } });
    await store(named('long', 65_536), named('short', 60_000));
    expect(await activities()).toEqual([
      { id: activityId('long'), count: 1 },
      { id: activityId('short'), name: { en: 'n'.repeat(60_000) }, count: 1 },
    ]);
  });

  it('are read for one who asks at a time', async () => {
    let reading = 0;
    let most = 0;
    const watching: Database = {
      dialect: db.dialect,
      batches: db.batches,
      read: async (work, options) => {
        reading += 1;
        most = Math.max(most, reading);
        return db.read(work, options).finally(() => {
          reading -= 1;
        });
      },
      write: (work, options) => db.write(work, options),
      tryLockRead: (sql) => db.tryLockRead(sql),
      close: async () => {},
    };
    const service = createStatusService(watching);
    await Promise.all([1, 2, 3, 4, 5].map(() => service.status({ members: frequencies, unit: 'day' })));
    expect(most).toBe(1);
  });

  it('stay right over many transactions and many more Activities than are told', async () => {
    const service = serviceOn(db);
    for (let round = 0; round < 12; round += 1) {
      const batch = Array.from({ length: 900 }, (_, index) => about((round * 100 + index) % 1500));
      await service.store(batchOf([...batch, ...times(round, about('often'))]));
    }
    const { 'activity-count': count, 'activity-frequency': top = [] } = await statusOf(db);
    expect(count).toBe(1501);
    expect(top[0]).toEqual({ id: activityId('often'), count: 66 });
    expect(top.slice(1).map((each) => each.count)).toEqual(Array(9).fill(9));
  });

  it('lose what an erasure removes, though it was most of what there is', async () => {
    await store(...times(3, about('stays')), about('once', { verb: { id: verbId('once') } }));
    const before = await statusOf(db);
    const actor = agent('gone');
    const many = Array.from({ length: 600 }, (_, index) =>
      times(index % 2 === 0 ? 1 : 4, about(index, { actor, verb: { id: verbId(String(index % 30)) } })),
    );
    await store(...many.flat());
    expect((await activities())?.[0]?.count).toBe(4);
    expect(await statusOf(db, ['activity-count'])).toEqual({ 'activity-count': 602 });
    await createErasureService(db, logger).erase('mbox::mailto:gone@example.org');
    expect(await statusOf(db)).toEqual(before);
  });

  it('are told without reading a whole table', async () => {
    await store(
      ...Array.from({ length: 20 }, (_, index) => about(index, { verb: { id: verbId(`${index}`) } })),
    );
    await statusOf(db);
    const asked: [string, Replacements][] = [];
    const noting: Database = {
      ...{
        dialect: db.dialect,
        batches: undefined,
        write: (work) => db.write(work),
        close: () => db.close(),
      },
      tryLockRead: (sql) => db.tryLockRead(sql),
      read: (work) =>
        db.read((session) =>
          work({
            ...session,
            select: (sql, replacements = {}) => {
              asked.push([sql, replacements]);
              return session.select(sql, replacements);
            },
          }),
        ),
    };
    await statusOf(noting);
    expect(asked.length).toBeGreaterThan(14);
    const large = [
      'statement',
      's',
      'statement_key',
      'k',
      'statement_verb',
      'statement_activity',
      'activity',
    ];
    for (const [sql, replacements] of asked) {
      if (sql.includes('MAX(position)')) continue;
      const bad = await wholeTableReads(db, large, { sql, replacements });
      expect({ sql, bad }).toEqual({ sql, bad: [] });
      expect(sql).toMatch(/ IN \(:\w+\)| LIMIT (:\w+|1)|WHERE name = :name/);
    }
  });
});

describe.each(sharedEngines)('the frequencies of a store that several processes share on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });
  afterEach(() => database.remove());

  it('hold what all of them store, at once', async () => {
    const dbs = [database.db, await database.openAgain(), await database.openAgain()];
    const services = dbs.map((db) => serviceOn(db));
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        await services[index % 3]?.store(batchOf(Array.from({ length: 100 }, (_, each) => about(each % 20))));
        if (index % 10 === 0) await statusOf(dbs[index % 3] ?? database.db);
      }),
    );
    for (const db of dbs) {
      const status = await statusOf(db);
      expect(status).toMatchObject({
        'activity-count': 20,
        'verb-frequency': [{ id: verbId('did'), count: 6000 }],
      });
      expect(status['activity-frequency']?.map(({ count }) => count)).toEqual(Array(10).fill(300));
    }
  });
});
