import { sha1 } from './sha1.ts';

/** Bytes that go to the unpacking at once: few, so that the progress in the packed file can be told. */
const portion = 16 * 1024;
const sampleSize = 256 * 1024;

/** A file of statements, packed by gzip or not. */
export class StatementSource {
  readonly #file: Blob;
  /** Bytes of the file that are read. */
  position = 0;

  constructor(file: Blob) {
    this.#file = file;
  }

  /** The content, unpacked. @throws an error of the browser when the file can't be read or unpacked. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const isPacked = await startsWithGzip(this.#file);
    const packed = this.#portions();
    const stream = isPacked ? packed.pipeThrough(new DecompressionStream('gzip')) : packed;
    const reader = stream.getReader();
    try {
      for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
        if (value !== undefined) yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  /** Says whether two files have the same content, by their size, beginning and end. */
  async fingerprint(): Promise<string> {
    const file = this.#file;
    const sample = new Blob([file.slice(0, sampleSize), file.slice(-sampleSize), String(file.size)]);
    const digest = sha1(new Uint8Array(await sample.arrayBuffer()));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  #portions(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const pieces = this.#file.stream().getReader();
    let piece = new Uint8Array();
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          if (piece.length === 0) {
            const { done, value } = await pieces.read();
            if (done) return controller.close();
            piece = value;
          }
          const next = piece.subarray(0, portion);
          piece = piece.subarray(portion);
          this.position += next.length;
          controller.enqueue(next);
        },
        cancel: (reason) => pieces.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}

async function startsWithGzip(file: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}
