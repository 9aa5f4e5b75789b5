/** A generator of pseudo-random values that gives the same sequence for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 (included) to 1 (excluded). */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `below` (excluded). */
  int(below: number): number {
    return Math.floor(this.unit() * below);
  }

  /** True in `share` of all calls. */
  chance(share: number): boolean {
    return this.unit() < share;
  }

  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const chosen = choices[this.int(choices.length)];
    if (chosen === undefined) throw new Error('There is nothing to pick from.');
    return chosen;
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; at += 1) bytes[at] = this.int(256);
    return bytes;
  }

  uuid(): string {
    const hex = this.bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
