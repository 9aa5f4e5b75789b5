import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import { InvalidError } from '../../errors.ts';
import { giveWayBriefly } from '../../in-turns.ts';
import { ZstdFrames } from './zstd-frames.ts';

const gzipMagic = Buffer.from([0x1f, 0x8b]);
const zstdMagic = 0xfd2fb528;
/** The first of sixteen. */
const skippableMagic = 0x184d2a50;
const magicBytes = 4;
const chunkBytes = 1024 * 1024;

/** The bytes of a file, decompressed where it is gzip or zstd, whatever its name is. */
export async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const input = createReadStream(file, { highWaterMark: chunkBytes });
  const chunks: AsyncIterator<Buffer> = input[Symbol.asyncIterator]();
  try {
    const { head, rest } = await startOf(chunks);
    if (head.subarray(0, gzipMagic.length).equals(gzipMagic)) yield* named(file, gunzipped(head, rest));
    else if (isZstd(head)) yield* named(file, unzstd(head, rest));
    else {
      yield head;
      yield* rest;
    }
  } finally {
    input.destroy();
  }
}

/** Whether a frame begins there, or one that is to be skipped (RFC 8878 3.1.1 and 3.1.2). */
const isZstd = (head: Buffer): boolean =>
  head.length >= magicBytes &&
  (head.readUInt32LE() === zstdMagic || head.readUInt32LE() >>> 4 === skippableMagic >>> 4);

/** @throws InvalidError with the name of the file where it was cut off or damaged. */
async function* named(file: string, expanded: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* expanded;
  } catch (cause) {
    if (cause instanceof InvalidError)
      throw new InvalidError(`The file ${file} is not read: ${cause.message}.`, { cause });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidError(`The compressed file ${file} was cut off or is damaged: ${reason}.`, { cause });
  }
}

/** The first bytes, as many as tell the kind of compression, and what follows. */
async function startOf(chunks: AsyncIterator<Buffer>) {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < magicBytes) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return { head, rest: { [Symbol.asyncIterator]: () => chunks } };
}

async function* gunzipped(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // An error ends the iteration below.
  yield* pipeline(joined(head, rest), createGunzip({ chunkSize: chunkBytes }), () => {});
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

/** Compressed bytes that are expanded at once: to 64 MiB at most, because four bytes can stand for a block of 2 MiB. */
const zstdSlice = 128;

/** Expands in this thread, so it gives way to others after each block, however little the reader makes of it. */
async function* unzstd(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let blocks: Buffer[] = [];
  const frames = new ZstdFrames();
  const decompress = new Decompress((data) => blocks.push(Buffer.from(data)));
  for await (const chunk of joined(head, rest)) {
    for (let at = 0; at < chunk.length; at += zstdSlice) {
      const slice = chunk.subarray(at, at + zstdSlice);
      frames.check(slice);
      decompress.push(slice);
      for (const block of blocks) {
        yield block;
        await giveWayBriefly();
      }
      blocks = [];
    }
  }
  decompress.push(new Uint8Array(), true);
  yield* blocks;
}
