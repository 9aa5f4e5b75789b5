import type { Key } from '../db/key.ts';

/** How many are told. */
export const topLength = 10;
/** How many are kept at least, so that some may go before others have to be looked for. */
const leastKept = 250;
const mostKept = 2 * leastKept;

/**
 * Those that count most, of any number, kept while their counts change: it knows which they are although it holds few of
 * them, because no other has a higher count than `#others`.
 */
export class Top {
  /** How many of those that count most make a new one. */
  static readonly enough = mostKept + 1;

  #counts: Map<Key, number>;
  #others: number;

  /** @param text as `print` makes it; without it nothing counts yet. */
  constructor(text = '[0,[]]') {
    const [others, counts]: [number, [Key, number][]] = JSON.parse(text);
    this.#others = others;
    this.#counts = new Map(counts);
  }

  /** @param counts all that have changed, 0 for what is gone. */
  update(counts: Iterable<readonly [Key, number]>): void {
    for (const [key, count] of counts) {
      if (count > this.#others) this.#counts.set(key, count);
      else this.#counts.delete(key);
    }
    if (this.#counts.size <= mostKept) return;
    const sorted = this.#sorted();
    this.#counts = new Map(sorted.slice(0, leastKept));
    this.#others = sorted[leastKept]?.[1] ?? 0;
  }

  /** Whether it still knows which count most; otherwise a new one has to be made. */
  get knows(): boolean {
    return this.#others === 0 || this.#counts.size >= topLength;
  }

  /** All that it holds, in falling order; while it knows which count most, at least as many as are told, if there are so many. */
  ranked(): [key: Key, count: number][] {
    return this.#sorted();
  }

  print(): string {
    return JSON.stringify([this.#others, [...this.#counts]]);
  }

  #sorted(): [Key, number][] {
    return [...this.#counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  }
}
