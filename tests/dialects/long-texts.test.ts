import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgentService } from '../../lib/agents/service.ts';
import { foldAllChanges } from '../../lib/counts/tally-store.ts';
import { listOf } from '../../lib/documents/list.ts';
import type { Agent, Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { longKeysDuring } from '../support/long-keys.ts';
import { agent, batchOf, exact, serviceOn, statement, walk } from '../support/statements.ts';

/** Texts of one length that V8 hashes by their length alone. */
const long = (index: number): string => `${'n'.repeat(17_000)}${index}`;
const iri = (index: number): string => `https://example.org/${long(index)}`;
const account = (index: number): Agent => ({
  objectType: 'Agent',
  account: { homePage: iri(index), name: long(index) },
  name: long(index),
});

/** A statement that has a long text wherever a client may choose one. */
function longStatement(index: number): Statement {
  const definition = { name: { en: long(index) }, type: iri(index) };
  return statement({
    actor: { objectType: 'Group', member: [account(index), account(index + 1)], name: long(index) },
    verb: { id: iri(index) },
    object: { objectType: 'Activity', id: iri(index), definition },
    context: {
      instructor: account(index + 2),
      platform: long(index),
      contextActivities: { other: [{ id: iri(index + 3), definition }] },
    },
  });
}

describe.each(engines)('texts of more than 16,383 characters, on $name,', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });
  afterEach(() => database.remove());

  it('are no keys of a Map or Set while they are stored, counted and read, and all of them are found', async () => {
    const service = serviceOn(database.db);
    const statements = [0, 1, 2].map(longStatement);
    const keys = await longKeysDuring(async () => {
      // The second time, what is cached is used.
      for (let round = 0; round < 2; round += 1) await service.store(batchOf(statements));
      await foldAllChanges(database.db);
      await walk(service, {}, { ...exact, format: 'canonical' });
    });
    expect(keys).toEqual([]);
    const person = await createAgentService(database.db).person({ ...account(1), name: 'other' } as Agent);
    expect(person.name).toEqual([long(1)]);
    const [platforms, activities, agents] = await database.db.read(async (session) => [
      await session.select('SELECT statements FROM statement_platform'),
      await session.select('SELECT statements FROM statement_activity'),
      await session.select('SELECT identifier FROM agent'),
    ]);
    expect(platforms).toEqual([{ statements: 2 }, { statements: 2 }, { statements: 2 }]);
    expect(activities).toHaveLength(3);
    expect(agents).toHaveLength(6);
  });

  it('that are names of one Agent are all recorded, those that come again once', async () => {
    const service = serviceOn(database.db);
    const named = [1, 2, 1].map((index) => statement({ actor: { ...agent('ann'), name: long(index) } }));
    for (let round = 0; round < 2; round += 1) await service.store(batchOf(named));
    const { name } = await createAgentService(database.db).person(agent('ann'));
    expect([...(name ?? [])].sort()).toEqual([long(1), long(2)]);
  });
});

it('Long ids of documents are listed without being keys of a Set.', async () => {
  const documents = [1, 2, 1].map((index) => ({ id: long(index), updated: 1 }));
  const keys = await longKeysDuring(async () => expect(listOf(documents).ids).toEqual([long(1), long(2)]));
  expect(keys).toEqual([]);
});
