import { InvalidError } from '../../errors.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  newLine,
  openBrace,
  openBracket,
  quote,
} from '../../json/bytes.ts';
import { closingQuote } from '../../json/scanner.ts';
import { isBlank } from '../blank.ts';

/** A JSON text in a file. */
export interface JsonItem {
  readonly json: Buffer;
  /** Of the line, or of the item of an array, from 1. */
  readonly number: number;
}

/** Most bytes of an item, which is in memory twice while its pieces are joined. Lines with lists or pages of statements may be long. */
const longestItem = 256 * 1024 * 1024;

/**
 * The items of a file that has one in each line (NDJSON), or begins with an array of them. Empty lines are left out. Behind an
 * array, further ones may follow, whose items count on, and so does what is in the lines between them.
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
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, start)) {
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

/** Splits arrays at the commas of their own level; outside of them, each line is an item. */
class ArraySplitter {
  readonly #pieces = new Pieces();
  #number = 1;
  /** Of lists and objects that are open; the array itself is one. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Whether something that is not blank stands before, in a line outside of arrays. */
  #inLine = false;

  *take(chunk: Buffer): Generator<JsonItem> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#inString) this.#readString(byte);
      else if (byte === quote && this.#depth > 0) this.#inString = true;
      else if (this.#separates(byte)) {
        if (byte !== openBracket) yield* this.#item(chunk.subarray(start, at));
        start = at + 1;
      }
    }
    if (this.#depth > 0 || this.#inLine) this.#pieces.add(chunk.subarray(start), this.#number);
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

  /** Whether the byte begins or ends an array, stands between two of its items, or ends a line outside. */
  #separates(byte: number): boolean {
    if (this.#inLine || (this.#depth === 0 && byte !== openBracket)) return this.#endsLine(byte);
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

  #endsLine(byte: number): boolean {
    if (!isBlank(byte)) this.#inLine = true;
    if (!this.#inLine || byte !== newLine) return false;
    this.#inLine = false;
    return true;
  }

  *#item(last: Buffer): Generator<JsonItem> {
    const json = this.#pieces.take(last);
    const start = json.findIndex((byte) => !isBlank(byte));
    // Places in errors count from the beginning of the item.
    if (start >= 0) yield { json: json.subarray(start), number: this.#number };
    this.#number += 1;
  }
}

/** Most items of a list within an item: each becomes a record, however short it is. */
const mostListed = 1_000_000;

/** A list in a text that is in memory. */
export interface ListText {
  /** The texts of its items, one at a time. */
  readonly items: Iterable<Buffer>;
  /** The offset behind its bracket. */
  readonly end: number;
}

/**
 * The list that begins at the offset of its bracket, without parsing it: only its items are looked for.
 * @returns undefined when it has no end.
 * @throws InvalidError when it has too many items.
 */
export function listIn(text: Buffer, start: number): ListText | undefined {
  const counted = itemsIn(text, start);
  let count = 0;
  for (let next = counted.next(); ; next = counted.next()) {
    if (next.done)
      return next.value === undefined ? undefined : { items: itemsIn(text, start), end: next.value };
    count += 1;
    if (count > mostListed) throw new InvalidError(`it is a list of more than ${mostListed} items`);
  }
}

/** @returns the offset behind the bracket that closes the list; undefined when none does. */
function* itemsIn(text: Buffer, start: number): Generator<Buffer, number | undefined> {
  let depth = 1;
  let from = start + 1;
  for (let at = from; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === quote) at = closingQuote(text, at);
    depth += levelsOf(byte);
    if (depth > 0 && !(byte === comma && depth === 1)) continue;
    const item = text.subarray(from, at);
    const isEmptyList = from === start + 1 && depth === 0 && item.every(isBlank);
    if (!isEmptyList) yield item;
    if (depth === 0) return byte === closeBracket ? at + 1 : undefined;
    from = at + 1;
  }
  return undefined;
}

/** How many levels deeper the text is behind the byte. */
export function levelsOf(byte: number | undefined): number {
  if (byte === openBrace || byte === openBracket) return 1;
  return byte === closeBrace || byte === closeBracket ? -1 : 0;
}
