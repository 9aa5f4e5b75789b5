const headerLength = 5;

/** Where the records of TLS end in the bytes of a connection (RFC 8446 5.1), which come in pieces. */
export class TlsRecords {
  /** Bytes of the header that have come. */
  #header = 0;
  /** Bytes of the record's content that have not come. */
  #left = 0;

  /**
   * Counts records where they end, because they are decrypted once they are complete.
   * @returns the end of at most so many records that end behind `from`, which is that of the piece when fewer end in it; and how
   * many end.
   */
  next(piece: Uint8Array, from: number, most: number): { readonly end: number; readonly count: number } {
    let count = 0;
    let at = from;
    while (at < piece.length && count < most) {
      if (this.#header < headerLength) {
        // The last two bytes of the header are the length.
        if (this.#header >= headerLength - 2) this.#left = this.#left * 256 + (piece[at] ?? 0);
        this.#header += 1;
        at += 1;
      } else {
        const step = Math.min(this.#left, piece.length - at);
        this.#left -= step;
        at += step;
      }
      if (this.#header === headerLength && this.#left === 0) {
        this.#header = 0;
        count += 1;
      }
    }
    return { end: at, count };
  }
}
