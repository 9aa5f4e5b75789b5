import type { TableShape } from '../table-shape.ts';

/**
 * The SQL texts for tables, each made once: a text that is made anew is also hashed anew wherever it is looked up, as prepared
 * statements are.
 */
export class TableTexts {
  readonly #make: (table: TableShape, end: string) => string;
  readonly #texts = new WeakMap<TableShape, Map<string, string>>();

  /** @param end the end of the text, of which there are only a few for each table. */
  constructor(make: (table: TableShape, end: string) => string) {
    this.#make = make;
  }

  get(table: TableShape, end = ''): string {
    const ofTable = this.#texts.get(table) ?? new Map<string, string>();
    this.#texts.set(table, ofTable);
    const text = ofTable.get(end) ?? this.#make(table, end);
    ofTable.set(end, text);
    return text;
  }
}
