import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON } from 'bson';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runImport } from '../../lib/transfer/importer.ts';
import { Journal } from '../../lib/transfer/journal.ts';
import { storeAsTarget } from '../../lib/transfer/open-store.ts';
import { compareAll } from '../../lib/transfer/parity/parity.ts';
import { isClean, reportLines } from '../../lib/transfer/parity/report.ts';
import { openSource } from '../../lib/transfer/sources/open.ts';
import { engines } from '../support/engines.ts';
import { statement } from '../support/statements.ts';
import {
  createStore,
  importFrom,
  linesOf,
  newPlaceForEachTest,
  type TestStore,
  temporaryFolder,
} from '../support/transfer.ts';

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const content = Buffer.from('a certificate');
const sha2 = createHash('sha256').update(content).digest('hex');
const attachment = {
  ...{ usageType: 'https://example.org/certificate', display: { en: 'Certificate' } },
  ...{ contentType: 'text/plain', length: content.length, sha2, fileUrl: 'https://example.org/gone' },
};
const certified = statement({ id: uuid(1), attachments: [attachment], timestamp: '2024-01-01T00:00:00Z' });
const plain = [JSON.stringify(certified)];
const head = { format: 'serverless-lrs export', version: 1, made: '2026-01-01T00:00:00.000Z', statements: 1 };
const asExport = (...lines: object[]): string[] =>
  [{ export: { ...head, secrets: false } }, ...lines, { end: { statements: lines.length } }].map((line) =>
    JSON.stringify(line),
  );
const carrying = { statement: certified, contents: [{ sha2, contentType: 'text/plain' }] };
const withContent = asExport({ content: { sha2, data: content.toString('base64') } }, carrying);

describe.each(engines)('the comparison after an import into a store on $name', (engine) => {
  let to: TestStore;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'source');
    to = await createStore(engine);
  });
  afterEach(async () => {
    await to.remove();
    await folder.remove();
  });

  async function importLines(lines: readonly string[], name = 'import') {
    await writeFile(file, lines.join('\n'));
    const own = join(folder.path, name);
    const target = storeAsTarget(to.store, { trusted: false, dry: false });
    return importFrom(await openSource(file, { folder: own }), target, { folder: own });
  }
  const storedContents = async (): Promise<string[]> =>
    (await linesOf(to.store)).filter((line) => line.includes(content.toString('base64')));

  it('misses the content that an export names and does not have', async () => {
    const { progress, report } = await importLines(asExport(carrying));
    expect(progress.counts.statement?.stored).toBe(1);
    expect(report.differences).toEqual([
      { place: 'line 2', id: uuid(1), problem: `lacks the attachment ${sha2}` },
    ]);
    expect([isClean(report), report.contents]).toEqual([false, { source: 1, target: 0, described: 0 }]);
  });

  it('tells how many attachments have no content in the source, and a later source with contents adds them', async () => {
    const first = await importLines(plain);
    expect([isClean(first.report), first.report.contents]).toEqual([
      true,
      { source: 0, target: 0, described: 1 },
    ]);
    expect(reportLines(first.report).join('\n')).toContain(
      'Attachments whose content the source did not give: 1;',
    );
    expect(await storedContents()).toEqual([]);
    const second = await importLines(withContent, 'second');
    expect(second.progress.counts.statement).toEqual({ stored: 1, present: 0, refused: 0 });
    expect([isClean(second.report), second.report.contents]).toEqual([
      true,
      { source: 1, target: 1, described: 0 },
    ]);
    expect(await storedContents()).toHaveLength(1);
    const third = await importLines(withContent, 'third');
    expect(third.progress.counts.statement).toEqual({ stored: 0, present: 1, refused: 0 });
  });

  it('adds no content to a statement that differs from the one of the source', async () => {
    await importLines([JSON.stringify({ ...certified, verb: { id: 'https://example.org/other' } })]);
    const { progress } = await importLines(withContent, 'second');
    expect(progress.counts.statement).toEqual({ stored: 0, present: 0, refused: 1 });
    expect(await storedContents()).toEqual([]);
  });

  it('is not clean when the source has become shorter since it was imported', async () => {
    await writeFile(file, [1, 2, 3].map((id) => JSON.stringify(statement({ id: uuid(id) }))).join('\n'));
    const own = join(folder.path, 'import');
    const target = storeAsTarget(to.store, { trusted: false, dry: false });
    const source = await openSource(file, { folder: own });
    const journal = new Journal(own);
    const imported = await runImport({ source, target, journal });
    await writeFile(file, '');
    const report = await compareAll({ source, target, journal, imported });
    expect([isClean(report), report.differences]).toEqual([false, []]);
    expect(report.unread).toEqual([{ kind: 'statement', imported: 3, read: 0 }]);
    expect(reportLines(report).join('\n')).toMatch(/^Not compared: 3 records .* had 0 when/m);
  });

  it('is not clean when the source was replaced by one with as many other records', async () => {
    const replaced = [1, 2].map((id) => JSON.stringify(statement({ id: uuid(id) })));
    await importLines([replaced[1] ?? ''], 'first');
    await writeFile(file, replaced.join('\n'));
    const own = join(folder.path, 'import');
    const target = storeAsTarget(to.store, { trusted: false, dry: false });
    const source = await openSource(file, { folder: own });
    const journal = new Journal(own);
    const imported = await runImport({ source, target, journal });
    await writeFile(file, [replaced[1], replaced[1]].join('\n'));
    const report = await compareAll({ source, target, journal, imported });
    expect([isClean(report), report.differences, report.unread]).toEqual([false, [], []]);
    expect(reportLines(report).join('\n')).toMatch(/^Not compared: the source had other records/m);
  });

  it('counts each statement once when the import of a long answer was interrupted within it', async () => {
    const answer = (first: number) =>
      JSON.stringify({
        statements: Array.from({ length: 1500 }, (_, index) => statement({ id: uuid(first + index) })),
      });
    await writeFile(file, [answer(1), answer(2001)].join('\n'));
    const own = join(folder.path, 'import');
    const target = storeAsTarget(to.store, { trusted: false, dry: false });
    const source = await openSource(file, { folder: own });
    let looked = 0;
    const signal = {
      get aborted() {
        looked += 1;
        return looked > 2500;
      },
    };
    const interrupted = await importFrom(source, target, { folder: own, signal });
    expect(interrupted.progress.complete).toBe(false);
    const { progress, report } = await importFrom(source, target, { folder: own });
    expect(progress.counts.statement).toEqual({ stored: 3000, present: 0, refused: 0 });
    expect([isClean(report), report.unread]).toEqual([true, []]);
  });
});

describe('a folder of mongodump', () => {
  const place = newPlaceForEachTest();

  async function importDump(names: readonly string[]) {
    const dump = join(place.folder.path, 'dump');
    await mkdir(dump);
    for (const name of names)
      await writeFile(join(dump, name), BSON.serialize({ _id: 1, statement: statement({ id: uuid(1) }) }));
    const own = join(place.folder.path, 'import');
    const source = await openSource(dump, { folder: own });
    const target = storeAsTarget(place.to.store, { trusted: false, dry: false });
    const { report } = await importFrom(source, target, { folder: own });
    return { report, notice: source.notice?.() };
  }

  it('may write names of collections in capitals, and names what is not imported', async () => {
    const { report, notice } = await importDump(['Statements.bson', 'users.bson', 'roles.bson.gz']);
    expect(report.statements).toEqual({ source: 1, target: 1 });
    expect(notice).toMatch(/^Not imported from .*: roles\.bson\.gz, users\.bson\.$/);
  });

  it('is found in the folder of its database', async () => {
    const database = join(place.folder.path, 'dump', 'learninglocker_v2');
    await mkdir(database, { recursive: true });
    await writeFile(join(database, 'statements.bson'), '');
    await expect(openSource(join(database, '..'), { folder: '' })).rejects.toThrow(
      `holds no dump itself, but ${database} does`,
    );
  });

  it.each([
    [['users.bson', 'clients.bson'], /has none of the collections .* only clients\.bson, users\.bson/],
    [['Statements.bson', 'statements.bson'], /has statements twice/],
  ])('with %j is refused', async (names, message) => {
    await expect(importDump(names)).rejects.toThrow(message);
  });
});
