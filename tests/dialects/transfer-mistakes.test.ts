import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { DatabaseOptions } from '../../lib/db/dialects/engine.ts';
import { factsOf } from '../../lib/db/dialects/facts.ts';
import { storeAsTarget } from '../../lib/transfer/open-store.ts';
import { openSource } from '../../lib/transfer/sources/open.ts';
import { engines } from '../support/engines.ts';
import { changeSchema } from '../support/schema-change.ts';
import { statement } from '../support/statements.ts';
import { importFrom, newPlaceForEachTest } from '../support/transfer.ts';

/** The address of a test database as `--from` names it. */
function addressOf(options: DatabaseOptions): string {
  if (options.dbType === 'sqlite') return options.dbName;
  const { dbType, dbHost, dbPort, dbUser, dbPassword = '', dbName } = options;
  return `${factsOf(dbType).family}://${dbUser}:${dbPassword}@${dbHost}:${dbPort}/${dbName}`;
}

describe.each(engines.filter(({ shared }) => shared))('--from with a database on $name', (engine) => {
  it('of this LRS advises an export, and with an empty one says that it is not one of lrsql', async () => {
    const own = await engine.create();
    await expect(openSource(addressOf(own.options), { folder: '' })).rejects.toThrow(/npm run export/);
    await own.db.write((session) =>
      changeSchema(session, 'ALTER TABLE server_secret RENAME TO something_else'),
    );
    await expect(openSource(addressOf(own.options), { folder: '' })).rejects.toThrow(
      /^The database .* is not one of lrsql: .*xapi_statement[^.]*\.$/,
    );
    await own.remove();
  });

  if (engine.family !== 'sqlite') {
    it('that cannot be opened names the server and not the password', async () => {
      const { options, remove } = await engine.create();
      const wrong = new URL(`${addressOf(options)}_missing`);
      wrong.password = 'wr0ng-secret';
      const message = await openSource(wrong.href, { folder: '' }).then(
        () => 'opened',
        (error: Error) => error.message,
      );
      await remove();
      expect(message).toMatch(/^The database \S+_missing on \S+ cannot be opened: /);
      expect(message).not.toMatch(/wr0ng-secret|conn:|errno/);
    });
  }
});

describe('a source with a mistake', () => {
  const place = newPlaceForEachTest();

  async function importFile(content: string | Buffer, lrs?: string) {
    const file = join(place.folder.path, 'statements');
    await writeFile(file, content);
    const source = await openSource(file, { folder: place.folder.path, lrs });
    const target = storeAsTarget(place.to.store, { trusted: false, dry: false });
    const { report } = await importFrom(source, target, { folder: join(place.folder.path, 'import') });
    return { report, notice: source.notice?.() };
  }

  it.each([
    ['{not json', 'item 1', / at column 2\./],
    [`${JSON.stringify(statement())}\n  {"a" 1}`, 'item 2', / at column 8\./],
    [`[\n  ${JSON.stringify(statement())},\n    {"a" 1}\n]`, 'item 2', / at line 1, column 6\./],
    [`[\n  {\n    "a" 1}\n]`, 'item 1', / at line 2, column 9\./],
  ])('that is no JSON names the item and the place within it: %j', async (content, place, reason) => {
    const { report } = await importFile(content);
    expect(report.refused).toMatchObject([{ place, refused: expect.stringMatching(reason) }]);
  });

  it('behind an array is refused with its place', async () => {
    const { report } = await importFile(`[${JSON.stringify(statement())}]]\n"lost", 12\n`);
    expect(report.statements).toEqual({ source: 1, target: 1 });
    expect(report.refused.map(({ place }) => place)).toEqual(['item 2', 'item 3']);
  });

  it('that is a list without its end, or with more behind it, is refused as a whole', async () => {
    const [one, two] = [statement(), statement()].map((each) => JSON.stringify(each));
    const { report } = await importFile([one, `[${two}`, `[${two}] 1`, `[${two}}`].join('\n'));
    expect(report.statements).toEqual({ source: 1, target: 1 });
    expect(report.refused.map(({ place }) => place)).toEqual(['item 2', 'item 3', 'item 4']);
  });

  it('that is a page without the further ones is not complete', async () => {
    const { report } = await importFile(JSON.stringify({ statements: [statement()], more: '/xapi/x' }));
    expect(report.statements).toEqual({ source: 1, target: 1 });
    expect(report.refused).toMatchObject([
      {
        place: 'end of the file',
        refused: expect.stringContaining('leads to statements that are not in the file'),
      },
    ]);
  });

  it('is refused with its place when it would take much memory', async () => {
    const many = (text: string) => Array.from({ length: 1_000_001 }, () => text).join(',');
    const { report } = await importFile(
      [
        JSON.stringify(statement()),
        `[${many('1')}]`,
        `{"statements":[${many('1')}],"more":""}`,
        `{"_source":{"x":[${many('{}')}]}}`,
        `{"x":[${many('[]')}]}`,
        JSON.stringify({ ...statement(), ['n'.repeat(16_384)]: 1 }),
        JSON.stringify(statement()),
      ].join('\n'),
    );
    expect(report.statements).toEqual({ source: 2, target: 2 });
    expect(report.refused.map(({ place, refused }) => [place, refused])).toEqual([
      ['item 2', 'it is a list of more than 1000000 items'],
      ['item 3', 'it is a list of more than 1000000 items'],
      ['item 4', expect.stringContaining('more than 1000000 JSON values')],
      ['item 5', expect.stringContaining('more than 1000000 JSON values')],
      ['item 6', 'it has a property name of more than 16383 bytes'],
    ]);
  });

  it.each(['KEY:s3cret@lrs.example/xapi', 'postgresql:lrs?user=ann&password=s3cret'])(
    'at an address without a known scheme is refused without its secret: %s',
    async (from) => {
      const message = await openSource(from, { folder: '' }).then(
        () => 'opened',
        (error: Error) => error.message,
      );
      expect(message).toMatch(/an address without a known scheme: it must begin with https:/);
      expect(message).not.toContain('s3cret');
    },
  );

  it('that was compressed and cut off is named', async () => {
    const cut = gzipSync(JSON.stringify(statement())).subarray(0, 60);
    await expect(importFile(cut)).rejects.toThrow(/file .*statements was cut off or is damaged: /);
  });

  it('at an address of another protocol says which ones there are', async () => {
    await expect(openSource('ftp://lrs.example/x', { folder: '' })).rejects.toThrow(/from ftp:.*https/);
  });

  it('of several stores of Learning Locker names them, and an unknown one is refused', async () => {
    const lines = ['a', 'b'].map((store) =>
      JSON.stringify({ _id: store, lrs_id: store, personaIdentifier: 'x', statement: statement() }),
    );
    await expect(importFile(lines.join('\n'), 'c')).rejects.toThrow('There is no store c here, only a, b.');
    expect((await importFile(lines[0] ?? '', 'a')).notice).toBeUndefined();
  });

  it('of several stores of Learning Locker is imported as a whole with a notice', async () => {
    const lines = ['a', 'b'].map((store) =>
      JSON.stringify({ _id: store, lrs_id: store, personaIdentifier: 'x', statement: statement() }),
    );
    const { report, notice } = await importFile(lines.join('\n'));
    expect(report.statements).toEqual({ source: 2, target: 2 });
    expect(notice).toMatch(/several stores.*: a, b\. .*--lrs/);
  });
});
