/** Two or more contestants measured in turn, so that the machine's changing speed weighs on all of them alike. */

export interface Compared {
  /** Median figure of each contestant, e.g. its rate, in the order given. */
  readonly medians: readonly number[];
  /** Of each contestant but the first: the median of the rounds' ratios to the first, and their quartiles. */
  readonly ratios: readonly { readonly median: number; readonly quartiles: readonly [number, number] }[];
}

/**
 * Runs the contestants once a round, in an order that rotates from round to round.
 * @param runs each does the same work with one contestant and gives what was measured.
 * @returns for each contestant, in the order given, what it gave in each round.
 */
export async function takeTurns<T>(
  rounds: number,
  runs: readonly (() => Promise<T>)[],
): Promise<readonly (readonly T[])[]> {
  const measured = runs.map((): T[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < runs.length; turn += 1) {
      const contestant = (round + turn) % runs.length;
      const run = runs[contestant];
      if (run !== undefined) measured[contestant]?.push(await run());
    }
  }
  return measured;
}

/** The same with rates, which are compared. @param runs each gives its rate. */
export async function interleave(
  rounds: number,
  runs: readonly (() => Promise<number>)[],
): Promise<Compared> {
  return compared(await takeTurns(rounds, runs));
}

/** @param figures of each contestant: its figure in each round. */
export function compared(figures: readonly (readonly number[])[]): Compared {
  const [first = [], ...others] = figures;
  const ratios = others.map((values) => {
    const ofRounds = values.map((value, round) => value / (first[round] ?? Number.NaN));
    const quartiles = [quantile(ofRounds, 0.25), quantile(ofRounds, 0.75)] as const;
    return { median: quantile(ofRounds, 0.5), quartiles };
  });
  return { medians: figures.map((values) => quantile(values, 0.5)), ratios };
}

/** @param share e.g. 0.5 for the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
}
