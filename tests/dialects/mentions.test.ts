import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivityService } from '../../lib/activities/service.ts';
import { createAgentService } from '../../lib/agents/service.ts';
import type { Database, Replacements, WriteSession } from '../../lib/db/types.ts';
import { ConflictError } from '../../lib/errors.ts';
import type { Activity, ActivityDefinition, Statement } from '../../lib/xapi/types.ts';
import { engines, sharedEngines, type TestDatabase } from '../support/engines.ts';
import { wholeTableReads } from '../support/query-plan.ts';
import { agent, batchOf, read, serviceOn, statement, voiding } from '../support/statements.ts';

const id = 'https://example.org/activities/something';

/** A definition that one transaction merges with few others. */
const longDefinition = { extensions: { 'https://example.org/long': 'x'.repeat(900_000) } };

function called(...names: string[]): Statement[] {
  return names.map((name) => statement({ actor: { ...agent('ann'), name } }));
}

function defined(...definitions: ActivityDefinition[]): Statement[] {
  return definitions.map((definition) => statement({ object: { id, definition } }));
}

async function namesOf(db: Database): Promise<readonly string[] | undefined> {
  return (await createAgentService(db).person(agent('ann'))).name;
}

async function activityOf(db: Database, activity = id): Promise<Activity> {
  return JSON.parse(await createActivityService(db).activity(activity));
}

const definitionOf = async (db: Database) => (await activityOf(db)).definition;

/** The same database, but each transaction's session goes through `change`. */
function changed(db: Database, change: (session: WriteSession) => WriteSession): Database {
  return { ...delegating(db), write: (work) => db.write((session) => work(change(session))) };
}

function delegating(db: Database): Database {
  return {
    dialect: db.dialect,
    batches: undefined,
    tryLockRead: (sql) => db.tryLockRead(sql),
    read: (work) => db.read(work),
    write: (work) => db.write(work),
    close: () => db.close(),
  };
}

/** The same database, but it notes which of the tables it writes, and how often. */
function noting(db: Database, written: string[]): Database {
  return changed(db, (session) => ({
    ...session,
    insert: (table, rows, options) => {
      if (rows.length > 0) written.push(table.name);
      return session.insert(table, rows, options);
    },
    upsert: (table, rows, replaced) => {
      if (rows.length > 0) written.push(table.name);
      return session.upsert(table, rows, replaced);
    },
    select: (sql, replacements) => {
      if (sql.includes('JOIN activity ')) written.push('read activity');
      return session.select(sql, replacements);
    },
  }));
}

describe.each(engines)('what statements tell, on $name', (engine) => {
  let database: TestDatabase;
  let db: Database;

  beforeEach(async () => {
    database = await engine.create();
    db = database.db;
  });

  afterEach(() => database.remove());

  it('tells the newest thousand names of an Agent, and of long ones a megabyte at most', async () => {
    const names = Array.from({ length: 1005 }, (_, index) => `name ${index}`);
    const long = Array.from({ length: 4 }, (_, index) => `${index}${'x'.repeat(400_000)}`);
    await serviceOn(database.db).store(batchOf(called(...names, ...long)));
    const newest = [...long.toReversed().slice(0, 2), ...names.toReversed().slice(0, 996)];
    expect(await namesOf(database.db)).toEqual(newest);
  });

  it('merges a few long definitions in one transaction, and leaves the others alone', async () => {
    const service = serviceOn(database.db);
    const ids = Array.from({ length: 12 }, (_, index) => `https://example.org/activities/long-${index}`);
    for (const each of ids) {
      await service.store(batchOf([statement({ object: { id: each, definition: longDefinition } })]));
    }
    const named = (language: string) =>
      ids.map((each) => statement({ object: { id: each, definition: { name: { [language]: 'A' } } } }));
    const namesIn = async (language: string): Promise<number> => {
      const activities = await Promise.all(ids.map((each) => activityOf(database.db, each)));
      return activities.filter(({ definition }) => definition?.name?.[language] !== undefined).length;
    };
    await service.store(batchOf(named('en')));
    expect(await namesIn('en')).toBeGreaterThan(5);
    expect(await namesIn('en')).toBeLessThan(12);
    // Several requests at once are written one by one then.
    await Promise.all(named('de').map((each) => service.store(batchOf([each]))));
    expect(await namesIn('de')).toBe(12);
  });

  it('every name of an Agent is known, the one learnt last in front (xAPI 1.0.3 Communication 2.4)', async () => {
    const service = serviceOn(db);
    await service.store(batchOf(called('Ann', 'Annie')));
    await service.store(batchOf(called('Dr. Ann', 'Ann', 'Ann')));
    expect(await namesOf(db)).toEqual(['Dr. Ann', 'Annie', 'Ann']);
    expect(await createAgentService(db).person(agent('bob'))).toEqual({
      objectType: 'Person',
      mbox: ['mailto:bob@example.org'],
    });
  });

  it('names are taken from Agents with the same identifier, and from no Group (xAPI 1.0.3 Communication 2.4)', async () => {
    const { mbox } = { mbox: 'mailto:ann@EXAMPLE.org' };
    await serviceOn(db).store(
      batchOf([
        statement({ actor: { mbox, name: 'Ann' } }),
        statement({ actor: { objectType: 'Group', mbox, name: 'The Anns' } }),
        statement({ actor: { mbox: 'mailto:Ann@example.org', name: 'Somebody else' } }),
        statement({ actor: { account: { homePage: 'https://example.org', name: mbox }, name: 'A third' } }),
      ]),
    );
    expect(await namesOf(db)).toEqual(['Ann']);
  });

  it('the newest definition counts, also when one comes right behind another that is not yet known to be stored', async () => {
    const [one, other] = [defined({ name: { en: 'One' } }), defined({ name: { en: 'Other' } })];
    let onSent = (): void => {};
    const service = serviceOn({
      ...delegating(db),
      write: (work, options) =>
        db.write(async (session) => {
          const result = await work(session);
          session.onCommitting(() => onSent());
          return result;
        }, options),
    });
    await service.store(batchOf(one));
    for (let round = 0; round < 5; round += 1) {
      let behind: Promise<unknown> | undefined;
      onSent = () => {
        behind ??= service.store(batchOf(one));
      };
      await service.store(batchOf(other));
      onSent();
      await behind;
      onSent = () => {};
      expect(await definitionOf(db)).toEqual({ name: { en: 'One' } });
    }
  });

  it('definitions are merged, the newest counts (xAPI 1.0.3 Communication 2.5)', async () => {
    const service = serviceOn(db);
    expect(await activityOf(db)).toEqual({ objectType: 'Activity', id });
    await service.store(batchOf(defined({ name: { en: 'One' } }, { name: { en: 'Two', fr: 'Deux' } })));
    await service.store(batchOf(defined({ name: { de: 'Drei' }, type: 'https://example.org/type' })));
    await service.store(batchOf([statement({ object: { id } })]));
    expect(await activityOf(db)).toEqual({
      objectType: 'Activity',
      id,
      definition: { name: { en: 'Two', fr: 'Deux', de: 'Drei' }, type: 'https://example.org/type' },
    });
  });

  it('a definition that comes again after another one counts again, in one batch and in several', async () => {
    const [a, b] = [{ type: 'https://example.org/a' }, { type: 'https://example.org/b' }];
    const service = serviceOn(db);
    for (const [batch, last] of [
      [[a], a],
      [[b], b],
      [[a, a], a],
      [[b, a], a],
      [[a, b, a, b], b],
      [[a, a, b, a], a],
    ] as const) {
      await service.store(batchOf(defined(...batch)));
      expect(await definitionOf(db)).toEqual(last);
    }
  });

  it('statements that tell nothing new write and read nothing but themselves', async () => {
    const written: string[] = [];
    const service = serviceOn(noting(db, written));
    const languages = defined({ name: { en: 'One' } }, { name: { fr: 'Une' } });
    await service.store(batchOf([...called('Ann', 'Annie'), ...languages, statement()]));
    expect(written).toEqual(expect.arrayContaining(['agent', 'agent_name', 'read activity', 'activity']));
    written.length = 0;
    await service.store(batchOf([...called('Annie', 'Ann'), ...languages, statement()]));
    await service.store(batchOf(languages.toReversed()));
    expect(written.filter((table) => /^(read )?(agent|activity)/.test(table))).toEqual([]);
  });

  it('the number of SQL statements does not depend on how much is told', async () => {
    const written: string[] = [];
    const many = Array.from({ length: 300 }, (_, index) =>
      statement({
        actor: { ...agent(`${index}`), name: `Agent ${index % 7}` },
        object: { id: `${id}/${index % 90}`, definition: { type: `https://example.org/${index}` } },
      }),
    );
    await serviceOn(noting(db, written)).store(batchOf(many));
    expect(written.filter((table) => /^(read )?(agent|activity)/.test(table)).sort()).toEqual([
      'activity',
      'agent',
      'agent_name',
      'read activity',
    ]);
    expect(await activityOf(db, `${id}/5`)).toMatchObject({
      definition: { type: 'https://example.org/275' },
    });
  });

  it('a transaction that is rolled back leaves nothing behind, and what it told is written when it is told again', async () => {
    let fails = true;
    const failing: Database = {
      ...delegating(db),
      write: (work) =>
        db.write(async (session) => {
          const result = await work(session);
          if (fails) throw new Error('out of order');
          return result;
        }),
    };
    const service = serviceOn(failing);
    const batch = batchOf([...called('Ann'), ...defined({ name: { en: 'One' } })]);
    await expect(service.store(batch)).rejects.toThrow('out of order');
    expect([await namesOf(db), await definitionOf(db)]).toEqual([undefined, undefined]);
    fails = false;
    await service.store(batch);
    expect([await namesOf(db), await definitionOf(db)]).toEqual([['Ann'], { name: { en: 'One' } }]);
  });

  it('a refused request tells nothing', async () => {
    const service = serviceOn(db);
    const taken = randomUUID();
    await service.store(batchOf([statement({ id: taken })]));
    const refused = batchOf([
      ...called('Ann'),
      statement({ id: taken, verb: { id: 'https://example.org/x' } }),
    ]);
    await expect(service.store(refused)).rejects.toThrow(ConflictError);
    expect(await namesOf(db)).toBeUndefined();
  });

  it('a voided statement is not untold (xAPI 1.0.3 Data 2.3.2)', async () => {
    const service = serviceOn(db);
    const [first = statement()] = called('Ann');
    const told = randomUUID();
    await service.store(
      batchOf([{ ...first, id: told, object: { id, definition: { name: { en: 'One' } } } }]),
    );
    await service.store(batchOf([voiding(told)]));
    expect([await namesOf(db), await definitionOf(db)]).toEqual([['Ann'], { name: { en: 'One' } }]);
  });

  it('long, odd and hostile texts are kept apart and whole', async () => {
    const names = ['x'.repeat(100_000), 'é', 'e\u0301', 'É', "'; DROP TABLE agent_name; --", '😀', ' ', ''];
    await serviceOn(db).store(batchOf(called(...names)));
    expect(await namesOf(db)).toEqual(names.toReversed());
    const long = `${id}/${'y'.repeat(100_000)}`;
    const definition = { description: { en: 'z'.repeat(1_000_000) } };
    for (const object of [
      { id: long, definition },
      { id: long, definition: { name: { en: 'Long' } } },
    ]) {
      await serviceOn(db).store(batchOf([statement({ object })]));
    }
    expect((await activityOf(db, long)).definition).toEqual({ ...definition, name: { en: 'Long' } });
    expect((await activityOf(db, long.slice(0, -1))).definition).toBeUndefined();
  });

  it('is found without reading a whole table', async () => {
    const noted: [sql: string, replacements: Replacements][] = [];
    const notingReads: Database = {
      ...delegating(db),
      read: (work) =>
        db.read((session) =>
          work({
            ...session,
            select: (sql, replacements = {}) => {
              noted.push([sql, replacements]);
              return session.select(sql, replacements);
            },
          }),
        ),
    };
    await namesOf(notingReads);
    await definitionOf(notingReads);
    expect(noted).toHaveLength(2);
    for (const [sql, replacements] of noted) {
      const bad = await wholeTableReads(db, ['agent_name', 'activity'], { sql, replacements });
      expect({ sql, bad }).toEqual({ sql, bad: [] });
    }
  });
});

describe.each(engines)('the length of a definition on $name', (engine) => {
  const extension = (name: string, length: number): ActivityDefinition => ({
    extensions: { [`https://example.org/${name}`]: 'x'.repeat(length) },
  });
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  it('is bounded: one that is too long changes nothing, and is stored in its statement', async () => {
    const service = serviceOn(database.db);
    await service.store(batchOf(defined({ name: { en: 'short' } })));
    const [sent = ''] = await service.store(batchOf(defined({ name: { en: 'x'.repeat(1_048_577) } })));
    expect(await definitionOf(database.db)).toEqual({ name: { en: 'short' } });
    expect(JSON.stringify(await read(service, sent)).length).toBeGreaterThan(1_048_577);
  });

  it('is not merged again by the process that has just merged it', async () => {
    const service = serviceOn(database.db);
    const definition: ActivityDefinition = {
      interactionType: 'choice',
      choices: [{ id: 'a' }],
      type: 'https://example.org/types/question',
    };
    for (let time = 0; time < 3; time += 1) await service.store(batchOf(defined(definition)));
    // Merging puts what describes an interaction behind the rest.
    expect(Object.keys((await definitionOf(database.db)) ?? {})).toEqual(Object.keys(definition));
  });

  it('is bounded where several come together: then the newer replaces what was there', async () => {
    const service = serviceOn(database.db);
    await service.store(batchOf(defined(extension('a', 600_000))));
    await service.store(batchOf(defined(extension('b', 300_000))));
    const both = {
      extensions: { ...extension('a', 600_000).extensions, ...extension('b', 300_000).extensions },
    };
    expect(await definitionOf(database.db)).toEqual(both);
    await service.store(batchOf(defined(extension('c', 600_000))));
    expect(await definitionOf(database.db)).toEqual(extension('c', 600_000));
  });
});

describe.each(sharedEngines)('what statements tell several processes on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  it('is lost by none of them, whatever each remembers', async () => {
    const services = [serviceOn(database.db), serviceOn(await database.openAgain())] as const;
    const [one, other] = services;
    await one.store(batchOf([...called('Ann'), ...defined({ name: { en: 'One' } })]));
    await other.store(batchOf([...called('Annie', 'Ann'), ...defined({ name: { fr: 'Une' } })]));
    await one.store(batchOf([...called('Anna', 'Ann'), ...defined({ name: { de: 'Eins' } })]));
    expect(await namesOf(database.db)).toEqual(['Anna', 'Annie', 'Ann']);
    expect(await definitionOf(database.db)).toEqual({ name: { en: 'One', fr: 'Une', de: 'Eins' } });
  });

  it('lets parallel batches that share Agents and Activities in opposite orders all succeed', async () => {
    const services = [
      serviceOn(database.db),
      serviceOn(await database.openAgain()),
      serviceOn(await database.openAgain()),
    ];
    const batches = Array.from({ length: 24 }, (_, number) => {
      const statements = Array.from({ length: 30 }, (_, index) =>
        statement({
          actor: { ...agent(`shared${index}`), name: `${number}` },
          object: { id: `${id}/${index}`, definition: { name: { [`l${number}`]: 'x' } } },
        }),
      );
      return batchOf(number % 2 === 0 ? statements : statements.toReversed());
    });
    const stored = await Promise.allSettled(
      batches.map(async (batch, number) => services[number % services.length]?.store(batch)),
    );
    expect(stored.filter(({ status }) => status === 'rejected')).toEqual([]);
    for (const index of [0, 29]) {
      const { definition } = await activityOf(database.db, `${id}/${index}`);
      expect(Object.keys(definition?.name ?? {})).toHaveLength(batches.length);
      const { name } = await createAgentService(database.db).person(agent(`shared${index}`));
      expect(name).toHaveLength(batches.length);
    }
  });

  it('is lost by none of many that write at once, in opposite orders', async () => {
    const dbs = [database.db, await database.openAgain(), await database.openAgain()];
    const statements = Array.from({ length: 40 }, (_, index) =>
      statement({
        actor: { ...agent('ann'), name: `${index}` },
        object: { id: `${id}/${index % 4}`, definition: { name: { [`l${index}`]: 'x' } } },
      }),
    );
    const stored = dbs.flatMap((db, number) => {
      const service = serviceOn(db);
      const order = number % 2 === 0 ? statements : statements.toReversed();
      return order.map((each) => service.store(batchOf([each])));
    });
    await Promise.all(stored);
    expect(new Set(await namesOf(database.db)).size).toBe(40);
    for (const number of [0, 1, 2, 3]) {
      const { definition } = await activityOf(database.db, `${id}/${number}`);
      expect(Object.keys(definition?.name ?? {})).toHaveLength(10);
    }
  });
});
