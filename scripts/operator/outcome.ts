/** What a command prints, and whether it has done what it should. */
export interface Outcome {
  /** For people. */
  readonly lines: readonly string[];
  /** For machines: printed as JSON. */
  readonly value: unknown;
  readonly ok: boolean;
}

export const done = (value: unknown, ...lines: readonly string[]): Outcome => ({ lines, value, ok: true });
