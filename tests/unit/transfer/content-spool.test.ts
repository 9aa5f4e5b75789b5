import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContentSpool } from '../../../lib/transfer/content-spool.ts';
import { temporaryFolder } from '../../support/transfer.ts';

const MiB = 1024 * 1024;
const sha2 = 'a'.repeat(64);
const other = 'b'.repeat(64);
const data = Buffer.alloc(32 * MiB).toString('base64');

describe('contents that wait for their statements', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let spool: ContentSpool;

  beforeEach(async () => {
    folder = await temporaryFolder();
    spool = new ContentSpool(folder.path);
  });
  afterEach(() => folder.remove());

  it('are read with all of their parts, and anew when their first part comes again', async () => {
    const [first, last] = ['one ', 'two'].map((text) => Buffer.from(text).toString('base64'));
    await spool.add({ sha2, data: first ?? '', more: true });
    await spool.add({ sha2, data: last ?? '' });
    await spool.add({ sha2, data: first ?? '', more: true });
    await spool.add({ sha2: other, data: last ?? '' });
    expect(await spool.read(sha2)).toEqual(Buffer.from('one two'));
    expect(await spool.read(other)).toEqual(Buffer.from('two'));
    expect(
      await Promise.all([sha2, other, 'c'.repeat(64), '../x'].map((each) => spool.lengthOf(each))),
    ).toEqual([7, 3, 0, 0]);
  });

  it('are refused with their last part when they have more than 256 MiB, and the next one is kept', async () => {
    for (let part = 0; part < 9; part += 1) await spool.add({ sha2, data, more: true });
    await expect(spool.add({ sha2, data })).rejects.toThrow(
      `it has ${320 * MiB} bytes, and a content of an import may have ${256 * MiB}`,
    );
    expect(await spool.read(sha2)).toBeUndefined();
    await spool.add({ sha2: other, data: '' });
    expect(await spool.lengthOf(other)).toBe(0);
    await truncate(join(folder.path, other), 5);
    expect(await spool.lengthOf(other)).toBe(5);
  });
});
