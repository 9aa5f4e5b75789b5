import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';

const gzipMagic = Buffer.from([0x1f, 0x8b]);
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const chunkBytes = 1024 * 1024;

/** The bytes of a file, decompressed where it is gzip or zstd, whatever its name is; `-` stands for the standard input. */
export async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: chunkBytes });
  const chunks: AsyncIterator<Buffer> = input[Symbol.asyncIterator]();
  try {
    const { head, rest } = await startOf(chunks);
    if (head.subarray(0, gzipMagic.length).equals(gzipMagic)) yield* gunzipped(head, rest);
    else if (head.subarray(0, zstdMagic.length).equals(zstdMagic)) yield* unzstd(head, rest);
    else {
      yield head;
      yield* rest;
    }
  } finally {
    input.destroy();
  }
}

/** The first bytes, as many as tell the kind of compression, and what follows. */
async function startOf(chunks: AsyncIterator<Buffer>) {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < zstdMagic.length) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return { head, rest: { [Symbol.asyncIterator]: () => chunks } };
}

async function* gunzipped(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const whole = async function* () {
    yield head;
    yield* rest;
  };
  // An error ends the iteration below.
  yield* pipeline(whole, createGunzip({ chunkSize: chunkBytes }), () => {});
}

async function* unzstd(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let made: Buffer[] = [];
  const decompress = new Decompress((data) => made.push(Buffer.from(data)));
  decompress.push(head);
  for await (const chunk of rest) {
    yield* made;
    made = [];
    decompress.push(chunk);
  }
  decompress.push(new Uint8Array(), true);
  yield* made;
}
