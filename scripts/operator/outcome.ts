/** What a command prints, and whether it has done what it should. */
export interface Outcome {
  /** For people. */
  readonly lines: readonly string[];
  /** For machines: printed as JSON. */
  readonly value: unknown;
  readonly ok: boolean;
}

/** Prints what a command has done. It does not fail: that the command is carried out stays true where nothing can be printed. */
export type Show = (outcome: Outcome) => Promise<void>;

export const done = (value: unknown, ...lines: readonly string[]): Outcome => ({ lines, value, ok: true });
