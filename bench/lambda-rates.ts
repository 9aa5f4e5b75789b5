import { interleave } from './interleave.ts';

/** What many instances of a function store together, in this build and in an older one. */
export interface Rates {
  /** Statements per second, medians of the rounds. */
  readonly these: number;
  readonly older: number;
  /** Median of the rounds' ratios of this build to the older one, and their quartiles. */
  readonly ratio: number;
  readonly quartiles: readonly [number, number];
  /** Statements per second of one instance of this build alone. */
  readonly alone: number;
}

export interface RateOptions {
  /** Where the functions of the older build and of this one are reached, with all their instances. */
  readonly older: string;
  readonly these: string;
  readonly instances: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Sends one statement. @throws Error unless it is stored. */
  readonly post: (url: string) => Promise<void>;
}

/** Each instance has one client, which sends the next statement when it has the answer. */
export async function compareRates(options: RateOptions): Promise<Rates> {
  const { older, these, instances, rounds } = options;
  const rateOf = (url: string, clients: number) => () => rate(options, url, clients);
  // Until then their code is compiled.
  for (const url of [older, these]) await rate(options, url, instances);
  const { medians, ratios } = await interleave(rounds, [
    rateOf(older, instances),
    rateOf(these, instances),
    rateOf(these, 1),
  ]);
  const [ofOlder = Number.NaN, ofThese = Number.NaN, alone = Number.NaN] = medians;
  const { median = Number.NaN, quartiles = [Number.NaN, Number.NaN] as const } = ratios[0] ?? {};
  return { these: ofThese, older: ofOlder, ratio: median, quartiles, alone };
}

async function rate({ post, seconds }: RateOptions, url: string, clients: number): Promise<number> {
  let stored = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        await post(url);
        stored += 1;
      }
    }),
  );
  return (stored * 1000) / (performance.now() - began);
}
