import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON } from 'bson';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvalidError } from '../../../../lib/errors.ts';
import { earlyLogger } from '../../../../lib/logger.ts';
import { longestContents } from '../../../../lib/transfer/item-limits.ts';
import {
  exportedRecord,
  learningLockerRecord,
  type ReadingOptions,
} from '../../../../lib/transfer/sources/learning-locker.ts';
import { learningLockerDump } from '../../../../lib/transfer/sources/learning-locker-dump.ts';
import { StoresFound } from '../../../../lib/transfer/sources/stores-found.ts';
import { temporaryFolder } from '../../../support/transfer.ts';

const documents = [1, 2, 3].map((_id) => Buffer.from(BSON.serialize({ _id, statement: { id: _id } })));
const whole = Buffer.concat(documents);
const lastBytes = documents.at(-1)?.length ?? 0;

describe('a file of mongodump', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** The places of what is read of the file, until it fails. */
  async function read(content: Buffer): Promise<{ places: string[]; error: unknown }> {
    await writeFile(join(folder.path, 'statements.bson'), content);
    const places: string[] = [];
    try {
      for await (const { place } of learningLockerDump(folder.path, {}).entries()) places.push(place);
      return { places, error: undefined };
    } catch (error) {
      return { places, error };
    }
  }

  it('is read to its end', async () => {
    expect(await read(whole)).toEqual({
      places: ['statements 1', 'statements 2', 'statements 3'],
      error: undefined,
    });
    expect(await read(Buffer.alloc(0))).toEqual({ places: [], error: undefined });
  });

  it('is read on behind a document whose member _bsontype names a type', async () => {
    const marked = BSON.serialize({ _id: 2, statement: { id: 2, _bsontypX: 'ObjectId' } });
    const named = Buffer.from(
      Buffer.from(marked).toString('latin1').replace('_bsontypX', '_bsontype'),
      'latin1',
    );
    const [first = named, , last = named] = documents;
    expect(await read(Buffer.concat([first, named, last]))).toEqual({
      places: ['statements 1', 'statements 2', 'statements 3'],
      error: undefined,
    });
  });

  it.each([1, 3, 4, lastBytes - 1])(
    'is refused when only %i bytes of its last document are there',
    async (left) => {
      const { places, error } = await read(whole.subarray(0, whole.length - lastBytes + left));
      expect(places).toEqual(['statements 1', 'statements 2']);
      expect(error).toBeInstanceOf(InvalidError);
      expect(String(error)).toContain('was cut off: its last document is not complete');
    },
  );

  it.each([0, 4, -1, 16 * 1024 * 1024 + 16 * 1024 + 1])(
    'is refused when a document says that it has %i bytes',
    async (bytes) => {
      const length = Buffer.alloc(4);
      length.writeInt32LE(bytes);
      const { places, error } = await read(Buffer.concat([whole, length, Buffer.alloc(100)]));
      expect(places).toHaveLength(3);
      expect(error).toBeInstanceOf(InvalidError);
      expect(String(error)).toContain(`says that it has ${bytes} bytes`);
    },
  );
});

describe('a document of Learning Locker', () => {
  const reading: ReadingOptions = { stores: new StoresFound(undefined) };
  const statement = { id: 'x', result: { extensions: {} } };
  const withExtension = (value: unknown) => ({
    ...statement,
    result: { extensions: { 'https://e.org/x': value } },
  });

  it.each([
    { _bsontype: 'ObjectId' },
    { _bsontype: 'Long' },
    { _bsontype: 'Int32', value: '7' },
    { _bsontype: 'constructor' },
    { _bsontype: 1 },
  ])('keeps the member _bsontype of a statement: %j', (value) => {
    const json = Buffer.from(JSON.stringify(withExtension(value)));
    const expected = [{ kind: 'statement', json, parts: [], voided: false }];
    const document = { _id: 'a', statement: withExtension(value) };
    expect(learningLockerRecord(document, reading)).toEqual(expected);
    expect(exportedRecord(document, reading)).toEqual(expected);
  });

  it('has a hundred levels at most, and is refused with more', () => {
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    const read = (levels: number) => learningLockerRecord({ _id: 'a', statement: nested(levels) }, reading);
    expect(read(100)).toMatchObject([{ kind: 'statement' }]);
    for (const levels of [101, 2000]) {
      expect(read(levels)).toEqual([
        { kind: 'unreadable', reason: 'it is nested deeper than 100 levels, which MongoDB does not permit' },
      ]);
    }
  });

  describe('that is a state', () => {
    const readState = (content: object, files?: string) => {
      const owner = { activityId: 'https://e.org/a', agent: { mbox: 'mailto:a@e.org' } };
      const state = { _id: 'a', lrs: 'b', stateId: 's', ...owner, ...content };
      const read = learningLockerRecord(state, { ...reading, files });
      expect(exportedRecord(state, { ...reading, files })).toEqual(read);
      return read;
    };
    const withContent = (content: string) => [
      { kind: 'document', document: { content: Buffer.from(content) } },
    ];

    it.each([
      ['application/json', 'text', '"text"'],
      ['application/json', 'quoted "text"', '"quoted \\"text\\""'],
      ['application/json', ['a'], '["a"]'],
      ['application/json', false, 'false'],
      ['text/plain', 'text', 'text'],
      ['text/plain', '', ''],
    ])('has the bytes that Learning Locker answers with: %s %j', (contentType, content, bytes) => {
      expect(readState({ contentType, content })).toMatchObject(withContent(bytes));
    });

    it.each([{ content: null }, {}])('is the file that its id names where it has %j', async (content) => {
      const folder = await temporaryFolder();
      const file = { contentType: 'text/plain', extension: 'txt', ...content };
      expect(readState(file)).toEqual([{ kind: 'unreadable', reason: expect.stringContaining('--files') }]);
      expect(readState(file, folder.path)).toMatchObject([{ kind: 'unreadable' }]);
      await mkdir(join(folder.path, 'b', 'states'), { recursive: true });
      await writeFile(join(folder.path, 'b', 'states', 'a.txt'), 'in a file');
      expect(readState(file, folder.path)).toMatchObject(withContent('in a file'));
      await folder.remove();
    });

    it('is refused where its file is larger than an import reads, or outside of the folder', async () => {
      const folder = await temporaryFolder();
      const files = join(folder.path, 'files');
      const file = { contentType: 'text/plain', extension: 'txt' };
      await mkdir(join(files, 'b', 'states'), { recursive: true });
      await mkdir(join(folder.path, 'states'));
      await writeFile(join(folder.path, 'states', 'a.txt'), 'of somebody else');
      await writeFile(join(files, 'b', 'states', 'a.txt'), '');
      await truncate(join(files, 'b', 'states', 'a.txt'), longestContents + 1);
      expect(readState(file, files)).toEqual([
        { kind: 'unreadable', reason: expect.stringContaining(`a file of ${longestContents + 1} bytes`) },
      ]);
      expect(readState({ ...file, lrs: '..' }, files)).toEqual([
        { kind: 'unreadable', reason: expect.stringContaining('a file, which is not there') },
      ]);
      await folder.remove();
    });
  });

  it('is imported without its time when that is not one', () => {
    const state = {
      stateId: 's',
      activityId: 'https://e.org/a',
      agent: { mbox: 'mailto:a@e.org' },
      content: 'x',
    };
    for (const updatedAt of [{ toString: 1 }, 'soon', undefined]) {
      expect(learningLockerRecord({ ...state, updatedAt }, reading)).toMatchObject([
        { kind: 'document', updated: 0 },
      ]);
    }
  });

  it('is refused, and the error logged, when this program fails over it', () => {
    const log = vi.spyOn(earlyLogger, 'error').mockImplementation(() => {});
    const error = new TypeError('x is not a function');
    const stores = new StoresFound(undefined);
    vi.spyOn(stores, 'takes').mockImplementation(() => {
      throw error;
    });
    expect(learningLockerRecord({ _id: 'a', statement }, { stores })).toEqual([
      { kind: 'unreadable', reason: expect.stringContaining('TypeError: x is not a function') },
    ]);
    expect(log).toHaveBeenCalledWith({ err: error }, expect.any(String));
    log.mockRestore();
  });
});
