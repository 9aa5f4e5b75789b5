import { type Item, Slice, type Splitter } from './items.ts';

const lineFeed = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openers: readonly (number | undefined)[] = [0x5b, 0x7b];
const closers: readonly (number | undefined)[] = [0x5d, 0x7d];
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** Between values: space, tab, line ends, comma. */
const gaps: readonly (number | undefined)[] = [0x20, 0x09, lineFeed, 0x0d, comma];

/**
 * JSON that is written over any number of lines: one value, several, or the elements of an array. It follows brackets and
 * strings alone; whether an item is JSON is for others to say.
 */
export class ValueSplitter implements Splitter {
  readonly #slice = new Slice();
  #line = 1;
  #startLine = 1;
  #inArray = false;
  #inValue = false;
  #inString = false;
  #escaped = false;
  #depth = 0;

  /** Whether the bytes so far end between the brackets of a value, and not in a string. */
  get isOpen(): boolean {
    return this.#inValue && this.#depth > 0 && !this.#inString;
  }

  *push(bytes: Uint8Array): Generator<Item> {
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === lineFeed) this.#line += 1;
      if (this.#inString) {
        this.#followString(byte);
        continue;
      }
      if (this.#inValue && this.#endsBefore(byte)) {
        this.#slice.add(bytes.subarray(start, at));
        yield* this.#take();
      }
      if (!this.#inValue) {
        if (!this.#begins(byte)) continue;
        start = at;
      }
      if (this.#endsWith(byte)) {
        this.#slice.add(bytes.subarray(start, at + 1));
        yield* this.#take();
      }
    }
    if (this.#inValue) this.#slice.add(bytes.subarray(start));
  }

  /** A file whose last value or array is not closed has lost its end on the way. */
  *end(): Generator<Item> {
    if (this.#inValue && this.#depth === 0 && !this.#inString) yield* this.#take();
    if (this.#inValue || this.#inArray) {
      yield this.#slice.take(this.#startLine, 'cut-off') ?? {
        line: this.#line,
        size: 0,
        problem: 'cut-off',
      };
    }
  }

  #followString(byte: number | undefined): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
  }

  /** Whether a value begins here; outside of values there are gaps and the brackets of the array. */
  #begins(byte: number | undefined): boolean {
    if (gaps.includes(byte)) return false;
    if (byte === (this.#inArray ? closeBracket : openBracket)) {
      this.#inArray = !this.#inArray;
      return false;
    }
    this.#inValue = true;
    this.#startLine = this.#line;
    return true;
  }

  /** Numbers, words and strings end where something else begins. */
  #endsBefore(byte: number | undefined): boolean {
    return this.#depth === 0 && (gaps.includes(byte) || closers.includes(byte));
  }

  #endsWith(byte: number | undefined): boolean {
    if (byte === quote) this.#inString = true;
    else if (openers.includes(byte)) this.#depth += 1;
    else if (closers.includes(byte)) {
      this.#depth = Math.max(this.#depth - 1, 0);
      return this.#depth === 0;
    }
    return false;
  }

  *#take(): Generator<Item> {
    this.#inValue = false;
    const item = this.#slice.take(this.#startLine);
    if (item !== undefined) yield item;
  }
}
