/** Only some chunks may be smaller than this, because each chunk costs time whatever its size. */
const smallChunk = 64;
const maxSmallChunks = 1000;

/** The most bytes of one chunk extension or trailer, and of all in a body. */
const maxFramingBytes = 16 * 1024;

const lineFeed = 10;
const lineEnd = '\r\n';
const chunkEnd = Buffer.from(lineEnd);
const lastChunk = Buffer.from('0\r\n\r\n');

const sizeLine = /^(?<size>[\da-f]{1,13})(?<extension>;[\t\x20-\x7e\x80-\xff]*)?\r\n$/i;
const trailerLine = /^[!#$%&'*+.^_`|~\da-z-]+:[\t\x20-\x7e\x80-\xff]*\r\n$/i;

/** The framing of a body is malformed, or is too expensive for its length. `message` is for the client. */
export class ChunkError extends Error {
  readonly code = 'LRS_CHUNK';
}

/**
 * Decodes the chunked framing of one request body (RFC 9112 7.1) and writes it again with a single chunk for each received
 * piece. Extensions and trailers are dropped, as RFC 9112 7.1.1 and 7.1.2 permit.
 */
export class ChunkedBody {
  /** The kind of the next line. */
  #next: 'size' | 'end of chunk' | 'trailer' | 'nothing' = 'size';
  /** The beginning of an incomplete line. */
  #line = '';
  /** The bytes of the chunk that are still to come. */
  #left = 0;
  #bytes = 0;
  #smallChunks = 0;
  #framingBytes = 0;

  /** Whether the last chunk and the trailers were received. */
  get isComplete(): boolean {
    return this.#next === 'nothing';
  }

  /**
   * @param piece the next bytes of the connection.
   * @returns its part of the body, as one chunk; when the body is complete, also the last chunk and the bytes after it.
   * @throws ChunkError
   */
  take(piece: Buffer): Buffer {
    const data = Buffer.allocUnsafe(piece.length);
    let length = 0;
    let at = 0;
    while (at < piece.length && !this.isComplete) {
      const isData = this.#left > 0;
      const end = isData ? Math.min(piece.length, at + this.#left) : endOfLine(piece, at);
      if (isData) {
        length += piece.copy(data, length, at, end);
        this.#left -= end - at;
      } else {
        this.#takeText(piece.toString('latin1', at, end));
      }
      at = end;
    }
    const content = data.subarray(0, length);
    const chunk = length === 0 ? [] : [Buffer.from(length.toString(16) + lineEnd), content, chunkEnd];
    return Buffer.concat(this.isComplete ? [...chunk, lastChunk, piece.subarray(at)] : chunk);
  }

  #takeText(text: string): void {
    this.#line += text;
    if (this.#line.length > maxFramingBytes) throw tooMuchFraming();
    if (!this.#line.endsWith('\n')) return;
    const line = this.#line;
    this.#line = '';
    if (this.#next === 'size') this.#takeSize(line);
    else if (this.#next === 'trailer') this.#takeTrailer(line);
    else if (line === lineEnd) this.#next = 'size';
    else throw malformed();
  }

  #takeSize(line: string): void {
    const { size, extension = '' } = sizeLine.exec(line)?.groups ?? {};
    if (size === undefined) throw malformed();
    this.#countFraming(extension);
    this.#left = Number.parseInt(size, 16);
    this.#next = this.#left === 0 ? 'trailer' : 'end of chunk';
    if (this.#left < smallChunk) this.#smallChunks += 1;
    if (this.#smallChunks > maxSmallChunks + this.#bytes / smallChunk) {
      throw new ChunkError(
        `The request body has more than ${maxSmallChunks} chunks of fewer than ${smallChunk} bytes each.`,
      );
    }
    this.#bytes += this.#left;
  }

  #takeTrailer(line: string): void {
    if (line === lineEnd) this.#next = 'nothing';
    else if (trailerLine.test(line)) this.#countFraming(line);
    else throw malformed();
  }

  #countFraming(text: string): void {
    this.#framingBytes += text.length;
    if (this.#framingBytes > maxFramingBytes) throw tooMuchFraming();
  }
}

/** The index after the next line feed, or the length. */
function endOfLine(piece: Buffer, from: number): number {
  const index = piece.indexOf(lineFeed, from);
  return index < 0 ? piece.length : index + 1;
}

function malformed(): ChunkError {
  return new ChunkError('The chunks of the request body are not valid (RFC 9112 7.1).');
}

function tooMuchFraming(): ChunkError {
  return new ChunkError(
    `The chunk extensions and trailers of the request body have more than ${maxFramingBytes} bytes.`,
  );
}
