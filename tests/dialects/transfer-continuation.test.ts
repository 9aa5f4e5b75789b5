import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportOptions } from '../../lib/transfer/importer.ts';
import { storeAsTarget } from '../../lib/transfer/open-store.ts';
import { openSource } from '../../lib/transfer/sources/open.ts';
import { engines } from '../support/engines.ts';
import { batchOf, foundIds, statement } from '../support/statements.ts';
import { createStore, importFrom, type TestStore, temporaryFolder } from '../support/transfer.ts';

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const dated = (number: number) =>
  statement({ id: uuid(number), stored: `2024-01-01T00:00:00.${String(number).padStart(6, '0')}Z` });

describe.each(engines)('an import into a store on $name that is run again', (engine) => {
  let one: TestStore;
  let other: TestStore;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'statements.ndjson');
    one = await createStore(engine);
    other = await createStore(engine);
  });
  afterEach(async () => {
    await one.remove();
    await other.remove();
    await folder.remove();
  });

  const fileHas = (items: readonly object[]) =>
    writeFile(file, items.map((item) => JSON.stringify(item)).join('\n'));
  const fileOf = (count: number) => fileHas(Array.from({ length: count }, (_, index) => dated(index + 1)));
  const into = async (
    { store }: TestStore,
    {
      trusted = false,
      dry = false,
      name = 'import',
      lrs,
      ...options
    }: { trusted?: boolean; dry?: boolean; name?: string; lrs?: string } & Pick<
      ImportOptions,
      'merge' | 'signal'
    > = {},
  ) => {
    const own = join(folder.path, name);
    const source = await openSource(file, { folder: own, lrs });
    return importFrom(source, storeAsTarget(store, { trusted, dry }), { folder: own, ...options });
  };
  const idsOf = ({ store }: TestStore) => foundIds(store.services.statements, { ascending: true });

  it('refuses the progress of an import into another store, whatever its name is, and changes neither', async () => {
    await fileOf(2500);
    let looked = 0;
    const signal = {
      get aborted() {
        looked += 1;
        return looked > 2000;
      },
    };
    const { progress } = await into(one, { signal });
    expect(progress).toMatchObject({ complete: false, counts: { statement: { stored: 2000 } } });
    const noted = await readFile(join(folder.path, 'import', 'progress.json'), 'utf8');
    await expect(into(other)).rejects.toThrow(/holds the progress of an import into another store/);
    await expect(into(other, { dry: true })).rejects.toThrow(/--folder/);
    expect(await readFile(join(folder.path, 'import', 'progress.json'), 'utf8')).toBe(noted);
    const elsewhere = await into(other, { name: 'own' });
    expect(elsewhere.report.statements).toEqual({ source: 2500, target: 2500 });
    const finished = await into(one);
    expect(finished.report.statements).toEqual({ source: 2500, target: 2500 });
  });

  it('refuses the progress of another mode or source, so that nothing is placed before what is there', async () => {
    await fileOf(5);
    await into(one);
    await fileOf(8);
    await expect(into(one, { trusted: true })).rejects.toThrow('without --trusted, not one with it');
    await expect(into(one, { trusted: true, name: 'own' })).rejects.toThrow('The store has statements');
    await expect(into(one, { lrs: 'x' })).rejects.toThrow(/from file .*, not from file .*, store x/);
    expect(await idsOf(one)).toHaveLength(5);
  });

  it('refuses progress whose last statement the store has lost', async () => {
    await fileOf(3);
    await into(one);
    await one.store.db.write((session) =>
      session.execute('DELETE FROM statement WHERE id = :id', { id: uuid(3) }),
    );
    await expect(into(one)).rejects.toThrow(`whose last statement, ${uuid(3)}, is not in`);
  });

  it('places further statements only where nobody else has written since, or with merge', async () => {
    await fileOf(2);
    await into(one, { trusted: true });
    await fileOf(3);
    await into(one, { trusted: true });
    expect(await idsOf(one)).toEqual([1, 2, 3].map(uuid));
    await one.store.services.statements.store(batchOf([statement({ id: uuid(100) })]));
    await fileOf(4);
    await expect(into(one, { trusted: true })).rejects.toThrow('was written to since this import ran last');
    expect(await idsOf(one)).toEqual([1, 2, 3, 100].map(uuid));
    await into(one, { trusted: true, merge: true });
    expect(await idsOf(one)).toEqual([1, 2, 3, 4, 100].map(uuid));
  });

  it('names the member that differs, such as a stored time in the future, which no statement keeps', async () => {
    const future = `${new Date().getUTCFullYear() + 2}-01-01T00:00:00.123456789Z`;
    await fileHas([
      { ...dated(1), stored: '2024-01-01T00:00:00.123456789Z' },
      { ...dated(2), stored: future },
    ]);
    const { progress, report } = await into(one, { trusted: true });
    expect(progress.counts.statement).toEqual({ stored: 2, present: 0, refused: 0 });
    expect(report.differences).toEqual([{ place: 'item 2', id: uuid(2), problem: 'differs: stored' }]);
  });

  it('counts documents that are there already, and keeps and names one that is newer here', async () => {
    const document = (id: string, updated: string, content: string) => ({
      ...{ kind: 'activities/profile', activityId: 'https://example.org/a', id, updated },
      ...{ contentType: 'text/plain', content: Buffer.from(content).toString('base64') },
    });
    const first = '2024-01-01T00:00:00.000Z';
    const exported = (documents: readonly object[]) =>
      fileHas([
        {
          export: { format: 'serverless-lrs export', version: 1, made: first, statements: 0, secrets: false },
        },
        ...documents.map((each) => ({ document: each })),
        { end: { statements: 0, documents: documents.length } },
      ]);
    const documents = [document('same', first, 'x'), document('newer here', first, 'x')];
    await exported(documents);
    expect((await into(one)).progress.counts.document).toEqual({ stored: 2, present: 0, refused: 0 });
    expect((await into(one, { name: 'again' })).progress.counts.document).toEqual({
      ...{ stored: 0, present: 2, refused: 0 },
    });
    await one.store.services.documents.put(
      {
        ...{ kind: 'activities/profile' as const, activity: 'https://example.org/a', id: 'newer here' },
        ...{ agent: undefined, registration: undefined },
      },
      { contentType: 'text/plain', content: Buffer.from('y') },
      { version: '2.0.0', conditions: { ifMatch: '*' } },
    );
    const later = document('same', '2024-01-02T00:00:00.000Z', 'z');
    await exported([later, document('newer here', first, 'x')]);
    const tried = await into(one, { dry: true, name: 'tried' });
    const { progress, report } = await into(one, { name: 'third' });
    for (const { counts } of [tried.progress, progress])
      expect(counts.document).toEqual({ stored: 1, present: 1, refused: 0 });
    expect(report.differences).toEqual([
      { place: 'line 3', id: 'newer here', problem: 'differs: the document here is newer, and was kept' },
    ]);
  });

  it('takes documents of a trusted import into a store with statements, and still no statements', async () => {
    await one.store.services.statements.store(batchOf([statement()]));
    const state = {
      ...{
        _id: 'x',
        stateId: 's',
        activityId: 'https://example.org/a',
        agent: { mbox: 'mailto:a@b.example' },
      },
      ...{ contentType: 'application/json', content: { a: 1 }, personaIdentifier: 'x' },
    };
    await fileHas([state]);
    const { progress } = await into(one, { trusted: true });
    expect(progress.counts).toEqual({ document: { stored: 1, present: 0, refused: 0 } });
    await fileHas([state, dated(1)]);
    await expect(into(one, { trusted: true })).rejects.toThrow('The store has statements');
  });
});
