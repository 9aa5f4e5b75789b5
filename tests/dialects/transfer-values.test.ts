import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON, Decimal128, Long, ObjectId, UUID } from 'bson';
import { describe, expect, it } from 'vitest';
import { storeAsTarget } from '../../lib/transfer/open-store.ts';
import { isClean } from '../../lib/transfer/parity/report.ts';
import { openSource } from '../../lib/transfer/sources/open.ts';
import { agent, statement } from '../support/statements.ts';
import { importFrom, linesOf, newPlaceForEachTest } from '../support/transfer.ts';

const lrs = new ObjectId();
const withValue = (value: unknown) =>
  statement({ result: { extensions: { 'https://example.org/x': value } } as never });
/** A statement whose extension is written like this. */
const written = (text: string): string => JSON.stringify(withValue('VALUE')).replace('"VALUE"', text);
const lists = '[12345678901234567890,1.10,-0,1e2]';

/** So many documents within each other, and one without members. */
function deepDocument(levels: number): Buffer {
  const member = Buffer.from('\x03a\0');
  const end = Buffer.from([5, 0, 0, 0, 0]);
  const starts = Array.from({ length: levels }, (_, index) => {
    const length = Buffer.alloc(4);
    length.writeInt32LE((levels - index) * 8 + end.length);
    return Buffer.concat([length, member]);
  });
  return Buffer.concat([...starts, end, Buffer.alloc(levels)]);
}

describe('the values of a source', () => {
  const place = newPlaceForEachTest();

  async function importPath(path: string) {
    const own = join(place.folder.path, 'import');
    const source = await openSource(path, { folder: own });
    return importFrom(source, storeAsTarget(place.to.store, { trusted: false, dry: false }), { folder: own });
  }
  async function importFile(content: string | Buffer) {
    const file = join(place.folder.path, 'statements');
    await writeFile(file, content);
    return importPath(file);
  }
  async function importDump(...documents: readonly Uint8Array[]) {
    await mkdir(join(place.folder.path, 'dump'));
    await writeFile(join(place.folder.path, 'dump/statements.bson'), Buffer.concat(documents));
    return importPath(join(place.folder.path, 'dump'));
  }
  const stored = async (): Promise<string> => (await linesOf(place.to.store, { plain: true })).join('');
  const document = (value: unknown, more = {}) =>
    BSON.serialize({ _id: new ObjectId(), lrs_id: lrs, statement: withValue(value), ...more });

  it.each([
    ['a document of Elasticsearch', `{"_source":${written(lists)}}`],
    ['the answer of an LRS', `{"statements":[${written(lists)}],"more":""}`],
    ['mongoexport', `{"_id":"x","personaIdentifier":"p","statement":${written(lists)}}`],
  ])('keep every digit in %s', async (_, content) => {
    expect(isClean((await importFile(content)).report)).toBe(true);
    expect(await stored()).toContain(`"https://example.org/x":${lists}`);
  });

  it('of 64 and 128 bits keep every digit in what mongoexport writes', async () => {
    const value = '[{"$numberLong":"1234567890123456789"},{"$numberDecimal":"1.10"},{"$numberInt":"5"}]';
    await importFile(`{"_id":{"$oid":"${lrs}"},"statement":${written(value)}}`);
    expect(await stored()).toContain('"https://example.org/x":[1234567890123456789,1.10,5]');
  });

  it('of 64 and 128 bits keep every digit in BSON, and UUIDs and times are texts', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const time = new Date('2024-01-01T00:00:00Z');
    const { report } = await importDump(
      document([
        Long.fromString('1234567890123456789'),
        Decimal128.fromString('1.10'),
        1.5,
        7,
        new UUID(id),
        time,
      ]),
    );
    expect(isClean(report)).toBe(true);
    expect(await stored()).toContain(`[1234567890123456789,1.10,1.5,7,"${id}","2024-01-01T00:00:00.000Z"]`);
  });

  it.each([
    [`{"_source":${written('1e400')}}`, /too large/],
    [Buffer.from(`{"_source":${written('"\xff"')}}`, 'latin1'), /UTF-8/],
    [
      `{"_id":"x","personaIdentifier":"p","statement":${written('{"$numberDouble":"Infinity"}')}}`,
      /Infinity.*RFC 8259/,
    ],
  ])('that JSON cannot have are refused: %s', async (content, reason) => {
    const { report } = await importFile(content);
    expect(report.refused).toMatchObject([{ place: 'item 1', refused: expect.stringMatching(reason) }]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Decimal128.fromString('NaN'), /x/, 'a\0b'])(
    'that JSON cannot have are refused in BSON, and the documents around are imported: %s',
    async (value) => {
      const { progress, report } = await importDump(
        document(1),
        document(value, { _id: 'odd' }),
        document(2),
      );
      expect(progress.counts.statement).toEqual({ stored: 2, present: 0, refused: 0 });
      expect(report.refused).toMatchObject([{ place: 'statements odd' }]);
      expect(report.differences).toEqual([]);
    },
  );

  it('of a document of BSON that is damaged refuse it with its number, and the documents around are imported', async () => {
    const damaged = Buffer.from(document('ZZ'));
    damaged[damaged.indexOf('ZZ')] = 0xff;
    const endless = Buffer.from(document(1));
    endless[endless.length - 1] = 1;
    const odd = document(2, { _id: { toString: 1 }, lrs_id: { toString: 1 } });
    const deep = deepDocument(100_000);
    const { progress, report } = await importDump(document(1), damaged, endless, deep, odd, document(3));
    expect(progress.counts.statement).toEqual({ stored: 3, present: 0, refused: 0 });
    expect(report.refused.map(({ place }) => place)).toEqual([
      'statements document 2',
      'statements document 3',
      'statements document 4',
    ]);
  });

  it('of what is not Extended JSON refuse the item, and the others are imported', async () => {
    const item = (value: string) => `{"_id":{"$oid":"${lrs}"},"statement":${written(value)}}`;
    const { progress, report } = await importFile([item('{"$binary":5}'), item('1')].join('\n'));
    expect(progress.counts.statement).toEqual({ stored: 1, present: 0, refused: 0 });
    expect(report.refused).toMatchObject([
      { place: 'item 1', refused: expect.stringMatching(/^it is not Extended JSON: /) },
    ]);
  });

  it('of documents of Learning Locker that address nothing are refused, and one without a type is of bytes', async () => {
    const state = { lrs, activityId: 'https://example.org/a', content: 'x', updatedAt: '2024-01-01' };
    await mkdir(join(place.folder.path, 'dump'));
    await writeFile(
      join(place.folder.path, 'dump/states.bson'),
      Buffer.concat(
        [
          { ...state, _id: 'a', stateId: 's', agent: { name: 'nobody' }, contentType: 'text/plain' },
          {
            ...state,
            _id: 'b',
            stateId: 's',
            agent: agent('ann'),
            contentType: 'text/plain',
            activityId: null,
          },
          { ...state, _id: 'c', stateId: 's', agent: agent('ann') },
          ...[{ account: null }, { account: 5 }, { mbox: 5 }, null].map((odd, index) => ({
            ...state,
            ...{ _id: `d${index}`, stateId: 's', agent: odd },
          })),
        ].map((each) => BSON.serialize(each)),
      ),
    );
    const { report } = await importPath(join(place.folder.path, 'dump'));
    expect(report.refused).toMatchObject([
      { place: 'states a', refused: 'its agent has no identifier' },
      { place: 'states b', refused: 'it names no activity' },
      ...['d0', 'd1', 'd2', 'd3'].map((id) => ({
        ...{ place: `states ${id}`, refused: 'its agent has no identifier' },
      })),
    ]);
    expect((await linesOf(place.to.store)).join('')).toContain(
      '"contentType":"application/octet-stream","updated":"2024-01-01T00:00:00.000000Z"',
    );
  });
});
