import type { Made } from './react.ts';

/** The most that a transaction stores, reads and changes in the search index. */
export interface MostWritten {
  readonly statements: number;
  readonly bytes: number;
  readonly indexEntries: number;
  /** Bytes of stored statements that the new ones refer to, or whose ids they have: a transaction reads each of them once. */
  readonly targetBytes: number;
}

/** How much statements are that one transaction stores. */
export class WriteSize {
  readonly #targets = new Set<string>();
  #statements = 0;
  #bytes = 0;
  #indexEntries = 0;
  #targetBytes = 0;

  add(made: Made): void {
    this.#statements += 1;
    this.#bytes += made.bytes;
    this.#indexEntries += made.indexEntries;
    this.#targetBytes += this.#furtherBytes(made);
    for (const { id } of made.targets) this.#targets.add(id);
  }

  /** Whether it is within the limits. @param further a statement that might be added. */
  isWithin(most: MostWritten, further?: Made): boolean {
    const statements = this.#statements + (further === undefined ? 0 : 1);
    const bytes = this.#bytes + (further?.bytes ?? 0);
    const indexEntries = this.#indexEntries + (further?.indexEntries ?? 0);
    const targetBytes = this.#targetBytes + (further === undefined ? 0 : this.#furtherBytes(further));
    const isSmall = bytes <= most.bytes && targetBytes <= most.targetBytes;
    return statements <= most.statements && indexEntries <= most.indexEntries && isSmall;
  }

  #furtherBytes({ targets }: Made): number {
    return targets.reduce((sum, { id, bytes }) => sum + (this.#targets.has(id) ? 0 : bytes), 0);
  }
}
