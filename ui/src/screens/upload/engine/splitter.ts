import { type Item, joined, type Splitter } from './items.ts';
import { LineSplitter } from './lines.ts';
import { ValueSplitter } from './values.ts';

const lineFeed = 0x0a;
const byteOrderMark = [0xef, 0xbb, 0xbf];
/** As much is read at most to see how a file is written. */
const longestHead = 1024 * 1024;

/**
 * Takes a file of statements apart: NDJSON if its first line is a whole value, else one value, several, or an array of any
 * size. Neither is ever in memory as a whole.
 */
export class StatementSplitter implements Splitter {
  #head: Uint8Array[] = [];
  #size = 0;
  #splitter: Splitter | undefined;

  *push(bytes: Uint8Array): Generator<Item> {
    if (this.#splitter !== undefined) {
      yield* this.#splitter.push(bytes);
      return;
    }
    this.#head.push(bytes);
    this.#size += bytes.length;
    const head = joined(this.#head, this.#size);
    if (head.length >= longestHead || firstLine(head).isWhole)
      yield* this.#open(head).push(withoutMark(head));
  }

  *end(): Generator<Item> {
    if (this.#splitter === undefined) {
      const head = joined(this.#head, this.#size);
      yield* this.#open(head).push(withoutMark(head));
    }
    if (this.#splitter !== undefined) yield* this.#splitter.end();
  }

  #open(head: Uint8Array): Splitter {
    this.#head = [];
    this.#splitter = isNdjson(firstLine(head).bytes) ? new LineSplitter() : new ValueSplitter();
    return this.#splitter;
  }
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return byteOrderMark.every((byte, at) => bytes[at] === byte) ? bytes.subarray(byteOrderMark.length) : bytes;
}

/** The first line that is not blank, as far as it is there. */
function firstLine(head: Uint8Array): { readonly bytes: Uint8Array; readonly isWhole: boolean } {
  const bytes = withoutMark(head);
  const start = bytes.findIndex((byte) => byte > 0x20);
  if (start === -1) return { bytes: new Uint8Array(), isWhole: false };
  const end = bytes.indexOf(lineFeed, start);
  return { bytes: bytes.subarray(start, end === -1 ? bytes.length : end), isWhole: end !== -1 };
}

/** A line that leaves brackets open goes on in the next one; a broken line of NDJSON does not. */
function isNdjson(line: Uint8Array): boolean {
  if (line[0] === 0x5b) return false;
  const probe = new ValueSplitter();
  for (const _ of probe.push(line));
  return !probe.isOpen;
}
