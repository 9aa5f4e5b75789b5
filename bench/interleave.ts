/** Two or more contestants measured in turn, so that the machine's changing speed weighs on all of them alike. */

export interface Compared {
  /** Median rate of each contestant, in the order given. */
  readonly medians: readonly number[];
  /** Of each contestant but the first: the median of the rounds' ratios to the first, and their quartiles. */
  readonly ratios: readonly { readonly median: number; readonly quartiles: readonly [number, number] }[];
}

/**
 * Runs the contestants once a round, in an order that rotates from round to round.
 * @param runs each does the same work with one contestant and gives its rate.
 */
export async function interleave(
  rounds: number,
  runs: readonly (() => Promise<number>)[],
): Promise<Compared> {
  const rates = runs.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < runs.length; turn += 1) {
      const contestant = (round + turn) % runs.length;
      const rate = await runs[contestant]?.();
      rates[contestant]?.push(rate ?? Number.NaN);
    }
  }
  const [first = [], ...others] = rates;
  const ratios = others.map((values) => {
    const ofRounds = values.map((rate, round) => rate / (first[round] ?? Number.NaN));
    const quartiles = [quantile(ofRounds, 0.25), quantile(ofRounds, 0.75)] as const;
    return { median: quantile(ofRounds, 0.5), quartiles };
  });
  return { medians: rates.map((values) => quantile(values, 0.5)), ratios };
}

/** @param share e.g. 0.5 for the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
}
