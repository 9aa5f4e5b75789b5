/** What keeps a piece of a file from being sent at all. */
export type Problem = 'not-json' | 'not-utf8' | 'too-long' | 'cut-off';

/** One statement as it stands in a file, or what is wrong with that place of it. */
export type Item = {
  /** The line where it begins, counted from 1. */
  readonly line: number;
  /** Bytes. */
  readonly size: number;
} & ({ readonly text: string } | { readonly problem: Problem });

/** Takes a file apart, piece by piece. */
export interface Splitter {
  /** The items that end in these bytes, which follow those before. */
  push(bytes: Uint8Array): Iterable<Item>;
  /** What is left when the file is over. */
  end(): Iterable<Item>;
}

/** No statement that a server takes is longer; in bytes. What is longer is not kept. */
const longest = 16 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of an item that comes in several pieces. */
export class Slice {
  #parts: Uint8Array[] = [];
  #size = 0;

  add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size <= longest) this.#parts.push(part);
    else this.#parts = [];
  }

  /** The item that began at the line; undefined if there are only blanks. The slice is empty afterwards. */
  take(line: number, ending?: Problem): Item | undefined {
    const size = this.#size;
    const parts = this.#parts;
    this.#size = 0;
    this.#parts = [];
    if (size > longest) return { line, size, problem: 'too-long' };
    const text = decoded(parts, size)?.trim();
    if (text === '') return undefined;
    if (text === undefined) return { line, size, problem: 'not-utf8' };
    return ending === undefined ? { line, size, text } : { line, size, problem: ending };
  }
}

function decoded(parts: readonly Uint8Array[], size: number): string | undefined {
  try {
    return utf8.decode(parts.length === 1 ? parts[0] : joined(parts, size));
  } catch {
    return undefined;
  }
}

/** @param size the sum of their lengths. */
export function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
