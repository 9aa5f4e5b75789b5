import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BSON, ObjectId } from 'bson';
import { describe, expect, it } from 'vitest';
import { Journal } from '../../lib/transfer/journal.ts';
import { storeAsTarget } from '../../lib/transfer/open-store.ts';
import { compareAll } from '../../lib/transfer/parity/parity.ts';
import { isClean, reportLines } from '../../lib/transfer/parity/report.ts';
import { openSource, type SourceOptions } from '../../lib/transfer/sources/open.ts';
import { realStatements, realStatementsAreThere } from '../support/real-statements.ts';
import { agent, foundIds, read, statement, voiding } from '../support/statements.ts';
import { importFrom, linesOf, newPlaceForEachTest } from '../support/transfer.ts';

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const plain = [1, 2, 3].map((number) =>
  statement({ id: uuid(number), timestamp: `2024-01-0${number}T00:00:00Z` }),
);
const lines = plain.map((each) => JSON.stringify(each));

/** One statement, compressed by zstd. */
const zstd =
  'KLUv/QRoDQQAUogbGWCvDuSR9SXWC0Qp98NwBElhDW+aWwQpgRPAdX32rdrl2nWqLWFLdqKddbbbWns36m7eo8TTg+uMZAV+IghSvLCtnu2nQujvlI3QrXfJtoQP7hwk2MmEEnRg7oAK4yMaDA6yYIzQYTqa/H3WWwEFAFNdiYqVqMWOxuiFbogCeBXY5A==';

describe('a file of statements', () => {
  const place = newPlaceForEachTest();

  async function importFile(content: string | Buffer, trusted = false) {
    const file = join(place.folder.path, 'statements');
    await writeFile(file, content);
    return importPath(file, trusted);
  }

  async function importPath(path: string, trusted = false, options: Partial<SourceOptions> = {}) {
    const target = storeAsTarget(place.to.store, { trusted, dry: false });
    const own = join(place.folder.path, 'import');
    return importFrom(await openSource(path, { folder: own, ...options }), target, { folder: own });
  }

  const ids = () => foundIds(place.to.store.services.statements, { ascending: true });

  it.each<[string, string | Buffer]>([
    ['lines', `${lines.join('\n')}\n`],
    ['lines with CRLF, empty ones, a byte order mark and no end', `\ufeff\n${lines.join('\r\n\r\n')}`],
    ['an array', JSON.stringify(plain)],
    ['an indented array', JSON.stringify(plain, null, 2)],
    ['lists of statements', `${lines[0]}\n[${lines[1]},${lines[2]}]\n[]`],
    ['a list of lists', `[[${lines[0]},${lines[1]}],[${lines[2]}]]`],
    ['an array with lines and arrays behind it', `[${lines[0]}]\n${lines[1]}\n[${lines[2]}]\n`],
    [
      'an empty array with an indented line and two arrays in one line behind it',
      `[]\r\n  ${lines[0]}\r\n[${lines[1]}][${lines[2]}]`,
    ],
    [
      'pages of an LRS, of which the last leads to no more',
      [1, 2, 3]
        .map((number) =>
          JSON.stringify({ statements: plain.slice(number - 1, number), more: number < 3 ? '/x' : '' }),
        )
        .join('\n'),
    ],
    ['the answer of an LRS', JSON.stringify({ statements: plain, more: '' })],
    [
      'documents of Elasticsearch',
      lines.map((line, index) => `{"_index":"x","_id":"${index}","_source":${line}}`).join('\n'),
    ],
    ['compressed lines', gzipSync(lines.join('\n'))],
  ])('may consist of %s', async (_, content) => {
    const { progress, report } = await importFile(content);
    expect(progress.counts.statement).toEqual({ stored: 3, present: 0, refused: 0 });
    expect(isClean(report)).toBe(true);
    expect(await ids()).toEqual([uuid(1), uuid(2), uuid(3)]);
  });

  it('may be compressed by zstd', async () => {
    const { report } = await importFile(Buffer.from(zstd, 'base64'));
    expect([report.statements.target, isClean(report)]).toEqual([1, true]);
  });

  it('keeps every digit, and texts with brackets and quotes', async () => {
    const odd = statement({ id: uuid(7), result: { response: '},{"\\ü' } });
    const text = JSON.stringify(odd).replace('"result":{', '"result":{"score":{"raw":1.0,"max":1e2},');
    await importFile(`[${text}, ${lines[0]}]`);
    const stored = (await linesOf(place.to.store, { plain: true })).join('');
    expect(stored).toContain('"raw":1.0,"max":1e2');
    expect(await ids()).toEqual([uuid(7), uuid(1)]);
  });

  it('lists every refused statement with its place and the rule that it breaks, and stores the others', async () => {
    const broken = [
      lines[0],
      '{"id":"x"',
      JSON.stringify({ ...plain[1], actor: { mbox: 'nobody' } }),
      JSON.stringify({ ...plain[0], verb: { id: 'https://example.org/other' } }),
      lines[2],
    ];
    const { progress, report } = await importFile(broken.join('\n'));
    expect(progress.counts.statement).toEqual({ stored: 2, present: 0, refused: 3 });
    expect(report.refused.map(({ place, id }) => [place, id])).toEqual([
      ['item 2', undefined],
      ['item 3', uuid(2)],
      ['item 4', uuid(1)],
    ]);
    expect(report.refused[1]).toMatchObject({
      rule: expect.stringContaining('xAPI 1.0.3 Data'),
      refused: expect.stringContaining('mbox'),
    });
    expect(report.refused[2]?.refused).toContain('different statement');
    expect([isClean(report), report.differences]).toEqual([false, []]);
    expect(report.statements).toEqual({ source: 2, target: 2 });
  });

  it('gives statements without an id the same one each time', async () => {
    const { id: _, ...without } = plain[0] ?? statement();
    const content = `${JSON.stringify(without)}\n${JSON.stringify(without)}`;
    await importFile(content);
    const first = await ids();
    expect(new Set(first).size).toBe(2);
    const { progress } = await importFile(content);
    expect(progress.counts.statement?.present).toBe(2);
    expect(await ids()).toEqual(first);
  });

  it('gives statements without an id the same one after it was moved, and others in a file of another name', async () => {
    const { id: _, ...without } = plain[0] ?? statement();
    const line = JSON.stringify(without);
    await importFile(line);
    const first = await ids();
    const moved = join(place.folder.path, 'moved');
    await mkdir(moved);
    await writeFile(join(moved, 'statements'), `${line}\n${lines[1]}`);
    const own = join(place.folder.path, 'second');
    const target = storeAsTarget(place.to.store, { trusted: false, dry: false });
    const source = await openSource(join(moved, 'statements'), { folder: own });
    const { progress } = await importFrom(source, target, { folder: own });
    expect(progress.counts.statement).toEqual({ stored: 1, present: 1, refused: 0 });
    await writeFile(join(moved, 'of-the-next-hour'), line);
    const other = await openSource(join(moved, 'of-the-next-hour'), { folder: own });
    await importFrom(other, target, { folder: join(place.folder.path, 'third') });
    expect(await ids()).toEqual([...first, uuid(2), expect.any(String)]);
  });

  it('differs from what is stored when a number of many digits does', async () => {
    const number = (digits: string) => `{"result":{"score":{"raw":${digits}}},${lines[0]?.slice(1)}`;
    await importFile(number('0.1'));
    const { report } = await importFile(number('0.10000000000000000001'));
    expect(report.differences).toEqual([{ place: 'item 1', id: uuid(1), problem: 'differs: result' }]);
    expect((await importFile(number('0.10'))).report.differences).toEqual([]);
  });

  it('gives each statement of a list an id of its own, the same one each time', async () => {
    const { id: _, ...without } = plain[0] ?? statement();
    const content = [JSON.stringify(without), JSON.stringify([without, without])].join('\n');
    const { report } = await importFile(content);
    expect(report.statements).toEqual({ source: 3, target: 3 });
    const first = await ids();
    expect(new Set(first).size).toBe(3);
    await importFile(content);
    expect(await ids()).toEqual(first);
  });

  it.each([
    `{"_id":{"$oid":"${'0'.repeat(24)}"},"statement":[${lines[0]},${lines[1]}]}`,
    `{"statements":[[${lines[0]}]]}`,
    `[[[${lines[0]}]]]`,
    `{}\n[${lines[0]}`,
  ])('refuses a list in the place of one statement: %s', async (content) => {
    const { report } = await importFile(content);
    expect(report.refused.at(-1)?.refused).toBe('it is a list, not one statement');
    expect(await ids()).toEqual([]);
  });

  it('is not clean when what was refused is listed no more', async () => {
    const { progress } = await importFile('{"actor"\n[5');
    const own = join(place.folder.path, 'import');
    await writeFile(join(own, 'refused.ndjson'), '');
    const source = await openSource(join(place.folder.path, 'statements'), { folder: own });
    const target = storeAsTarget(place.to.store, { trusted: false, dry: false });
    const report = await compareAll({
      ...{ source, target, journal: new Journal(own) },
      imported: progress,
    });
    expect(isClean(report)).toBe(false);
    expect(report.differences.map(({ problem }) => problem)).toEqual([
      'cannot be compared: it has no id',
      'cannot be compared: it is a list, not one statement',
    ]);
  });

  it('is compared by verb, day and Actor with what is stored', async () => {
    await importFile(lines.join('\n'));
    const { db } = place.to.store;
    await db.write((session) =>
      session.execute(
        "UPDATE statement SET payload = REPLACE(payload, 'verbs/did', 'verbs/DID') WHERE id = :id",
        { id: uuid(2) },
      ),
    );
    await db.write((session) => session.execute('DELETE FROM statement WHERE id = :id', { id: uuid(3) }));
    const source = await openSource(join(place.folder.path, 'statements'), { folder: place.folder.path });
    const target = storeAsTarget(place.to.store, { trusted: false, dry: false });
    const report = await compareAll({
      source,
      target,
      journal: new Journal(place.folder.path),
      imported: { counts: {}, sum: '' },
    });
    expect(report.verbs).toEqual([
      { name: 'https://example.org/verbs/did', source: 3, target: 1 },
      { name: 'https://example.org/verbs/DID', source: 0, target: 1 },
    ]);
    expect(report.days).toEqual([{ name: '2024-01-03', source: 1, target: 0 }]);
    expect(report.actors).toEqual([{ name: 'mbox::mailto:someone@example.org', source: 3, target: 2 }]);
    expect(report.differences).toEqual([
      { place: 'item 2', id: uuid(2), problem: 'differs: verb' },
      { place: 'item 3', id: uuid(3), problem: 'missing' },
    ]);
    expect(report.hash.source).not.toBe(report.hash.target);
    expect(reportLines(report)).toContain('Days: 3 compared, 1 with different numbers of statements');
    expect(reportLines(report).join('\n')).toContain('item 3: 00000000-0000-4000-8000-000000000003 missing');
  });

  describe('of Learning Locker', () => {
    const [lrs, elsewhere] = [new ObjectId(), new ObjectId()];
    const key = 'https://example.org/e&46;x';
    const documents = (store: ObjectId, first: number) => {
      const voided = statement({ id: uuid(first), stored: '2020-01-01T00:00:00.000Z' });
      return [
        {
          _id: new ObjectId(),
          lrs_id: store,
          statement: { ...voided, context: { extensions: { [key]: 1 } } },
          voided: true,
        },
        {
          ...{
            _id: new ObjectId(),
            lrs_id: store,
            voided: false,
            stored: new Date(),
            personaIdentifier: new ObjectId(),
          },
          statement: voiding(uuid(first), { id: uuid(first + 1), stored: '2020-01-01T00:00:01.000Z' }),
        },
      ];
    };
    const document = (parts: object) => ({
      _id: new ObjectId(),
      lrs,
      organisation: new ObjectId(),
      etag: 'x',
      ...parts,
    });

    it('in a folder of mongodump: statements of one store, states and profiles', async () => {
      const dump = join(place.folder.path, 'dump');
      const files = join(place.folder.path, 'files');
      const image = document({
        ...{
          activityId: 'https://example.org/a',
          profileId: 'image',
          contentType: 'image/png',
          extension: 'png',
        },
        updatedAt: new Date('2021-01-01T00:00:00Z'),
      });
      await mkdir(dump);
      await mkdir(join(files, lrs.toString(), 'activityProfiles'), { recursive: true });
      await writeFile(
        join(files, lrs.toString(), 'activityProfiles', `${image._id}.png`),
        Buffer.from([1, 2]),
      );
      const write = (name: string, items: readonly object[]) =>
        writeFile(join(dump, name), Buffer.concat(items.map((item) => BSON.serialize(item))));
      await write('statements.bson', [...documents(lrs, 1), ...documents(elsewhere, 11)]);
      const owner = {
        activityId: 'https://example.org/a',
        agent: agent('ann'),
        contentType: 'application/json',
      };
      await write('states.bson', [
        document({ ...owner, stateId: 's', content: { [key]: 1 }, updatedAt: new Date() }),
      ]);
      await write('activityProfiles.bson', [image]);
      const { progress, report } = await importPath(dump, true, { lrs: lrs.toString(), files });
      expect(report.refused).toEqual([]);
      expect(progress.counts).toMatchObject({ statement: { stored: 2 }, document: { stored: 2 } });
      expect(isClean(report)).toBe(true);
      const { statements, documents: service } = place.to.store.services;
      expect(await read(statements, uuid(1), true)).toMatchObject({
        stored: '2020-01-01T00:00:00.000000Z',
        context: { extensions: { 'https://example.org/e.x': 1 } },
      });
      const address = { activity: 'https://example.org/a', registration: undefined };
      const state = await service.get({
        kind: 'activities/state',
        ...address,
        agent: 'mbox::mailto:ann@example.org',
        id: 's',
      });
      expect(state.content.toString()).toBe('{"https://example.org/e.x":1}');
      const profile = await service.get({
        kind: 'activities/profile',
        ...address,
        agent: undefined,
        id: 'image',
      });
      expect([...profile.content]).toEqual([1, 2]);
    });

    it('as mongoexport writes it', async () => {
      const { progress, report } = await importFile(
        documents(lrs, 1)
          .map((item) => BSON.EJSON.stringify(item))
          .join('\n'),
        true,
      );
      expect(progress.counts.statement).toEqual({ stored: 2, present: 0, refused: 0 });
      expect(isClean(report)).toBe(true);
    });
  });

  it.skipIf(!realStatementsAreThere)('with 10,000 real statements is stored as a whole', async () => {
    const all = realStatements();
    const { report } = await importFile(all.map((each) => JSON.stringify(each)).join('\n'));
    expect(report.statements).toEqual({ source: 10_000, target: 10_000 });
    expect(isClean(report)).toBe(true);
    expect(await ids()).toEqual(all.map(({ id }) => id));
  });
});
