import { type Item, Slice, type Splitter } from './items.ts';

const lineFeed = 0x0a;

/** NDJSON: each line is an item, so a broken one does not touch the others. Blank lines are none. */
export class LineSplitter implements Splitter {
  readonly #slice = new Slice();
  #line = 1;

  *push(bytes: Uint8Array): Generator<Item> {
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      this.#slice.add(bytes.subarray(start, end));
      yield* this.end();
      this.#line += 1;
      start = end + 1;
    }
    this.#slice.add(bytes.subarray(start));
  }

  *end(): Generator<Item> {
    const item = this.#slice.take(this.#line);
    if (item !== undefined) yield item;
  }
}
