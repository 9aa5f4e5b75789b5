import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../attack/random.ts';
import { type EmulatedFunctions, startFunctions } from '../../emulator/functions.ts';
import { clientSettings } from '../client.ts';
import { Client, type Observations, runTraffic, type StoredStatement, walk } from './traffic.ts';

export interface LambdaProofOptions {
  /** The settings that name an empty database. */
  readonly database: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** How many instances are killed at random moments. */
  readonly kills: number;
  readonly writers: number;
  readonly readers: number;
  /** Whether instances are frozen while they have nothing to do. */
  readonly freezes: boolean;
  /** Megabytes of each instance. */
  readonly memory: number;
  readonly seed: number;
  readonly onOutput?: (text: string) => void;
}

export interface LambdaProofResult {
  readonly acknowledged: number;
  /** Acknowledged, but not there. */
  readonly lost: readonly string[];
  /** Stored up to a position of which a reader was told that it has seen everything, but not seen by it. */
  readonly unseen: readonly string[];
  /** Answers that no client should get: any but success of an instance that was not killed. */
  readonly failures: readonly string[];
  readonly kills: number;
  /** Requests that ended with the instance that was killed. */
  readonly cutOff: number;
  /** Instances that have started. */
  readonly coldStarts: number;
  /** How long POST took, and starting an instance, in milliseconds. */
  readonly post: Percentiles;
  readonly starts: Percentiles;
}

interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Clients write and read through the packaged functions while their instances are frozen and killed. */
export async function proveFrozen(options: LambdaProofOptions): Promise<LambdaProofResult> {
  const functions = await startFunctions({
    settings: { LRS_LOG_LEVEL: 'ERROR', ...options.database },
    first: clientSettings,
    freezes: options.freezes,
    memory: options.memory,
    ...(options.onOutput && { onOutput: options.onOutput }),
  });
  try {
    return await proveWith(functions, options);
  } finally {
    await functions.stop();
  }
}

async function proveWith(
  functions: EmulatedFunctions,
  { seconds, kills, writers, readers, seed }: LambdaProofOptions,
): Promise<LambdaProofResult> {
  const { url, pools } = functions;
  // The first instances are no part of what is measured.
  await pools.statements.provision(writers + readers, 2);
  const warm = pools.statements.inits.length;
  const enough = new AbortController();
  const traffic = runTraffic({ url, writers, readers, seed, signal: enough.signal });
  const [killed] = await Promise.all([
    killInstances(functions, { kills, seconds, random: new Random(seed + 1000) }),
    sleep(seconds * 1000),
  ]);
  enough.abort();
  const observed = await traffic;
  const stored = await everything(url, observed);
  const ids = new Set(stored.map(({ id }) => id));
  const unseen = observed.readers.flatMap(({ seen, through }) =>
    stored.filter((each) => each.stored <= through && !seen.has(each.id)).map(({ id }) => id),
  );
  const starts = pools.statements.inits.slice(warm);
  return {
    acknowledged: observed.acknowledged.length,
    lost: observed.acknowledged.filter((id) => !ids.has(id)),
    unseen,
    failures: observed.failures,
    kills: killed,
    cutOff: observed.cutOff,
    coldStarts: starts.length,
    post: percentiles(observed.posts),
    starts: percentiles(starts.map(({ milliseconds }) => milliseconds)),
  };
}

/** @returns how many it has killed. */
async function killInstances(
  { pools }: EmulatedFunctions,
  { kills, seconds, random }: { readonly kills: number; readonly seconds: number; readonly random: Random },
): Promise<number> {
  const pause = (seconds * 1000) / Math.max(1, kills);
  let killed = 0;
  while (killed < kills) {
    await sleep(random.unit() * 2 * pause);
    const alive = pools.statements.instances.filter(({ ended }) => !ended);
    if (alive.length === 0) continue;
    await random.pick(alive).kill();
    killed += 1;
  }
  return killed;
}

/** All that is stored, in its order. */
async function everything(url: string, observed: Observations): Promise<StoredStatement[]> {
  const client = new Client(url, observed);
  const stored: StoredStatement[] = [];
  const first = await client.page('/xapi/statements?ascending=true');
  if (first !== undefined) {
    await walk(client, first, (statements) => {
      stored.push(...statements);
      return true;
    });
  }
  return stored;
}

function percentiles(milliseconds: readonly number[]): Percentiles {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** Whether everything but the times is as it has to be. */
export function isSound({ lost, unseen, failures, acknowledged }: LambdaProofResult): boolean {
  return acknowledged > 0 && [lost, unseen, failures].every((list) => list.length === 0);
}
