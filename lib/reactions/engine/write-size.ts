import type { Made } from './react.ts';

/** The most that a transaction stores, reads and changes in the search index. */
export interface MostWritten {
  readonly statements: number;
  readonly bytes: number;
  /** Added, or removed of what is voided, each once. */
  readonly indexEntries: number;
  /** Bytes of stored statements that the new ones refer to, or whose ids they have: a transaction reads each of them once. */
  readonly targetBytes: number;
}

/** How much statements are that one transaction stores. */
export class WriteSize {
  readonly #targets = new Set<string>();
  readonly #voided = new Set<string>();
  readonly #voidedBefore: ReadonlySet<string>;
  #size: MostWritten = { statements: 0, bytes: 0, indexEntries: 0, targetBytes: 0 };

  /** @param voidedBefore ids of statements that are voided already, so that nothing of them is left to be removed. */
  constructor(voidedBefore: ReadonlySet<string> = new Set()) {
    this.#voidedBefore = voidedBefore;
  }

  add(made: Made): void {
    this.#size = this.#with(made);
    for (const { id, voidedEntries } of made.targets) {
      this.#targets.add(id);
      if (voidedEntries > 0) this.#voided.add(id);
    }
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
    const { statements, ...size } = this.#size;
    const sum = { ...size, bytes: size.bytes + bytes, indexEntries: size.indexEntries + indexEntries };
    for (const target of targets) {
      if (!this.#targets.has(target.id)) sum.targetBytes += target.bytes;
      const isVoided = this.#voided.has(target.id) || this.#voidedBefore.has(target.id);
      if (!isVoided) sum.indexEntries += target.voidedEntries;
    }
    return { statements: statements + 1, ...sum };
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
