import type { ObjectSpan } from './object-text.ts';

/** Offsets. Objects with fewer members than a statement has are not recorded. */
const fewest = 6;
/** Records the members of the objects of one level, and those of the `context` of each. */
export class MemberNotes {
  names = 0;
  compact = true;
  unusualNumbers = false;
  /** The object that ended last. */
  object: ObjectSpan | undefined;
  readonly #bytes: Buffer;
  readonly #level: number;
  #members: number[] = [];
  #parts: number[] = [];
  #contextMembers = 0;
  #objectStart = 0;
  /** The offset of the member that has not ended yet. */
  #start = -1;
  #inContext = false;
  /** The same for a member of the context. */
  #contextStart = -1;
  #valueStart = 0;

  constructor(bytes: Buffer, level: number) {
    this.#bytes = bytes;
    this.#level = level;
  }

  /** Resets the recording. */
  forget(): void {
    this.object = undefined;
    this.unusualNumbers = false;
  }

  open(level: number, at: number): void {
    const below = level - this.#level;
    if (below === 0) {
      this.#objectStart = at;
      this.names = 0;
      this.compact = true;
      this.unusualNumbers = false;
      this.#members = [];
      this.#parts = [];
      this.#contextMembers = 0;
      this.#start = -1;
    } else if (below === 1) {
      this.#inContext = standsAt(this.#bytes, this.#start, contextName);
      this.#valueStart = at;
      this.#contextStart = -1;
    } else if (below === 2 && this.#inContext) {
      this.#valueStart = at;
    }
  }

  begin(level: number, at: number): void {
    const below = level - this.#level;
    if (below === 0) {
      if (this.#start < 0) this.#start = at;
    } else if (below === 1 && this.#inContext && this.#contextStart < 0) {
      this.#contextStart = at;
    }
  }

  end(level: number, at: number): void {
    const below = level - this.#level;
    if (below === 0 && this.#start >= 0) {
      this.#members.push(this.#start, at);
      this.#start = -1;
    } else if (below === 1 && this.#inContext && this.#contextStart >= 0) {
      this.#contextMembers += 1;
      this.#contextStart = -1;
    }
  }

  close(level: number, at: number): void {
    const below = level - this.#level;
    if (below === 0) {
      this.end(level, at);
      this.#closeObject(at);
    } else if (below === 1) {
      this.end(level, at);
      if (this.#inContext) this.#inContext = false;
      else this.#parts.push(0, this.#start, this.#valueStart, at + 1);
    } else if (below === 2 && this.#inContext) {
      this.#parts.push(1, this.#contextStart, this.#valueStart, at + 1);
    }
  }

  #closeObject(at: number): void {
    const { names, compact, unusualNumbers } = this;
    if (this.#members.length < fewest) {
      this.object = undefined;
      return;
    }
    this.object = {
      start: this.#objectStart,
      end: at + 1,
      members: this.#members,
      parts: this.#parts,
      contextMembers: this.#contextMembers,
      names,
      compact,
      unusualNumbers,
    };
  }
}

const contextName = Buffer.from('"context"');

/** Whether the bytes contain the text at `start`. */
export function standsAt(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let at = 0; at < text.length; at += 1) if (bytes[start + at] !== text[at]) return false;
  return true;
}
