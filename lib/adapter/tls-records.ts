const headerLength = 5;

/** Where the records of TLS begin in the bytes of a connection (RFC 8446 5.1), which come in pieces. */
export class TlsRecords {
  /** Bytes of the header that have come. */
  #header = 0;
  /** Bytes of the record's content that have not come. */
  #left = 0;

  /**
   * @returns the end of at most so many records that begin behind `from`, which is that of the piece when no more begin in it; and
   * how many begin.
   */
  next(piece: Uint8Array, from: number, most: number): { readonly end: number; readonly count: number } {
    let count = 0;
    let at = from;
    while (at < piece.length) {
      if (this.#left > 0 && this.#header === 0) {
        const step = Math.min(this.#left, piece.length - at);
        this.#left -= step;
        at += step;
        continue;
      }
      if (this.#header === 0) {
        if (count === most) break;
        count += 1;
      }
      // The last two bytes of the header are the length.
      if (this.#header >= headerLength - 2) this.#left = this.#left * 256 + (piece[at] ?? 0);
      this.#header = (this.#header + 1) % headerLength;
      at += 1;
    }
    return { end: at, count };
  }
}
