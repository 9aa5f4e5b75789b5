/**
 * Values by key: those that were set or asked for since the generation before the last one ended. A generation ends when what
 * it holds has grown to its size.
 */
export class GenerationalCache<Value> {
  readonly #size: number;
  readonly #sizeOf: (key: string) => number;
  #recent = new Map<string, Value>();
  #older: ReadonlyMap<string, Value> = new Map();
  #used = 0;

  /** @param sizeOf how much of the size of a generation a key takes with its value. */
  constructor(size: number, sizeOf: (key: string) => number = () => 1) {
    this.#size = size;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    this.#recent.set(key, value);
    this.#used += this.#sizeOf(key);
    if (this.#used < this.#size) return;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#used = 0;
  }
}

/**
 * Marks of what has come before, each in a place of its own among a fixed number, so that what never comes again need not be
 * kept. Another mark in the same place makes one forgotten.
 */
export class SeenMarks {
  readonly #marks: Int32Array;

  /** @param places a power of two. */
  constructor(places: number) {
    this.#marks = new Int32Array(places);
  }

  /** Whether this mark, a whole number of 32 bits, has come before; remembers that it has come now. */
  comesAgain(mark: number): boolean {
    const place = (mark ^ (mark >>> 13)) & (this.#marks.length - 1);
    if (this.#marks[place] === mark) return true;
    this.#marks[place] = mark;
    return false;
  }
}
