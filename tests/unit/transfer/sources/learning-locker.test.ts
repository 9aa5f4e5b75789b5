import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON } from 'bson';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InvalidError } from '../../../../lib/errors.ts';
import { learningLockerDump } from '../../../../lib/transfer/sources/learning-locker-dump.ts';
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

  it.each([1, 3, 4, lastBytes - 1])(
    'is refused when only %i bytes of its last document are there',
    async (left) => {
      const { places, error } = await read(whole.subarray(0, whole.length - lastBytes + left));
      expect(places).toEqual(['statements 1', 'statements 2']);
      expect(error).toBeInstanceOf(InvalidError);
      expect(String(error)).toContain('was cut off: its last document is not complete');
    },
  );

  it.each([0, 4, -1, 256 * 1024 * 1024 + 1])(
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
