import { printMarkedNumbers } from './numbers.ts';

/**
 * What `printJson` prints, but on several lines, or at least so many characters of its beginning, made without the rest: the
 * blanks before each value, which are more with each level, make a text of megabytes of a tree of some kilobytes.
 */
export function printBeginning(tree: unknown, indent: number, characters: number): string {
  const printer = new BeginningPrinter(indent, characters);
  printer.print(tree, '\n');
  return printer.text;
}

/** Prints a tree, and nothing more as soon as the text is long enough. */
class BeginningPrinter {
  text = '';
  readonly #indent: string;
  readonly #enough: number;

  constructor(indent: number, enough: number) {
    this.#indent = ' '.repeat(indent);
    this.#enough = enough;
  }

  /** @param line what begins a line at this level. */
  print(value: unknown, line: string): void {
    if (Array.isArray(value)) this.#printList(value, line);
    else if (typeof value === 'object' && value !== null) this.#printObject(value, line);
    else this.text += this.#scalar(value);
  }

  #printList(items: readonly unknown[], line: string): void {
    const below = line + this.#indent;
    let separator = '[';
    for (const item of items) {
      if (this.#isFull) return;
      this.text += separator + below;
      this.print(item, below);
      separator = ',';
    }
    if (!this.#isFull) this.text += items.length === 0 ? '[]' : `${line}]`;
  }

  #printObject(members: object, line: string): void {
    const below = line + this.#indent;
    let separator = '{';
    for (const [name, value] of Object.entries(members)) {
      if (this.#isFull) return;
      this.text += `${separator}${below}${this.#scalar(name)}: `;
      this.print(value, below);
      separator = ',';
    }
    if (!this.#isFull) this.text += separator === '{' ? '{}' : `${line}}`;
  }

  get #isFull(): boolean {
    return this.text.length >= this.#enough;
  }

  /** The end of a text that is long enough by itself is left out; it may be cut within a character. */
  #scalar(value: unknown): string {
    const isLong = typeof value === 'string' && value.length > this.#enough;
    return printMarkedNumbers(JSON.stringify(isLong ? value.slice(0, this.#enough + 1) : value));
  }
}
