import { InvalidError } from '../../errors.ts';
import { isBlank } from '../blank.ts';

/** A JSON text in a file. */
export interface JsonItem {
  readonly json: Buffer;
  /** Of the line, or of the item of an array, from 1. */
  readonly number: number;
}

/** Most bytes of an item: longer ones are not statements, and would not fit into memory several times. */
export const longestItem = 256 * 1024 * 1024;

const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const comma = 0x2c;

/**
 * The items of a file that has one in each line (NDJSON), or is an array of them. Empty lines are left out.
 * @throws InvalidError for an item that is too long, or an array that does not end.
 */
export async function* itemsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonItem> {
  let splitter: LineSplitter | ArraySplitter | undefined;
  for await (const chunk of withoutMark(chunks)) {
    const start = splitter === undefined ? chunk.findIndex((byte) => !isBlank(byte)) : 0;
    if (start < 0) continue;
    splitter ??= chunk[start] === openBracket ? new ArraySplitter() : new LineSplitter();
    yield* splitter.take(start === 0 ? chunk : chunk.subarray(start));
  }
  if (splitter !== undefined) yield* splitter.end();
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = true;
  for await (const chunk of chunks) {
    const marked = first && chunk.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    first = false;
    yield marked ? chunk.subarray(byteOrderMark.length) : chunk;
  }
}

/** Collects the pieces of an item that comes in several chunks. */
class Pieces {
  #pieces: Buffer[] = [];
  #length = 0;

  add(piece: Buffer, number: number): void {
    this.#length += piece.length;
    if (this.#length > longestItem) {
      throw new InvalidError(`Item ${number} has more than ${longestItem} bytes.`);
    }
    // A copy, because the chunk may be large and the item small.
    this.#pieces.push(Buffer.from(piece));
  }

  take(last: Buffer): Buffer {
    if (this.#pieces.length === 0) return last;
    const whole = Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    this.#length = 0;
    return whole;
  }
}

class LineSplitter {
  readonly #pieces = new Pieces();
  #number = 0;

  *take(chunk: Buffer): Generator<JsonItem> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      yield* this.#line(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces.add(chunk.subarray(start), this.#number + 1);
  }

  end(): Generator<JsonItem> {
    return this.#line(Buffer.alloc(0));
  }

  *#line(last: Buffer): Generator<JsonItem> {
    const json = this.#pieces.take(last);
    this.#number += 1;
    if (!json.every(isBlank)) yield { json, number: this.#number };
  }
}

/** Splits an array at the commas of its own level. */
class ArraySplitter {
  readonly #pieces = new Pieces();
  #number = 1;
  /** Of lists and objects that are open; the array itself is one. */
  #depth = 0;
  #inString = false;
  #escaped = false;

  *take(chunk: Buffer): Generator<JsonItem> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#inString) this.#readString(byte);
      else if (byte === quote) this.#inString = true;
      else if (this.#separates(byte)) {
        if (byte !== openBracket) yield* this.#item(chunk.subarray(start, at));
        start = at + 1;
      }
    }
    if (this.#depth > 0) this.#pieces.add(chunk.subarray(start), this.#number);
  }

  end(): Generator<JsonItem> {
    if (this.#depth > 0) throw new InvalidError(`The array ends too early, in item ${this.#number}.`);
    return this.#item(Buffer.alloc(0));
  }

  #readString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
  }

  /** Whether the byte begins or ends the array, or stands between two of its items. */
  #separates(byte: number): boolean {
    if (byte === openBrace || byte === openBracket) {
      this.#depth += 1;
      return this.#depth === 1;
    }
    if (byte === closeBrace || byte === closeBracket) {
      this.#depth -= 1;
      return this.#depth === 0;
    }
    return byte === comma && this.#depth === 1;
  }

  *#item(last: Buffer): Generator<JsonItem> {
    const json = this.#pieces.take(last);
    const start = json.findIndex((byte) => !isBlank(byte));
    // Places in errors count from the beginning of the item.
    if (start >= 0) yield { json: json.subarray(start), number: this.#number };
    this.#number += 1;
  }
}
