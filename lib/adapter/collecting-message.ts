import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Pieces of a body below this length are collected into larger ones, and a body may have only some. */
const smallPiece = 64;
const maxSmallPieces = 1000;
const collectedLength = 4096;

/** Why the parser is stopped. */
export const tooManyPieces = `The request body has more than ${maxSmallPieces} chunks of fewer than ${smallPiece} bytes each.`;

/** What Node.js keeps at a socket of a server. */
type ParsedSocket = Socket & { readonly parser?: { pause(): void } | null };

/**
 * A request whose body costs about what its bytes cost. Of each chunk Node.js makes a buffer, which takes some microseconds and
 * more than a thousand bytes for a while, and it keeps those that nobody has read, whose bytes alone count against its limit. So
 * small ones that arrive in one turn of the event loop are copied together, and a body of very many of them stops the parser
 * behind what one read of the connection has brought: then the server has the event `clientError` with the code `HPE_PAUSED`.
 */
export class CollectingMessage extends IncomingMessage {
  #collected: Buffer | undefined;
  #length = 0;
  #bytes = 0;
  #smallPieces = 0;

  /** How many small pieces have arrived. */
  get smallPieces(): number {
    return this.#smallPieces;
  }

  /** Called by Node.js for each piece, and with null at the end. @returns whether more may come. */
  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    this.#bytes += piece?.length ?? 0;
    if (piece === null || piece.length >= smallPiece) {
      this.#pass();
      return super.push(piece, encoding);
    }
    this.#smallPieces += 1;
    if (this.#smallPieces > maxSmallPieces + this.#bytes / smallPiece) {
      const socket: ParsedSocket = this.socket;
      socket.parser?.pause();
    }
    return this.#collect(piece);
  }

  #collect(piece: Buffer): boolean {
    if (this.#collected === undefined) {
      this.#collected = Buffer.allocUnsafe(collectedLength);
      process.nextTick(() => this.#pass());
    }
    piece.copy(this.#collected, this.#length);
    this.#length += piece.length;
    if (this.#length > collectedLength - smallPiece) return this.#pass();
    return this.readableLength + this.#length < this.readableHighWaterMark;
  }

  #pass(): boolean {
    const collected = this.#collected?.subarray(0, this.#length);
    this.#collected = undefined;
    this.#length = 0;
    if (collected === undefined || this.destroyed) return true;
    return super.push(collected);
  }
}
