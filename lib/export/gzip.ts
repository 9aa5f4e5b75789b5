import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';

/** Pieces of a text, compressed while they are made. Whoever stops reading ends the making, and its failure is passed on. */
export async function* gzipped(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(pieces, { objectMode: false });
  const gzip = createGzip();
  source.once('error', (error) => gzip.destroy(error));
  source.pipe(gzip);
  try {
    for await (const piece of gzip) yield piece;
  } finally {
    source.destroy();
    gzip.destroy();
  }
}
