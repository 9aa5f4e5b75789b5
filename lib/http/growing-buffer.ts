const least = 1024;

/**
 * Collects bytes in one buffer, which doubles as needed, up to the expected length while no more comes. Pieces are copied,
 * because many small ones would need far more memory than their bytes.
 */
export class GrowingBuffer {
  readonly #expected: number;
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** @param expected the final length; an upper bound when it is unknown. */
  constructor(expected: number) {
    this.#expected = expected;
  }

  get length(): number {
    return this.#length;
  }

  /** The memory that it needs with this many further bytes. */
  capacityWith(more: number): number {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return this.#bytes.length;
    const doubled = Math.max(least, 2 * this.#bytes.length);
    return Math.max(needed, needed > this.#expected ? doubled : Math.min(this.#expected, doubled));
  }

  append(piece: Uint8Array): void {
    const capacity = this.capacityWith(piece.length);
    if (capacity > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(capacity);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
  }

  /** The collected bytes; shares its memory. */
  content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
