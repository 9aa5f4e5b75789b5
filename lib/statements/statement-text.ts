import type { Statement } from '../xapi/types.ts';
import { storedText } from './position.ts';
import { parseStored } from './stored-statement.ts';
import type { Position } from './types.ts';

/** Stands for a moment that is not known yet; as long as its text. */
const hole = '-'.repeat(storedText(0).length);

/** What comes between the timestamp and the moment of storing. */
const storedName = '","stored":"';

/** The parts of a statement's JSON text that are known before it has a position. */
export interface TextParts {
  /** Up to the value of `timestamp`. */
  readonly head: string;
  /** What the client sent, if it did. */
  readonly timestamp: string | undefined;
  /** From behind the value of `stored`. */
  readonly tail: string;
}

/**
 * The JSON text of a statement as clients get it, with holes for what its position says. It is held as bytes, outside of
 * the heap: large batches wait in this form, and what waits on the heap is copied again and again by its cleaning.
 */
export class StatementText {
  readonly #bytes: Buffer;
  readonly #timestamp: string | undefined;
  /** Where the hole for `stored` is. */
  readonly #storedAt: number;

  constructor({ head, timestamp, tail }: TextParts) {
    const first = timestamp === undefined ? `"${hole}"` : JSON.stringify(timestamp);
    this.#bytes = Buffer.from(`${head}${first.slice(0, -1)}${storedName}${hole}"${tail}`);
    this.#timestamp = timestamp;
    this.#storedAt = this.#bytes.length - Buffer.byteLength(tail) - 1 - hole.length;
  }

  /** In bytes. */
  get length(): number {
    return this.#bytes.length;
  }

  /** Fills the holes. The bytes are the same each time, and so hold the latest position. */
  stamp(position: Position): { readonly text: Buffer; readonly timestamp: string } {
    const stored = storedText(position);
    this.#bytes.write(stored, this.#storedAt, 'latin1');
    if (this.#timestamp === undefined) {
      this.#bytes.write(stored, this.#storedAt - storedName.length - stored.length, 'latin1');
    }
    return { text: this.#bytes, timestamp: this.#timestamp ?? stored };
  }

  /** The statement that was sent, but for what an LRS assigns. */
  sent(): Statement {
    const { timestamp: _, stored: __, ...sent } = parseStored(this.#bytes).statement;
    return this.#timestamp === undefined ? sent : { ...sent, timestamp: this.#timestamp };
  }
}
