import type { FunctionPool } from '../tests/emulator/pool.ts';
import { textOf } from '../tests/emulator/runtime-api.ts';
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
  /** The functions of the older build and of this one, with all their instances. */
  readonly older: FunctionPool;
  readonly these: FunctionPool;
  readonly instances: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Statements that each instance stores before it is measured. */
  readonly warmUp: number;
  /** An event that stores one statement. */
  readonly event: () => unknown;
}

/**
 * Each instance has one client, which invokes the function for the next statement when it has the answer, without a gateway: the
 * clients run on the processors of the instances.
 */
export async function compareRates(options: RateOptions): Promise<Rates> {
  const { older, these, instances, rounds } = options;
  for (const pool of [older, these]) await warmUp(options, pool);
  const rateOf = (pool: FunctionPool, clients: number) => () => rate(options, pool, clients);
  const { medians, ratios } = await interleave(rounds, [
    rateOf(older, instances),
    rateOf(these, instances),
    rateOf(these, 1),
  ]);
  const [ofOlder = Number.NaN, ofThese = Number.NaN, alone = Number.NaN] = medians;
  const { median = Number.NaN, quartiles = [Number.NaN, Number.NaN] as const } = ratios[0] ?? {};
  return { these: ofThese, older: ofOlder, ratio: median, quartiles, alone };
}

/** Until its code is compiled, an instance needs several times the processor. With its share of one that would take minutes. */
async function warmUp({ event, instances, warmUp }: RateOptions, pool: FunctionPool): Promise<void> {
  const limit = (isLimited: boolean) => {
    for (const instance of pool.instances) instance.limitProcessor(isLimited);
  };
  limit(false);
  let left = warmUp * instances;
  await inParallel(instances, async () => {
    for (; left > 0; left -= 1) await store(pool, event());
  });
  limit(true);
}

async function rate({ event, seconds }: RateOptions, pool: FunctionPool, clients: number): Promise<number> {
  let stored = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  await inParallel(clients, async () => {
    for (; performance.now() < end; stored += 1) await store(pool, event());
  });
  return (stored * 1000) / (performance.now() - began);
}

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work));
}

/** @throws Error unless the function answers 200. */
async function store(pool: FunctionPool, event: unknown): Promise<void> {
  const answer = await textOf((await pool.invoke(event)).body);
  if (JSON.parse(answer).statusCode !== 200) throw new Error(`A statement was not stored: ${answer}`);
}
