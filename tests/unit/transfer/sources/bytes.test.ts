import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf } from '../../../../lib/transfer/sources/bytes.ts';
import { itemsOf } from '../../../../lib/transfer/sources/json-items.ts';
import { temporaryFolder } from '../../../support/transfer.ts';

const KiB = 1024;
const MiB = KiB * KiB;

/** A frame without checksum whose window has 8 MiB (RFC 8878, 3.1.1). */
const frameHead = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 13 << 3]);
const blockOf = (type: number, size: number, content: Uint8Array, last = false): Buffer => {
  const header = Buffer.alloc(3);
  header.writeUIntLE(Number(last) | (type << 1) | (size << 3), 0, 3);
  return Buffer.concat([header, content]);
};
const repeated = (byte: number, size: number): Buffer => blockOf(1, size, Buffer.from([byte]));
const raw = (content: Buffer): Buffer => blockOf(0, content.length, content);
const end = blockOf(0, 0, Buffer.alloc(0), true);

describe('a file that zstd has compressed', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'file.zst');
  });
  afterEach(() => folder.remove());

  const write = (...blocks: readonly Buffer[]): Promise<void> =>
    writeFile(file, Buffer.concat([frameHead, ...blocks, end]));

  it('is read as it was, wherever its blocks begin', async () => {
    const blocks = [1, 127, 128, 129, 5000, 128 * KiB].map((size, index) => Buffer.alloc(size, 65 + index));
    await write(...blocks.map(raw), repeated(90, 3), raw(Buffer.from('end')));
    const pieces: Buffer[] = [];
    for await (const piece of bytesOf(file)) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(Buffer.concat([...blocks, Buffer.from('ZZZend')]))).toBe(true);
  });

  it.each([0x184d2a50, 0x184d2a5f])('may begin with a frame that is skipped: %i', async (magic) => {
    const skipped = Buffer.alloc(11, 0x58);
    skipped.writeUInt32LE(magic);
    skipped.writeUInt32LE(3, 4);
    await writeFile(file, Buffer.concat([skipped, frameHead, raw(Buffer.from('text')), end]));
    const pieces: Buffer[] = [];
    for await (const piece of bytesOf(file)) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('text');
  });

  it.each([
    ['of a frame', Buffer.from([0, (18 << 3) | 0])],
    ['of a frame behind its first byte', Buffer.from([0, (17 << 3) | 1])],
    ['of a frame of a single segment', Buffer.from([0xa0, 0, 0, 0, 9])],
    ['of a frame whose content has a size of 64 bits', Buffer.from([0xe0, 0, 0, 0, 0, 1, 0, 0, 0])],
  ])('is refused where the window %s takes more than 128 MiB, also behind another frame', async (_, head) => {
    const magic = frameHead.subarray(0, 4);
    await writeFile(file, Buffer.concat([frameHead, repeated(65, 5), end, magic, head, end]));
    const reading = async (): Promise<void> => {
      for await (const piece of bytesOf(file)) expect(piece.length).toBeLessThanOrEqual(5);
    };
    const before = process.memoryUsage().arrayBuffers;
    await expect(reading()).rejects.toThrow(
      /needs a window of \d+ bytes, and an import has room for 134217728/,
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MiB);
  });

  it('is read where a window has 128 MiB, with a checksum and an id of a dictionary', async () => {
    const head = Buffer.from([...frameHead.subarray(0, 4), 0b101, 17 << 3, 0]);
    const frame = Buffer.concat([head, raw(Buffer.from('text')), end, Buffer.alloc(4)]);
    await writeFile(file, Buffer.concat([frame, frameHead, raw(Buffer.from(' and more')), end]));
    const pieces: Buffer[] = [];
    for await (const piece of bytesOf(file)) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('text and more');
  });

  it('is expanded a part at a time, however much a few bytes of it stand for', async () => {
    const large = repeated(0x20, 2 * MiB - 1);
    await write(...Array.from({ length: 500 }, () => large));
    const before = process.memoryUsage().arrayBuffers;
    for await (const piece of bytesOf(file)) {
      expect(piece).toHaveLength(2 * MiB - 1);
      break;
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 * MiB);
  });

  it('leaves other work its turns, also where it holds nothing but empty lines', async () => {
    const blocks = 100;
    await write(...Array.from({ length: blocks }, () => repeated(0x0a, 16 * KiB)));
    let turns = 0;
    let reading = true;
    const other = async (): Promise<void> => {
      for (; reading; turns += 1) await setImmediate();
    };
    const counted = other();
    for await (const item of itemsOf(bytesOf(file))) expect(item).toBeUndefined();
    reading = false;
    await counted;
    expect(turns).toBeGreaterThanOrEqual(blocks);
  });
});
