import { comma } from '../../json/bytes.ts';
import { storedText } from '../../position.ts';
import { parseStoredValues } from '../../xapi/statement/stored-statement.ts';
import type { Statement } from '../../xapi/types.ts';
import type { Position } from '../types.ts';

/** A placeholder for a time that is not known yet; it has the same length. */
const hole = '-'.repeat(storedText(0).length);

/** The text between the timestamp and `stored`. */
const storedName = '","stored":"';
const storedNameBytes = Buffer.from(storedName);

/** The parts of a statement's JSON text that are known before it has a position. */
export interface TextParts {
  readonly id: string;
  /** The members without a fixed place, in pieces that are joined by commas; at least one. */
  readonly members: readonly Buffer[];
  /** The timestamp that the client sent, if any. */
  readonly timestamp: string | undefined;
  /** The text after the value of `stored`. */
  readonly tail: Buffer;
}

/**
 * The JSON text of a statement as clients get it, with gaps for the values that depend on its position. It is held as bytes
 * outside the JavaScript heap, because large batches wait in this form and the garbage collector would copy them again and
 * again.
 */
export class StatementText {
  readonly #bytes: Buffer;
  readonly #timestamp: string | undefined;
  /** The offset of the gap for `stored`. */
  readonly #storedAt: number;

  constructor({ id, members, timestamp, tail }: TextParts) {
    const head = `{"id":"${id}"`;
    const times = `,"timestamp":"${timestamp ?? hole}${storedName}${hole}"`;
    const membersLength = members.reduce((sum, piece) => sum + 1 + piece.length, 0);
    this.#bytes = Buffer.allocUnsafe(head.length + membersLength + times.length + tail.length);
    let at = this.#bytes.write(head, 'latin1');
    for (const piece of members) {
      this.#bytes[at] = comma;
      piece.copy(this.#bytes, at + 1);
      at += 1 + piece.length;
    }
    at += this.#bytes.write(times, at, 'latin1');
    tail.copy(this.#bytes, at);
    this.#timestamp = timestamp;
    this.#storedAt = at - 1 - hole.length;
  }

  /** In bytes. */
  get length(): number {
    return this.#bytes.length;
  }

  /** Fills the gaps. The same buffer is reused, so it holds the latest position. */
  stamp(position: Position): { readonly text: Buffer; readonly timestamp: string } {
    const stored = storedText(position);
    this.#bytes.write(stored, this.#storedAt, 'latin1');
    if (this.#timestamp === undefined) {
      this.#bytes.write(stored, this.#storedAt - storedName.length - stored.length, 'latin1');
    }
    return { text: this.#bytes, timestamp: this.#timestamp ?? stored };
  }

  /** The pieces between the gaps. */
  pieces(): {
    readonly time: string | null;
    readonly start: Buffer;
    readonly middle: Buffer | null;
    readonly end: Buffer;
  } {
    const end = this.#bytes.subarray(this.#storedAt + hole.length);
    if (this.#timestamp !== undefined) {
      return { time: this.#timestamp, start: this.#bytes.subarray(0, this.#storedAt), middle: null, end };
    }
    const timestampAt = this.#storedAt - storedName.length - hole.length;
    const start = this.#bytes.subarray(0, timestampAt);
    return { time: null, start, middle: storedNameBytes, end };
  }

  /** The statement as it was sent, without what an LRS assigns. */
  sent(): Statement {
    const { timestamp: _, stored: __, ...sent } = parseStoredValues(this.#bytes.toString());
    return this.#timestamp === undefined ? sent : { ...sent, timestamp: this.#timestamp };
  }
}
