import { textDigest } from './text-digest.ts';

/**
 * V8 computes the hash of a longer text (in UTF-16 units) from its length alone. A Map, a Set or the names of an object with many
 * such texts of one length is as slow as a list: 600 of them, which a client can send in one request, block the event loop for half a
 * second.
 */
export const longestHashed = 16_383;

/** What stands for a text that clients choose as a key of a Map, Set or cache. No such text begins with U+0000, as digests do. */
export function mapKey(text: string): string {
  return text.length <= longestHashed ? text : `\0${textDigest(text)}`;
}

/** A Map whose keys are texts of any length that clients choose. */
export class TextMap<Value> {
  readonly #entries = new Map<string, [text: string, value: Value]>();

  constructor(entries: Iterable<readonly [string, Value]> = []) {
    for (const [text, value] of entries) this.set(text, value);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(text: string): Value | undefined {
    return this.#entries.get(mapKey(text))?.[1];
  }

  has(text: string): boolean {
    return this.#entries.has(mapKey(text));
  }

  set(text: string, value: Value): void {
    this.#entries.set(mapKey(text), [text, value]);
  }

  delete(text: string): void {
    this.#entries.delete(mapKey(text));
  }

  *keys(): Generator<string> {
    for (const [text] of this.#entries.values()) yield text;
  }

  [Symbol.iterator](): IterableIterator<[text: string, value: Value]> {
    return this.#entries.values();
  }
}

/** A Set of such texts. */
export class TextSet {
  readonly #texts = new Map<string, string>();

  constructor(texts: Iterable<string> = []) {
    for (const text of texts) this.add(text);
  }

  get size(): number {
    return this.#texts.size;
  }

  has(text: string): boolean {
    return this.#texts.has(mapKey(text));
  }

  /** @returns whether it was not there before. */
  add(text: string): boolean {
    const key = mapKey(text);
    if (this.#texts.has(key)) return false;
    this.#texts.set(key, text);
    return true;
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.#texts.values();
  }
}
