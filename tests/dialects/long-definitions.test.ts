import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivityService } from '../../lib/activities/service.ts';
import type { Database } from '../../lib/db/types.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import { storeAsTarget } from '../../lib/transfer/open-store.ts';
import { openSource } from '../../lib/transfer/sources/open.ts';
import type { Activity, Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { batchOf, statement } from '../support/statements.ts';
import { createStore, exportInto, importFrom, temporaryFolder } from '../support/transfer.ts';

/** More than one transaction merges of long definitions. */
const count = 12;
const longDefinition = { extensions: { 'https://example.org/long': 'x'.repeat(900_000) } };
const ids = Array.from({ length: count }, (_, index) => `https://example.org/activities/long-${index}`);

const named = (language: string): Statement[] =>
  ids.map((id) => statement({ object: { id, definition: { name: { [language]: 'A' } } } }));

async function storeLong(service: StatementService): Promise<void> {
  for (const id of ids)
    await service.store(batchOf([statement({ object: { id, definition: longDefinition } })]));
}

/** How many of the Activities have a name in the language. */
async function namesIn(db: Database, language: string): Promise<number> {
  const service = createActivityService(db);
  const activities: Activity[] = await Promise.all(
    ids.map(async (id) => JSON.parse(await service.activity(id))),
  );
  return activities.filter(({ definition }) => definition?.name?.[language] !== undefined).length;
}

/** So many languages of their own, which are told apart by the first subtag. */
const languages = (tag: string, length: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`${tag}-x-${index}`, 'A']));

const defined = (name: Record<string, string>): Statement =>
  statement({ object: { id: 'https://example.org/activities/languages', definition: { name } } });

describe.each(engines)('definitions of very many languages, on $name,', (engine) => {
  let store: Awaited<ReturnType<typeof createStore>>;

  beforeEach(async () => {
    store = await createStore(engine);
  });
  afterEach(() => store.remove());

  const storeAll = (...names: Record<string, string>[]) =>
    store.store.services.statements.store(batchOf(names.map(defined)));
  async function stored(): Promise<string[]> {
    const service = createActivityService(store.database.db);
    const activity: Activity = JSON.parse(await service.activity('https://example.org/activities/languages'));
    const tags = Object.keys(activity.definition?.name ?? {}).map((language) => language.split('-')[0] ?? '');
    return [...new Set(tags)].sort();
  }

  it('are merged while that makes no more than 10,000', async () => {
    await storeAll(languages('de', 4000));
    await storeAll(languages('en', 4000));
    expect(await stored()).toEqual(['de', 'en']);
    await storeAll(languages('fr', 4000));
    expect(await stored()).toEqual(['fr']);
  });

  it('of one request are the newest that have no more than 10,000 together', async () => {
    const [de, en, fr] = [languages('de', 4000), languages('en', 4000), languages('fr', 4000)];
    await storeAll(de, en, fr);
    expect(await stored()).toEqual(['en', 'fr']);
  });

  it('count once where one request repeats them', async () => {
    const [de, en] = [languages('de', 4000), languages('en', 4000)];
    await storeAll(de, en, de, en);
    expect(await stored()).toEqual(['de', 'en']);
  });

  it('of more than 10,000 are ignored', async () => {
    await storeAll({ es: 'A' });
    const many = { name: languages('de', 6000), description: languages('de', 6000) };
    const object = { id: 'https://example.org/activities/languages', definition: many };
    await store.store.services.statements.store(batchOf([statement({ object })]));
    expect(await stored()).toEqual(['es']);
    await storeAll({ it: 'A' });
    expect(await stored()).toEqual(['es', 'it']);
  });
});

describe.each(engines)('long definitions that are stored, on $name,', (engine) => {
  describe('and reactions that make statements of their Activities', () => {
    let database: TestDatabase;
    let bench: ReactionBench;

    beforeEach(async () => {
      database = await engine.create();
      bench = new ReactionBench(database.db);
      await bench.ready();
    });
    afterEach(async () => {
      await bench.service.stop();
      await database.remove();
    });

    it('leave some of the definitions in the statements alone, and all statements are made', async () => {
      await storeLong(bench.service);
      const reaction = await bench.react('names', {
        identityPaths: [],
        conditions: { a: { path: ['object', 'definition', 'name', 'en'], op: 'eq', val: 'A' } },
        template: {
          actor: { $templatePath: ['a', 'actor'] },
          verb: { id: 'https://example.org/verbs/made' },
          object: { id: { $templatePath: ['a', 'object', 'id'] }, definition: { name: { de: 'B' } } },
        },
      });
      await bench.service.store(batchOf(named('en')));
      await bench.feed.runUntil(Date.now() + 60_000);
      expect(await bench.feed.list()).toMatchObject([{ error: null }]);
      expect(await bench.firings(reaction)).toHaveLength(count);
      const merged = await namesIn(database.db, 'de');
      expect(merged).toBeGreaterThan(5);
      expect(merged).toBeLessThan(count);
    });
  });

  it('leave some of the definitions of an import in its statements alone, and all statements are imported', async () => {
    const [from, to] = [await createStore(engine), await createStore(engine)];
    const folder = await temporaryFolder();
    try {
      const file = join(folder.path, 'export.ndjson.gz');
      await from.store.services.statements.store(batchOf(named('en')));
      await exportInto(file, from.store);
      await storeLong(to.store.services.statements);
      const source = await openSource(file, { folder: join(folder.path, 'import') });
      const target = storeAsTarget(to.store, { trusted: false, dry: false });
      const { progress } = await importFrom(source, target, { folder: join(folder.path, 'import') });
      expect(progress.counts.statement).toEqual({ stored: count, present: 0, refused: 0 });
      const merged = await namesIn(to.database.db, 'en');
      expect(merged).toBeGreaterThan(5);
      expect(merged).toBeLessThan(count);
    } finally {
      await from.remove();
      await to.remove();
      await folder.remove();
    }
  });
});
