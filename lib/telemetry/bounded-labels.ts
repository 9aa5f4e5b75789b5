const longest = 64;

/**
 * The values of a label, of which only the first ones have series of their own: each value is a series that is kept for as
 * long as the process runs.
 */
export class BoundedLabels {
  readonly #known = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The value, cut to 64 characters, or `other`. */
  bounded(value: string): string {
    if (this.#known.has(value)) return value;
    const short = value.slice(0, longest);
    if (this.#known.has(short)) return short;
    if (this.#known.size >= this.#most) return 'other';
    this.#known.add(short);
    return short;
  }
}
