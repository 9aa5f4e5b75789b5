import { InvalidError } from '../../errors.ts';

/** Stores that a sentence lists; an installation of Learning Locker has few. */
const mostNamed = 20;

/** Which stores of an installation of Learning Locker the documents that were read belong to. */
export class StoresFound {
  readonly #wanted: string | undefined;
  readonly #found = new Set<string>();
  #more = false;

  /** @param wanted the only store that is imported; undefined for all. */
  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
  }

  /** Whether what belongs to the store is imported. @param store undefined where the document names none. */
  takes(store: string | undefined): boolean {
    if (store !== undefined && !this.#found.has(store)) this.#add(store);
    return this.#wanted === undefined || store === this.#wanted;
  }

  #add(store: string): void {
    if (this.#found.size < mostNamed || store === this.#wanted) this.#found.add(store);
    else this.#more = true;
  }

  /** @throws InvalidError when everything belongs to other stores than the wanted one. */
  requireWanted(): void {
    if (this.#wanted === undefined || this.#found.size === 0 || this.#found.has(this.#wanted)) return;
    throw new InvalidError(`There is no store ${this.#wanted} here, only ${this.#names()}.`);
  }

  /** What people should know who have named no store; undefined where there is one at most. */
  get notice(): string | undefined {
    if (this.#wanted !== undefined || this.#found.size < 2) return undefined;
    return `The source has several stores, all of which are imported into one: ${this.#names()}. Import one of them with --lrs ID.`;
  }

  #names(): string {
    return `${[...this.#found].join(', ')}${this.#more ? ' and others' : ''}`;
  }
}
