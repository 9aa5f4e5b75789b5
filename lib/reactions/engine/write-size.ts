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
  #size: MostWritten = { statements: 0, bytes: 0, indexEntries: 0, targetBytes: 0 };

  add(made: Made): void {
    this.#size = this.#with(made);
    for (const { id } of made.targets) this.#targets.add(id);
  }

  /** Whether it is within the limits. @param further a statement that might be added. */
  isWithin(most: MostWritten, further?: Made): boolean {
    return exceededBy(further === undefined ? this.#size : this.#with(further), most) === undefined;
  }

  /** A limit that is exceeded. */
  exceeded(most: MostWritten): keyof MostWritten | undefined {
    return exceededBy(this.#size, most);
  }

  /** How much it is of what a limit is for. */
  of(limit: keyof MostWritten): number {
    return this.#size[limit];
  }

  #with({ bytes, indexEntries, targets }: Made): MostWritten {
    const size = this.#size;
    const further = targets.reduce((sum, { id, bytes }) => sum + (this.#targets.has(id) ? 0 : bytes), 0);
    return {
      statements: size.statements + 1,
      bytes: size.bytes + bytes,
      indexEntries: size.indexEntries + indexEntries,
      targetBytes: size.targetBytes + further,
    };
  }
}

const limits = [
  'statements',
  'bytes',
  'indexEntries',
  'targetBytes',
] as const satisfies (keyof MostWritten)[];

function exceededBy(size: MostWritten, most: MostWritten): keyof MostWritten | undefined {
  return limits.find((limit) => size[limit] > most[limit]);
}
